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


class Verdict(StrEnum):
    """Whether a figure is within its bar."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    FAIL = "FAIL"
    NO_BAR = ""


class Figure(msgspec.Struct, frozen=True):
    """One measured value; without a bar it only tells."""

    name: str
    value: float
    unit: Unit
    bar: float | None = None  # the highest value that passes

    @property
    def verdict(self) -> Verdict:
        """Judge the value by its bar."""
        if self.bar is None:
            return Verdict.NO_BAR
        return Verdict.PASS if self.value <= self.bar else Verdict.FAIL


class Measured(NamedTuple):
    """What a suite found on one corpus; a note says why where it found nothing."""

    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()  # whole sentences
    tables: tuple[str, ...] = ()  # what figures cannot say, in Markdown


class CorpusResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of one corpus: all of it was measured in one run."""

    corpus: str
    figures: tuple[Figure, ...]
    notes: tuple[str, ...]
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


def how_often(number: int) -> str:
    """Say how often."""
    return "measured once" if number == 1 else f"median of {number}"


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """How many times the median of the others the median of ours is."""
    return median(ours) / median(theirs)
