"""Suite: definitions that universal-ctags sees, asked for by name: which of ours comes first.

A name that ctags has once, of whatever kind, is asked for as it is. One that it has several times
is asked for with the scope that ctags gives it, as anyone would who means one of them; where that
is not enough either, every definition that answers to what was asked is right, and the figures for
`the very definition` tell how often the one sampled came first nevertheless.

Ctags sees nothing of what macros hide, so a name is called unique only where the index, too, has
one qualified name for it. Several symbols may share that: a function and its prototypes do.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Sample, Unit
from benchmarks.harness.stores import temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.quality.parsing.ctags import ABSENCE, Tag, find_ctags, read_tags
from benchmarks.suites.quality.parsing.differences import Miss, Table, is_made_up
from benchmarks.suites.quality.parsing.extraction import MAX_NODES
from benchmarks.suites.quality.parsing.files import CorpusFile, read_files
from benchmarks.suites.quality.parsing.recall import explain
from benchmarks.suites.quality.parsing.tables import load_table
from cruxe.model.hits import StoredSymbol
from cruxe.model.specs import LocateSpec
from cruxe.parse.extract import parse_source
from cruxe.parse.source_text import SourceText
from cruxe.query.retrieve.definitions_by_name import locate
from cruxe.query.retrieve.opened_ref import OpenedRef

if TYPE_CHECKING:
    from cruxe.model.symbols import ParsedFile

_SEED: Final = 20_240_501
_DEFINITIONS: Final = 500  # of each corpus
_FIRST: Final = 3
_LEAST_UNIQUE: Final = 0.995
_LEAST_TOP: Final = 0.97
_LEAST_FIRST: Final = 0.99
_SAMPLES: Final = 10
_TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>|\([^()]*\)|[*&]")
# JavaScript's names for what a module exports; to ctags a scope like any other.
_MODULE_OBJECTS: Final = frozenset({"exports", "module"})
_SEPARATORS: Final = re.compile(r"::|[.#/\\]")


class Asked(NamedTuple):
    """A definition, how it is asked for, and all that answer to that."""

    tag: Tag
    name: str
    answers: tuple[Tag, ...]
    is_single: bool  # ctags has its bare name once
    is_unique: bool = False  # the index, too, has one qualified name for it


class Found(NamedTuple):
    """Where the answer has a right definition, from zero; nothing where it has none."""

    asked: Asked
    any_place: int | None
    very_place: int | None


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Ask for sampled definitions of a corpus's main language."""
    del repeat  # the same sample gives the same figures
    if find_ctags() is None:
        return Measured(notes=(ABSENCE,))
    files = read_files(corpus.root)
    tags = _all_tags(corpus.root, files)
    with temporary_store(corpus.root) as store:
        store.run("index")
        with store.opened() as opened:
            language = _main_language(files, tags)
            found = measure_language(language, files, tags, opened)
    return Measured(tuple(_figures(language, found)), samples=tuple(_samples(language, found)))


def measure_language(
    language: str, files: Sequence[CorpusFile], tags: dict[str, list[Tag]], opened: OpenedRef
) -> list[Found]:
    """Sample definitions of one language and ask for each."""
    table = load_table(language)
    if table is None:
        return []
    own = [tag for tag in tags[language] if tag.kind in table.kinds]
    asked = _questions(own, [tag for each in tags.values() for tag in each])
    differences = _Differences(files, table)
    found: list[Found] = []
    for each in random.Random(_SEED).sample(asked, len(asked)):  # noqa: S311 - no secret
        answer = _ask(each, table, opened)
        if answer.any_place is not None or not differences.explain(each.tag):
            found.append(answer)
        if len(found) == _DEFINITIONS:
            break
    return found


def _main_language(files: Iterable[CorpusFile], tags: dict[str, list[Tag]]) -> str:
    """The programming language that a corpus has most definitions of."""
    code = {file.language.name for file in files if file.language.mode == "code"}
    return max(sorted(code & tags.keys()), key=lambda name: len(tags[name]))


def _all_tags(root: str, files: Iterable[CorpusFile]) -> dict[str, list[Tag]]:
    """What ctags has of every language that it can be compared in, members and the like too."""
    paths: dict[str, list[str]] = defaultdict(list)
    for file in files:
        paths[file.language.name].append(file.path)
    tables = {language: load_table(language) for language in sorted(paths)}
    return {
        language: read_tags(root, paths[language], table.ctags_language)
        for language, table in tables.items()
        if table is not None
    }


