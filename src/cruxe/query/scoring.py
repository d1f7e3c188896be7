"""From the table of signals to scores, and to the contributions that an explanation prints.

Every candidate is scored, few are shown. So what the signals give is kept as bare points, and
contributions are made of them for those regions alone that someone looks at.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Final

from cruxe.model.hits import Contribution
from cruxe.model.named import NamedTuple
from cruxe.model.rounding import PARTS, parts_of, rounded
from cruxe.query.evidence import FileEvidence
from cruxe.query.places import PlaceKind, place_kinds
from cruxe.query.signals import PENALTIES, Scales

# How far a score can be from what it is before its twenty parts are rounded, ten times over.
MOST_ROUNDED: Final = 1e-4
# Whoever asks for tests gets them; they are still less often meant than the code they test.
_ASKED_FOR_TESTS: Final = 0.3


class Budget(NamedTuple):
    """The points within which a signal stays."""

    least: float
    most: float


Budgets = Mapping[str, Budget]
Points = tuple[str, float]  # of a signal or a penalty, as found


class FileScore(NamedTuple):
    """A candidate and what it has of every signal."""

    file: FileEvidence
    points: list[Points]  # of signals and then of penalties; those that say nothing are left out
    earned: float  # what the signals come to
    score: float  # and what is left of it


def score_file(each: FileEvidence, scales: Scales, budgets: Budgets) -> FileScore:
    """What every signal gives a file, less what its place costs."""
    most, total = scales.most, 0
    points: list[Points] = []
    for name, weight, value, _, _ in scales.table.signals:
        raw = weight * value(each, scales)
        if raw:
            points.append((name, raw))
            total += parts_of(_clamped(raw, budgets.get(name)) / most)
    earned = score = max(0, total) / PARTS
    for name, share in _costs(each, scales):
        raw = -score * share * most
        points.append((name, raw))
        total += parts_of(_clamped(raw, budgets.get(name)) / most)
        score = max(0, total) / PARTS
    return FileScore(each, points, earned, score)


def estimate_scores(
    files: Iterable[FileEvidence], scales: Scales, budgets: Budgets
) -> list[tuple[float, FileEvidence]]:
    """What files score but for rounding, best first; by less than `MOST_ROUNDED` it is wrong.

    To round what every signal gives takes longer than to find it, and matters for few.
    """
    if _may_clamp(budgets, scales):
        estimated = [(score_file(each, scales, budgets).score, each) for each in files]
    else:
        rows = [(weight, value) for _, weight, value, _, _ in scales.table.signals]
        estimated = [
            (sum([weight * value(each, scales) for weight, value in rows]), each) for each in files
        ]
        estimated = [(_left_of(raw, each, scales, budgets), each) for raw, each in estimated]
    return sorted(estimated, key=itemgetter(0), reverse=True)


def contributions_of(
    points: Iterable[Points], most: float, budgets: Budgets
) -> tuple[Contribution, ...]:
    """Points as an explanation prints them."""
    return tuple(_contribution(name, raw, most, budgets) for name, raw in points)


def changed(
    points: tuple[Points, ...], score: float, change: Points, most: float
) -> tuple[tuple[Points, ...], float]:
    """Points and their score after a change that is told on the scale of the score."""
    name, by = change
    left = rounded(score + rounded(by * most / most))
    return (*points, (name, by * most)), max(0.0, left)


def _may_clamp(budgets: Budgets, scales: Scales) -> bool:
    """Whether a budget leaves out some of what its signal can give."""
    weights = {name: weight for name, weight, *_ in scales.table.signals if name in budgets}
    return any(budgets[name].least > 0 or budgets[name].most < weights[name] for name in weights)


def _left_of(points: float, each: FileEvidence, scales: Scales, budgets: Budgets) -> float:
    """A score, not rounded: the points of all signals less what the file's place costs."""
    for name, share in _costs(each, scales):
        points += _clamped(-points * share, budgets.get(name))
    return points / scales.most


def _costs(each: FileEvidence, scales: Scales) -> Sequence[tuple[str, float]]:
    """The shares that a file's place costs; one that was asked for by its path pays nothing."""
    kinds = place_kinds(each.path, each.language)
    if not kinds or each.path_match:
        return ()
    eased = PlaceKind.TEST if scales.analysis.says_test else None
    return [
        (name, share * _ASKED_FOR_TESTS if kind is eased else share)
        for name, kind, share in PENALTIES
        if kind in kinds
    ]


def _clamped(raw: float, budget: Budget | None) -> float:
    if budget is None or budget.least <= raw <= budget.most:
        return raw
    return min(max(raw, budget.least), budget.most)


def _contribution(name: str, raw: float, most: float, budgets: Budgets) -> Contribution:
    clamped = _clamped(raw, budgets.get(name))
    return Contribution(name, rounded(raw), rounded(clamped), rounded(clamped / most))
