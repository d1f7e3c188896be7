"""From the table of signals to scores, and to the contributions that an explanation prints.

Every candidate is scored, few are shown. So what the signals give is kept as bare points, and
contributions are made of them for those regions alone that someone looks at.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from cruxe.model.hits import Contribution
from cruxe.model.named import NamedTuple
from cruxe.query.evidence import FileEvidence
from cruxe.query.places import PlaceKind, place_kinds
from cruxe.query.signals import PENALTIES, Scales

# Digits that a score keeps: enough to order by, few enough to be the same on every machine.
_DIGITS: Final = 6
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
    most, points, total = scales.most, [], 0.0
    for name, weight, value, _, _ in scales.table.signals:
        raw = weight * value(each, scales)
        if raw:
            points.append((name, raw))
            total += _effective(name, raw, most, budgets)
    earned = score = _shown(total)
    for name, share in _penalties(each, scales):
        raw = -score * share * most
        points.append((name, raw))
        total += _effective(name, raw, most, budgets)
        score = _shown(total)
    return FileScore(each, points, earned, score)


def contributions_of(
    points: Iterable[Points], most: float, budgets: Budgets
) -> tuple[Contribution, ...]:
    """Points as an explanation prints them."""
    return tuple(_contribution(name, raw, most, budgets) for name, raw in points)


def taken_into_account(name: str, change: float, most: float) -> Contribution:
    """A contribution that changes a score by so much, whatever any budget says."""
    return _contribution(name, change * most, most, {})


def score_of(contributions: Iterable[Contribution]) -> float:
    """The score is the sum of what is printed."""
    return _shown(sum(each.effective for each in contributions))


def _penalties(each: FileEvidence, scales: Scales) -> Iterable[Points]:
    """The shares that a file's place costs; one that was asked for by its path pays nothing."""
    kinds = place_kinds(each.path, each.language)
    if not kinds or each.path_match:
        return
    for name, kind, share in PENALTIES:
        if kind in kinds:
            is_asked_for = kind is PlaceKind.TEST and scales.analysis.says_test
            yield name, share * (_ASKED_FOR_TESTS if is_asked_for else 1.0)


def _shown(total: float) -> float:
    return max(0.0, round(total, _DIGITS))


def _effective(name: str, raw: float, most: float, budgets: Budgets) -> float:
    """Points within the budget of their signal, on the scale of a score."""
    return round(_clamped(name, raw, budgets) / most, _DIGITS)


def _clamped(name: str, raw: float, budgets: Budgets) -> float:
    budget = budgets.get(name)
    return raw if budget is None else min(max(raw, budget.least), budget.most)


def _contribution(name: str, raw: float, most: float, budgets: Budgets) -> Contribution:
    clamped = round(_clamped(name, raw, budgets), _DIGITS)
    return Contribution(name, round(raw, _DIGITS), clamped, _effective(name, raw, most, budgets))