def _questions(tags: Iterable[Tag], all_tags: Sequence[Tag]) -> list[Asked]:
    counts = Counter(name for name, _, _ in {(tag.name, tag.path, tag.line) for tag in all_tags})
    by_question: dict[str, list[Tag]] = defaultdict(list)
    for tag in all_tags:
        for question in {tag.name, _qualified(tag, counts)}:
            by_question[question].append(tag)
    distinct = {(tag.name, tag.path, tag.line): tag for tag in tags}.values()
    names = [tag.name if counts[tag.name] == 1 else _qualified(tag, counts) for tag in distinct]
    return [
        Asked(tag, name, tuple(by_question[name]), counts[tag.name] == 1)
        for tag, name in zip(distinct, names, strict=True)
    ]


def _qualified(tag: Tag, known: Counter[str]) -> str:
    """The name with the names around it, as far as ctags has definitions of these."""
    scope = tag.scope
    while (shorter := _TYPE_ARGUMENTS.sub("", scope)) != scope:
        scope = shorter
    around = [name.strip() for name in _SEPARATORS.split(scope)]
    kept = [name for name in around if known[name] and not is_made_up(name)]
    return ".".join((*(name for name in kept if name not in _MODULE_OBJECTS), tag.name))


def _ask(asked: Asked, table: Table, opened: OpenedRef) -> Found:
    hits = locate(LocateSpec(name=asked.name), opened).hits
    symbols = [hit.symbol for hit in hits if hit.symbol is not None]
    exact = {each.qualified_name for each in symbols if each.name == asked.tag.name}
    asked = asked._replace(is_unique=asked.is_single and len(exact) <= 1)
    return Found(asked, _place(symbols, asked.answers, table), _place(symbols, [asked.tag], table))


def _place(symbols: list[StoredSymbol], answers: Iterable[Tag], table: Table) -> int | None:
    """The first symbol whose head has the name and the line of an answer."""
    wanted = {(table.plain_name(tag.name), tag.path, tag.line) for tag in answers}
    for place, symbol in enumerate(symbols):
        name = table.plain_name(symbol.name)
        heads = range(symbol.line_start, symbol.name_line + 1)
        if any((name, symbol.path, line) in wanted for line in heads):
            return place
    return None


class _Differences:
    """Which definitions of ctags are none by the stated differences; parses a file once."""

    def __init__(self, files: Iterable[CorpusFile], table: Table) -> None:
        self._files = {file.path: file for file in files}
        self._table = table
        self._parsed: dict[str, tuple[SourceText, ParsedFile]] = {}

    def explain(self, tag: Tag) -> bool:
        if tag.path not in self._parsed:
            file = self._files[tag.path]
            source = SourceText(file.path, file.data)
            self._parsed[tag.path] = source, parse_source(source, file.language, MAX_NODES)
        return explain(Miss(tag, *self._parsed[tag.path]), self._table)


def _figures(language: str, found: list[Found]) -> Iterator[Figure]:
    single = [each for each in found if each.asked.is_single]
    unique = [each for each in found if each.asked.is_unique]
    yield _share("first, of a unique name", language, _within(unique, 1), _LEAST_UNIQUE)
    yield _share("first, of a name that ctags has once", language, _within(single, 1))
    yield _share("first", language, _within(found, 1), _LEAST_TOP)
    yield _share("among the first three", language, _within(found, _FIRST), _LEAST_FIRST)
    very = [each._replace(any_place=each.very_place) for each in found]
    yield _share("first, the very definition", language, _within(very, 1))
    yield _share("among the first three, the very definition", language, _within(very, _FIRST))
    yield Figure("definitions asked for", len(found), Unit.COUNT, subject=language)
    yield Figure("of a unique name", len(unique), Unit.COUNT, subject=language)


def _within(found: list[Found], count: int) -> float:
    hits = sum(each.any_place is not None and each.any_place < count for each in found)
    return hits / len(found) if found else 1.0


def _share(name: str, language: str, value: float, least: float | None = None) -> Figure:
    return Figure(name, value, Unit.SHARE, least=least, subject=language)


def _samples(language: str, found: list[Found]) -> Iterator[Sample]:
    wrong = [each for each in found if each.any_place != 0]
    for each in wrong[:_SAMPLES]:
        tag, place = each.asked.tag, each.any_place
        where = "not found" if place is None else f"at place {place + 1}"
        text = f"`{each.asked.name}` ({tag.kind}, {tag.path}:{tag.line}): {where}"
        yield Sample(language, "not first", text)


SUITE: Final = Suite(
    name="locate_quality",
    about=(
        f"{_DEFINITIONS} definitions of a corpus's main language, sampled with a fixed seed from"
        " those of universal-ctags and asked for by name: bare where ctags has it once, else with"
        " the scope that ctags gives. A result is right where path, name and line are; where what"
        " was asked has several definitions each of them is, and `the very definition` is the one"
        " sampled. A unique name is one that ctags has once and the index under one qualified name."
    ),
    repeat=1,
    measure=measure,
)
