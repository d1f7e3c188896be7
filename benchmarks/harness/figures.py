"""Figures, the bars they are held to, and what is kept of a suite's run. Measures nothing."""

from collections.abc import Sequence
from enum import StrEnum
from statistics import median
from typing import NamedTuple

import msgspec


class Unit(StrEnum):
    """What a figure counts."""

    TIMES = "times"  # a ratio to the peer or the floor of the same run
    SHARE = "share"  # of a whole, 1.0 is all of it
    SECONDS = "s"
    MILLISECONDS = "ms"
    MEGABYTES = "MB"
    MEGABYTES_PER_SECOND = "MB/s"
    COUNT = "count"


class Verdict(StrEnum):
    """Whether a figure is within its bar."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    FAIL = "FAIL"
    NO_BAR = ""


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One measured value; without a bar it only tells."""

    name: str
    value: float
    unit: Unit
    bar: float | None = None  # the highest value that passes
    least: float | None = None  # the lowest value that passes
    subject: str = ""  # the part of the corpus that it is about

    @property
    def verdict(self) -> Verdict:
        """Judge the value by its bar."""
        if self.bar is None and self.least is None:
            return Verdict.NO_BAR
        is_low_enough = self.bar is None or self.value <= self.bar
        is_high_enough = self.least is None or self.value >= self.least
        return Verdict.PASS if is_low_enough and is_high_enough else Verdict.FAIL


class Tally(msgspec.Struct, frozen=True):
    """How often a stated reason applied to what a figure leaves out."""

    subject: str
    name: str
    count: int
    reason: str


class Sample(msgspec.Struct, frozen=True):
    """One thing behind a figure, for a reader to look up."""

    subject: str
    topic: str
    text: str


class Measured(NamedTuple):
    """What a suite found on one corpus; a note says why where it found nothing."""

    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()  # whole sentences
    tallies: tuple[Tally, ...] = ()
    samples: tuple[Sample, ...] = ()
    tables: tuple[str, ...] = ()  # what figures cannot say, in Markdown


class CorpusResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of one corpus: all of it was measured in one run."""

    corpus: str
    figures: tuple[Figure, ...]
    notes: tuple[str, ...]
    tallies: tuple[Tally, ...] = ()
    samples: tuple[Sample, ...] = ()
    tables: tuple[str, ...] = ()


class SuiteResult(msgspec.Struct, frozen=True):
    """What is kept of a suite."""

    suite: str
    about: str
    corpora: tuple[CorpusResult, ...]

    @property
    def has_failed(self) -> bool:
        """Whether a figure is over its bar."""
        figures = (figure for each in self.corpora for figure in each.figures)
        return any(figure.verdict is Verdict.FAIL for figure in figures)


def with_earlier(result: SuiteResult, earlier: SuiteResult) -> SuiteResult:
    """Complete a result: what was not measured this time stays as it was measured before."""
    kept = {each.corpus: each for each in earlier.corpora}
    for each in result.corpora:
        if each.figures or each.corpus not in kept:
            kept[each.corpus] = each
    return SuiteResult(result.suite, result.about, tuple(kept.values()))


def joined(parts: Sequence[Measured]) -> Measured:
    """One corpus measured in parts."""
    return Measured(
        tuple(figure for part in parts for figure in part.figures),
        tuple(note for part in parts for note in part.notes),
        tuple(tally for part in parts for tally in part.tallies),
        tuple(sample for part in parts for sample in part.samples),
        tuple(table for part in parts for table in part.tables),
    )


def how_often(number: int) -> str:
    """Say how often."""
    return "measured once" if number == 1 else f"median of {number}"


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """How many times the median of the others the median of ours is."""
    return median(ours) / median(theirs)
