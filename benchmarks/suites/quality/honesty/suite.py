"""Suite: names that nobody defined, questions about something else, and those that are in place."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

import cruxe
from benchmarks.harness.figures import Figure, Measured, Sample, Unit
from benchmarks.harness.suites import DataSuite
from benchmarks.suites.quality.honesty.names import sample_names
from benchmarks.suites.quality.ranking.candidates import opened_folder
from benchmarks.suites.quality.ranking.queries import (
    QUERIES_VARIABLE,
    REPOSITORIES_VARIABLE,
    Benchmark,
    Repository,
    load_benchmark,
)
from benchmarks.suites.quality.ranking.suite import data_dir
from cruxe.repository import Repository as Engine

_OFF_TOPIC: Final = Path(__file__).with_name("off_topic.txt")
_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"
_REPOSITORIES: Final = 10  # that are asked for names and about something else
_NAMES: Final = 30  # of each kind and repository
_SENTENCE: Final = "where is {} defined"
_SHARES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
# Of the dev queries of other repositories that may be below a threshold fitted on them.
_LOW_SHARE: Final = 0.04
_SAMPLES: Final = 20


class Judged(NamedTuple):
    """A query and what its answer says of itself."""

    repository: str
    kind: str
    query: str
    confidence: float
    is_low: bool
    is_flagged: bool  # the answer says that the name asked for does not occur


def measure() -> Measured:
    """Ask everything of whole repositories."""
    benchmark = load_benchmark()
    if benchmark is None:
        note = f"Skipped: {QUERIES_VARIABLE} and {REPOSITORIES_VARIABLE} name no queries."
        return Measured(notes=(note,))
    chosen = {each.name for each in [*benchmark.repos][::2][:_REPOSITORIES]}
    judged = [
        each
        for repository in benchmark.repos
        for each in _ask(repository, benchmark, is_chosen=repository.name in chosen)
    ]
    return Measured(
        figures=tuple(_figures(judged)),
        samples=tuple(_samples(judged)),
        tables=(_distribution(judged),),
    )


def off_topic_questions() -> list[str]:
    """Questions about nothing that a repository holds."""
    return _OFF_TOPIC.read_text(encoding="utf-8").splitlines()


def _ask(repository: Repository, benchmark: Benchmark, *, is_chosen: bool) -> Iterator[Judged]:
    root, name = repository.place(is_whole=True), repository.name
    with data_dir() as folder:
        os.environ[_DATA_DIR] = folder
        with opened_folder(root) as opened:
            names = sample_names(root, opened, _NAMES) if is_chosen else None
        asked = cruxe.open(root)
        for query in benchmark.queries:
            if query.repo == name:
                yield _searched(asked, name, "dev", query.query)
        if names is not None:
            for question in off_topic_questions():
                yield _searched(asked, name, "off topic", question)
            for kind, each in (("invented", names.invented), ("real", names.real)):
                for text in each:
                    yield from _ask_name(asked, name, kind, text)


def _ask_name(asked: Engine, repository: str, kind: str, name: str) -> Iterator[Judged]:
    yield _searched(asked, repository, kind, name)
    sentence = _searched(asked, repository, f"{kind}, in a sentence", _SENTENCE.format(name))
    yield sentence
    located = asked.locate_symbol(name)
    is_absent = located.get("empty_reason") == "confirmed_absent"
    is_flagged = is_absent or located["metadata"].get("low_confidence", False)
    yield sentence._replace(kind=f"{kind}, located", query=name, is_flagged=is_flagged)
    found = asked.search_text(name, case="insensitive", limit=1)
    is_flagged = found.get("empty_reason") == "confirmed_absent"
    yield sentence._replace(kind=f"{kind}, as text", query=name, is_flagged=is_flagged)


def _searched(asked: Engine, repository: str, kind: str, query: str) -> Judged:
    answer = asked.search_code(query, ranking_explain_level="full")
    metadata = answer["metadata"]
    stats = answer.get("stats")
    return Judged(
        repository=repository,
        kind=kind,
        query=query,
        confidence=0.0 if stats is None else stats["trust"]["confidence"]["value"],
        is_low=metadata["low_confidence"],
        is_flagged=metadata["low_confidence"] and bool(metadata.get("unknown_terms")),
    )


def _figures(judged: Sequence[Judged]) -> Iterable[Figure]:
    for way in ("", ", in a sentence", ", located", ", as text"):
        flagged = _share([each.is_flagged for each in judged if each.kind == f"invented{way}"])
        yield Figure(f"invented names{way}: flagged", flagged, Unit.SHARE, least=0.99)
        flagged = _share([each.is_flagged for each in judged if each.kind == f"real{way}"])
        yield Figure(f"real names{way}: flagged", flagged, Unit.SHARE, bar=0.01)
    low = {kind: _share([each.is_low for each in judged if each.kind == kind]) for kind in _KINDS}
    yield Figure("real names: low confidence", low["real"], Unit.SHARE, bar=0.01)
    yield Figure("off-topic questions: low confidence", low["off topic"], Unit.SHARE, least=0.8)
    yield Figure("dev queries: low confidence", low["dev"], Unit.SHARE, bar=0.05)
    fitted = _held_out(judged)
    yield Figure("off-topic questions: low, threshold of other repositories", fitted, Unit.SHARE)


_KINDS: Final = ("dev", "real", "off topic", "invented")


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def _held_out(judged: Sequence[Judged]) -> float:
    """The share below the threshold that a few dev queries of all other repositories are below."""
    below: list[bool] = []
    for name in sorted({each.repository for each in judged if each.kind == "off topic"}):
        others = [x.confidence for x in judged if x.kind == "dev" and x.repository != name]
        threshold = float(np.quantile(others, _LOW_SHARE)) if others else 0.0
        own = (each for each in judged if (each.kind, each.repository) == ("off topic", name))
        below += [each.confidence < threshold for each in own]
    return _share(below)


def _distribution(judged: Sequence[Judged]) -> str:
    """A table of confidences."""
    head = " | ".join(f"{share:.0%}" for share in _SHARES)
    lines = [f"| confidence | {head} |", "|---" * (len(_SHARES) + 1) + "|"]
    for kind in _KINDS:
        values = [each.confidence for each in judged if each.kind == kind] or [0.0]
        cells = " | ".join(f"{value:.2f}" for value in np.quantile(values, _SHARES))
        lines.append(f"| {kind} | {cells} |")
    return "\n".join(lines)


def _samples(judged: Sequence[Judged]) -> Iterable[Sample]:
    """The first of those judged wrongly."""
    wrong = [each for each in judged if _is_wrong(each)]
    for each in wrong[:_SAMPLES]:
        yield Sample(each.repository, each.kind, each.query)


def _is_wrong(each: Judged) -> bool:
    kind = each.kind.partition(",")[0]
    return {
        "dev": each.is_low,
        "off topic": not each.is_low,
        "invented": not each.is_flagged,
        "real": each.is_flagged,
    }[kind]


SUITE: Final = DataSuite(
    name="honesty",
    about=(
        "What answers say of what is not there: invented names made of a repository's own words,"
        " names that it defines, questions about something else, and the dev queries."
    ),
    data="dev queries",
    measure=measure,
)
