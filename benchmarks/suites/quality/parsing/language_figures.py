"""One language of one checkout, measured: cost, recall, and whether all that came out holds."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from benchmarks.harness.figures import Figure, Measured, Sample, Tally, Unit, joined
from benchmarks.suites.quality.parsing.ctags import find_ctags, read_tags
from benchmarks.suites.quality.parsing.differences import Miss
from benchmarks.suites.quality.parsing.extraction import Cost, Extraction, extract_all, measure_cost
from benchmarks.suites.quality.parsing.files import CorpusFile
from benchmarks.suites.quality.parsing.recall import Comparison, compare
from benchmarks.suites.quality.parsing.tables import load_table

MAX_TIMES_FLOOR: Final = 1.6
MIN_RECALL: Final = 0.98
_MEGABYTE: Final = 1_000_000
_SAMPLE_SIZE: Final = 40
_SAMPLES_PER_KIND: Final = 3
_SEED: Final = "languages"
_Item = TypeVar("_Item")


class Subject(NamedTuple):
    """A language and its files in a checkout."""

    root: str
    language: str
    files: tuple[CorpusFile, ...]


def measure_language(subject: Subject, repeat: int) -> Measured:
    """All figures of a language; those that ctags is needed for only where it is there."""
    if not subject.files:
        return Measured(notes=(f"No file is {subject.language}.",))
    parts = [_cost(subject, measure_cost(subject.files, repeat))]
    extractions = list(extract_all(subject.files))
    table = load_table(subject.language)
    if table is not None and find_ctags() is not None:
        paths = [file.path for file in subject.files]
        tags = read_tags(subject.root, paths, table.ctags_language)
        parts.append(_recall(subject, compare(extractions, tags, table)))
    parts.append(measure_soundness(subject.language, extractions))
    return joined(parts)


def measure_soundness(subject: str, extractions: Sequence[Extraction]) -> Measured:
    """How many files break what must hold of every file."""
    broken = [each for each in extractions if each.misfits]
    samples = [
        Sample(subject, "unsound", f"{each.file.path}: {each.misfits[0]}")
        for each in _sampled(broken)
    ]
    figure = Figure("unsound files", len(broken), Unit.COUNT, bar=0, subject=subject)
    return Measured((figure,), samples=tuple(samples))


def _cost(subject: Subject, cost: Cost) -> Measured:
    name, megabytes = subject.language, cost.source_bytes / _MEGABYTE
    speed = megabytes / cost.extraction_seconds
    figures = [
        Figure("files", len(subject.files), Unit.COUNT, subject=name),
        Figure("source", megabytes, Unit.MEGABYTES, subject=name),
        Figure("extraction", cost.extraction_seconds, Unit.SECONDS, subject=name),
        Figure("speed", speed, Unit.MEGABYTES_PER_SECOND, subject=name),
    ]
    if cost.floor_seconds:
        figures += [
            Figure("floor", cost.floor_seconds, Unit.SECONDS, subject=name),
            Figure("CPU / floor", cost.times_floor, Unit.TIMES, MAX_TIMES_FLOOR, subject=name),
        ]
    return Measured(tuple(figures))


def _recall(subject: Subject, found: Comparison) -> Measured:
    name = subject.language
    alone = sum(map(len, found.ours_alone.values()))
    figures = (
        Figure("recall", found.recall, Unit.SHARE, least=MIN_RECALL, subject=name),
        Figure("recall, all tags", found.raw_recall, Unit.SHARE, subject=name),
        Figure("tags", found.tag_count, Unit.COUNT, subject=name),
        Figure("missed", len(found.unexplained), Unit.COUNT, subject=name),
        Figure("ours alone", alone, Unit.COUNT, subject=name),
    )
    tallies = [
        Tally(name, rule.name, count, rule.reason)
        for rule, count in sorted(found.explained.items(), key=lambda each: each[0].name)
    ]
    tallies += [
        Tally(name, f"ours alone: {kind}", len(symbols), "")
        for kind, symbols in sorted(found.ours_alone.items())
    ]
    return Measured(figures, (), tuple(tallies), (*_missed(name, found), *_alone(name, found)))


def _missed(name: str, found: Comparison) -> list[Sample]:
    kinds = Counter(miss.tag.kind for miss in found.unexplained)
    head = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    lines = [_told(miss) for miss in _sampled(found.unexplained)]
    return [Sample(name, "missed", line) for line in ([head, *lines] if lines else [])]


def _told(miss: Miss) -> str:
    tag = miss.tag
    return f"{tag.path}:{tag.line}: {tag.kind} {tag.name} | {miss.line_text().strip()[:120]}"


def _alone(name: str, found: Comparison) -> list[Sample]:
    return [
        Sample(name, "ours alone", f"{path}:{symbol.name_line}: {symbol.kind} {symbol.name}")
        for _, symbols in sorted(found.ours_alone.items())
        for path, symbol in _sampled(symbols, _SAMPLES_PER_KIND)
    ]


def _sampled(items: Sequence[_Item], size: int = _SAMPLE_SIZE) -> list[_Item]:
    """Some of the items, in order, the same ones each time."""
    if len(items) <= size:
        return list(items)
    chosen = random.Random(_SEED).sample(range(len(items)), size)  # noqa: S311 - no secret
    return [items[position] for position in sorted(chosen)]
