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
from cruxe.query.candidates import Candidates, FileEvidence
from cruxe.query.places import PlaceKind
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


class FileScores:
    """What every signal says of some candidates: looked up once, made into scores where asked."""

    def __init__(self, files: Candidates, scales: Scales, budgets: Budgets) -> None:
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
        return sorted(zip(self._estimates, count()), key=itemgetter(0), reverse=True)

    def best(self, places: Sequence[int]) -> float:
        """The best score of some files by their places; nothing is none."""
        estimates = self._estimates
        least = max([estimates[place] for place in places], default=0.0) - MOST_ROUNDED
        first = [place for place in places if estimates[place] > least]
        return max([self._scored(place)[2] for place in first], default=0.0)

    def at(self, places: Iterable[int]) -> list[FileScore]:
        """The scores of some files by their places: what signals give, less what places cost."""
        return [FileScore(self._files.file_at(place), *self._scored(place)) for place in places]

    @cached_property
    def _estimates(self) -> list[float]:
        if self._may_clamp:
            return [self._scored(place)[2] for place in range(len(self._files))]
        most = self._scales.most
        return [
            points * share / most for points, share in zip(self._sums, self._shares, strict=True)
        ]

    @cached_property
    def _sums(self) -> list[float]:
        """The points of signals."""
        sums = [0.0] * len(self._files)
        for _, weight, values in self._columns:
            sums = [so_far + weight * value for so_far, value in zip(sums, values, strict=True)]
        return sums

    @cached_property
    def _may_clamp(self) -> bool:
        """Whether a budget leaves out some of what its signal gives, or of what a place costs."""
        points, budgets = max(self._sums, default=0.0), self._budgets
        limits = [(name, 0.0, weight) for name, weight, *_ in self._scales.table.signals]
        limits += [(name, -points * share, 0.0) for name, _, share in PENALTIES]
        return any(
            budget.least > least or budget.most < most
            for name, least, most in limits
            if (budget := budgets.get(name)) is not None
        )

    @cached_property
    def _shares(self) -> list[float]:
        """What places leave of a score; one that was asked for by its path pays nothing."""
        kept, named = _KeptShares(self._scales.analysis), self._files.evidence.path_matches
        shares = [kept[place.kinds] for place in self._files.places]
        if named:
            found = zip(self._files.keys, shares, strict=True)
            shares = [1.0 if key in named else share for key, share in found]
        return shares

    def _scored(self, place: int) -> tuple[list[Points], float, float]:
        """The points of a file, what the signals come to, and what is left of it."""
        points = [(name, weight * values[place]) for name, weight, values in self._columns]
        points = [each for each in points if each[1]]
        total = self._parts(points)
        earned = score = max(0, total) / PARTS
        if self._shares[place] == 1.0:  # as most do
            return points, earned, score
        for name, share in _costs(self._files.places[place].kinds, self._scales.analysis):
            cost = name, -score * share * self._scales.most
            points.append(cost)
            total += self._parts([cost])
            score = max(0, total) / PARTS
        return points, earned, score

    def _parts(self, points: list[Points]) -> int:
        """What points come to within their budgets, in millionths of a score."""
        most = self._scales.most
        if self._may_clamp:
            points = [(name, _clamped(raw, self._budgets.get(name))) for name, raw in points]
        return sum([parts_of(raw / most) for _, raw in points])


def score_files(files: Candidates, scales: Scales, budgets: Budgets) -> list[FileScore]:
    """What every signal gives files, less what their places cost."""
    return FileScores(files, scales, budgets).at(range(len(files)))


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
