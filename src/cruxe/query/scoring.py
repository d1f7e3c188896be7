"""From the table of signals to scores, and to the contributions that an explanation prints.

Every candidate is scored, few are shown. So what the signals give is kept as bare points, and
contributions are made of them for those regions alone that someone looks at.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import count
from math import prod
from operator import itemgetter
from typing import Final, overload

from cruxe.model.hits import Contribution
from cruxe.model.named import NamedTuple
from cruxe.model.rounding import PARTS, parts_of, rounded
from cruxe.query.analysis import QueryAnalysis
from cruxe.query.evidence import FileEvidence
from cruxe.query.places import PlaceKind
from cruxe.query.signals import PENALTIES, Files, Scales

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


class FileScores:
    """What every signal says of some candidates: looked up once, made into scores where asked."""

    def __init__(self, files: Files, scales: Scales, budgets: Budgets) -> None:
        """Ask the signals; one that says nothing about this query is left out."""
        self._files = files
        self._scales = scales
        self._budgets = budgets
        signals = scales.table.signals
        found = [(name, weight, values(files, scales)) for name, weight, values, _, _ in signals]
        self._columns = [column for column in found if column[2]]

    def estimated(self) -> list[tuple[float, int]]:
        """What files score but for rounding, best first, each with its place among them.

        By less than `MOST_ROUNDED` it is wrong. To round what every signal gives takes longer than
        to find it, and matters for few.
        """
        sums = [0.0] * len(self._files)
        for _, weight, values in self._columns:
            sums = [so_far + weight * value for so_far, value in zip(sums, values, strict=True)]
        if _may_clamp(self._budgets, self._scales, max(sums, default=0.0)):
            left = [each.score for each in self.at(range(len(self._files)))]
        else:
            kept, most = _KeptShares(self._scales.analysis), self._scales.most
            shares = [1.0 if each.path_match else kept[each.place.kinds] for each in self._files]
            left = [points * share / most for points, share in zip(sums, shares, strict=True)]
        return sorted(zip(left, count()), key=itemgetter(0), reverse=True)

    def best(self) -> float:
        """The best score; nothing is none."""
        estimated = self.estimated()
        least = estimated[0][0] - MOST_ROUNDED if estimated else 0.0
        first = [place for estimate, place in estimated if estimate > least]
        return max([each.score for each in self.at(first)], default=0.0)

    def at(self, places: Iterable[int]) -> list[FileScore]:
        """The scores of some files by their places: what signals give, less what places cost."""
        return [
            _score(
                self._files[place],
                [(name, weight * values[place]) for name, weight, values in self._columns],
                self._scales,
                self._budgets,
            )
            for place in places
        ]


def score_files(files: Files, scales: Scales, budgets: Budgets) -> list[FileScore]:
    """What every signal gives files, less what their places cost."""
    return FileScores(files, scales, budgets).at(range(len(files)))


def _score(each: FileEvidence, found: list[Points], scales: Scales, budgets: Budgets) -> FileScore:
    most, total = scales.most, 0
    points = [(name, raw) for name, raw in found if raw]
    for name, raw in points:
        total += parts_of(_clamped(raw, budgets.get(name)) / most)
    earned = score = max(0, total) / PARTS
    # One that was asked for by its path pays nothing.
    costs = () if each.path_match else _costs(each.place.kinds, scales.analysis)
    for name, share in costs:
        raw = -score * share * most
        points.append((name, raw))
        total += parts_of(_clamped(raw, budgets.get(name)) / most)
        score = max(0, total) / PARTS
    return FileScore(each, points, earned, score)


class Contributions(Sequence[Contribution]):
    """Points as an explanation prints them, made of them once someone looks."""

    def __init__(self, points: Sequence[Points], most: float, budgets: Budgets) -> None:
        """Take the points of a score, and what there is to be had."""
        self._points = points
        self._most = most
        self._budgets = budgets

    @cached_property
    def _made(self) -> tuple[Contribution, ...]:
        return tuple(
            _contribution(name, raw, self._most, self._budgets) for name, raw in self._points
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self._points)

    @overload
    def __getitem__(self, place: int) -> Contribution: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Contribution]: ...

    def __getitem__(self, place: int | slice) -> Contribution | Sequence[Contribution]:
        """Some of them."""
        return self._made[place]


def changed(
    points: tuple[Points, ...], score: float, change: Points, most: float
) -> tuple[tuple[Points, ...], float]:
    """Points and their score after a change that is told on the scale of the score."""
    name, by = change
    left = rounded(score + rounded(by * most / most))
    return (*points, (name, by * most)), max(0.0, left)


def _may_clamp(budgets: Budgets, scales: Scales, points: float) -> bool:
    """Whether a budget leaves out some of what its signal gives, or a penalty of so many points."""
    most = {name: weight for name, weight, *_ in scales.table.signals}
    least = {name: -points * share for name, _, share in PENALTIES}
    return any(
        budget.least > least.get(name, 0.0) or budget.most < most.get(name, 0.0)
        for name, budget in budgets.items()
        if name in most or name in least
    )


class _KeptShares(dict[frozenset[PlaceKind], float]):
    """What places leave of a score; many files are in places of the same kinds."""

    def __init__(self, analysis: QueryAnalysis) -> None:
        super().__init__()
        self._analysis = analysis

    def __missing__(self, kinds: frozenset[PlaceKind]) -> float:
        kept = self[kinds] = prod([1 - share for _, share in _costs(kinds, self._analysis)])
        return kept


def _costs(kinds: frozenset[PlaceKind], analysis: QueryAnalysis) -> Sequence[Points]:
    """The shares that a place costs; who asks for tests pays less for them."""
    eased = PlaceKind.TEST if analysis.says_test else None
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
    clamped, figure = _clamped(raw, budgets.get(name)), rounded(raw)
    in_budget = figure if clamped == raw else rounded(clamped)
    return Contribution(name, figure, in_budget, rounded(clamped / most))
