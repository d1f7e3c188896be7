"""Suite: names of types that a repository defines once, and whether their file comes first.

The repositories are those of the annotated queries, whole (`ranking/queries.py` tells where they
are). The names are the index's own, so this measures order and not extraction.
"""

import os
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import cruxe
from benchmarks.harness.figures import Figure, Measured, Sample, Unit
from benchmarks.harness.suites import DataSuite
from benchmarks.suites.quality.ranking.candidates import opened_folder
from benchmarks.suites.quality.ranking.queries import (
    QUERIES_VARIABLE,
    REPOSITORIES_VARIABLE,
    load_benchmark,
)
from benchmarks.suites.quality.ranking.suite import data_dir
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.text.paths import PathRole, path_roles

_LEAST: Final = 0.975
_SEED: Final = 20_240_501
_NAMES: Final = 40  # of each repository and group
_LEAST_LETTERS: Final = 6  # of a name that may be misspelt: less is another name
_SAMPLES: Final = 10
_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"
_NO_CODE: Final = frozenset((PathRole.PROSE, PathRole.DATA))


class Known(NamedTuple):
    """A type, and where it is defined."""

    repository: str
    name: str
    path: str
    is_product: bool  # not a test, an example or a copy


class Asked(NamedTuple):
    """How a name was asked for, and which file came first."""

    known: Known
    form: str
    first: str

    @property
    def is_right(self) -> bool:
        """Whether it is the one that defines the name."""
        return self.first == self.known.path


def measure() -> Measured:
    """Ask for sampled names of every repository in every form."""
    benchmark = load_benchmark()
    if benchmark is None:
        note = f"Skipped: {QUERIES_VARIABLE} and {REPOSITORIES_VARIABLE} name no queries."
        return Measured(notes=(note,))
    asked: list[Asked] = []
    for repository in benchmark.repos:
        with data_dir() as folder:
            os.environ[_DATA_DIR] = folder
            asked += _ask_all(repository.name, repository.place(is_whole=True))
    return Measured(tuple(_figures(asked)), samples=tuple(_samples(asked)))


def _ask_all(repository: str, root: str) -> list[Asked]:
    with opened_folder(root) as opened:
        names = _sampled(_defined_once(repository, opened))
    searched = cruxe.open(root)
    asked: list[Asked] = []
    for known in names:
        for form, query in _forms(known.name).items():
            results = searched.search_code(query, limit=1, freshness_policy="best_effort")
            first = next((each["path"] for each in results["results"]), "")
            asked.append(Asked(known, form, first))
    return asked


def _forms(name: str) -> dict[str, str]:
    """A name as it is, as the start of its definition, and with two letters exchanged."""
    forms = {"alone": name, "after class": f"class {name}"}
    if len(name) >= _LEAST_LETTERS:
        middle = len(name) // 2
        exchanged = name[: middle - 1] + name[middle] + name[middle - 1] + name[middle + 1 :]
        forms["misspelt"] = exchanged
    return forms


def _defined_once(repository: str, opened: OpenedRef) -> Iterator[Known]:
    found: dict[str, list[str]] = defaultdict(list)
    languages: dict[str, str] = {}
    for _, symbols in opened.snapshot.symbols_of(opened.snapshot.live_keys(opened.ref_id)):
        for symbol in symbols:
            if symbol.role == "type":
                found[symbol.name].append(symbol.path)
                languages[symbol.path] = symbol.language
    for name, paths in sorted(found.items()):
        roles = path_roles(paths[0], languages[paths[0]])
        if len(paths) == 1 and _NO_CODE.isdisjoint(roles):
            yield Known(repository=repository, name=name, path=paths[0], is_product=not roles)


def _sampled(names: Iterable[Known]) -> list[Known]:
    groups: dict[bool, list[Known]] = defaultdict(list)
    for each in names:
        groups[each.is_product].append(each)
    chance = random.Random(_SEED)  # noqa: S311 - no secret
    return [
        each
        for _, group in sorted(groups.items())
        for each in chance.sample(group, min(_NAMES, len(group)))
    ]


def _figures(asked: list[Asked]) -> Iterator[Figure]:
    for form in dict.fromkeys(each.form for each in asked):
        least = _LEAST if form == "alone" else None
        product = [each for each in asked if each.form == form and each.known.is_product]
        other = [each for each in asked if each.form == form and not each.known.is_product]
        yield _share(f"{form}: right file first", product, least)
        yield _share(f"{form}: right file first, of tests and examples", other)
    for repository in sorted({each.known.repository for each in asked}):
        own = [each for each in asked if each.known.repository == repository]
        alone = [each for each in own if each.form == "alone" and each.known.is_product]
        if alone:
            yield _share(f"alone: right file first, {repository}", alone)
    yield Figure("names asked for", float(len({each.known for each in asked})), Unit.COUNT)


def _share(name: str, asked: list[Asked], least: float | None = None) -> Figure:
    value = sum(each.is_right for each in asked) / len(asked) if asked else 1.0
    return Figure(name, value, Unit.SHARE, least=least)


def _samples(asked: list[Asked]) -> Iterator[Sample]:
    wrong = [each for each in asked if not each.is_right]
    for each in wrong[:_SAMPLES]:
        known = each.known
        text = f"`{known.name}`, {each.form}: {each.first or 'nothing'} before {known.path}"
        yield Sample(known.repository, "not first", text)


SUITE: Final = DataSuite(
    name="known_names",
    about=(
        f"At most {_NAMES} names of types of each repository of the dev queries, and as many of its"
        " tests and examples, that it defines once, sampled with a fixed seed: is the file that"
        " defines one the first result of a search for it, alone, after `class`, or misspelt?"
    ),
    data="dev repositories",
    measure=measure,
)
