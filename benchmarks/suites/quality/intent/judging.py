"""How right and how honest readings are: shares, calibration error, confusion matrices."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

_BINS: Final = 10


class Judged(NamedTuple):
    """One view of the reading of a labelled query."""

    right: StrEnum
    read: StrEnum
    confidence: float

    @property
    def is_right(self) -> bool:
        """Whether the reading is the label."""
        return self.right is self.read


def wrong_share(judged: Sequence[Judged]) -> float:
    """How many readings are wrong, of all."""
    return sum(not each.is_right for each in judged) / len(judged)


def calibration_error(judged: Sequence[Judged]) -> float:
    """How far confidence is from being right, on average over ten bins of confidence."""
    bins: dict[int, list[Judged]] = {}
    for each in judged:
        bins.setdefault(min(_BINS - 1, int(each.confidence * _BINS)), []).append(each)
    return sum(abs(_excess(held)) for held in bins.values()) / len(judged)


def _excess(judged: list[Judged]) -> float:
    return sum(each.confidence - each.is_right for each in judged)


def confusion_table(name: str, judged: Sequence[Judged], choices: Sequence[StrEnum]) -> str:
    """The confusion matrix in Markdown: labels down, readings across."""
    counts = Counter((each.right, each.read) for each in judged)
    lines = [
        [f"{name}: labelled", *(f"read as {choice}" for choice in choices), "found"],
        ["---", *("---:" for _ in choices), "---:"],
        *([right, *_row(right, counts, choices)] for right in choices),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(
    right: StrEnum, counts: Counter[tuple[StrEnum, StrEnum]], choices: Sequence[StrEnum]
) -> list[str]:
    numbers = [counts[right, choice] for choice in choices]
    total = sum(numbers)
    return [*map(str, numbers), f"{counts[right, right] / total:.0%}" if total else ""]
