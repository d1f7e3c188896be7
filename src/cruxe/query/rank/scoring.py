"""From the table of signals to scores, and to the contributions that an explanation prints.

Every candidate is scored, few are shown. So what the signals give is kept as bare points, and
contributions are made of them for those regions alone that someone looks at.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import prod
from typing import Final, NamedTuple, overload

from cruxe.model.hits import Contribution
from cruxe.model.rounding import PARTS, parts_of, rounded
from cruxe.native import kernels
from cruxe.query.rank.path_roles import PlaceKind
from cruxe.query.rank.signals import PENALTIES, Scales, SignalTable, Values
from cruxe.query.retrieve.candidates import Candidates, FileEvidence

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
        self._kept = _KEPT[scales.analysis.says_test]
        self._names: list[str] = []
        self._weights: list[float] = []
        self._columns: list[Values] = []
        for name, weight, signal, _, _ in scales.table.signals:
            if values := files.column(signal, scales):
                self._names.append(name)
                self._weights.append(weight)
                self._columns.append(values)
        self._sums = weighted_sums(self._columns, self._weights, len(files.keys))
        self._known: dict[int, FileScore] = {}  # by place: who looks further looks at them again
        self._may_clamp = _may_clamp(scales.table, budgets, max(self._sums, default=0.0))

    def estimates(self) -> list[float]:
        """What files score but for rounding.

        By less than `MOST_ROUNDED` it is wrong. To round what every signal gives takes longer than
        to find it, and matters for few.
        """
        files, most = self._files, self._scales.most
        if self._may_clamp:
            return [self._scored(place)[2] for place in range(len(files))]
        if files.evidence.path_matches:
            shares = [*map(self._share, range(len(files)))]
        else:
            shares = [*map(self._kept.__getitem__, [place.kinds for place in files.places])]
        return [points * share / most for points, share in zip(self._sums, shares, strict=True)]

    def best(self, places: Sequence[int]) -> float:
        """The best score of some files by their places; nothing is none."""
        if not self._may_clamp:
            left = [self._sums[place] * self._share(place) for place in places]
            least = max(left, default=0.0) - MOST_ROUNDED * self._scales.most
            places = [place for own, place in zip(left, places, strict=True) if own > least]
        return max([self._scored(place)[2] for place in places], default=0.0)

    def at(self, places: Iterable[int]) -> list[FileScore]:
        """The scores of some files by their places: what signals give, less what places cost."""
        known, file_at = self._known, self._files.file_at
        wanted = [*places]
        for place in wanted:
            if place not in known:
                known[place] = FileScore(file_at(place), *self._scored(place))
        return [known[place] for place in wanted]

    def _share(self, place: int) -> float:
        """What its place leaves of a score; a file that was asked for by its path pays nothing."""
        files = self._files
        is_named = files.keys[place] in files.evidence.path_matches
        return 1.0 if is_named else self._kept[files.places[place].kinds]

    def _scored(self, place: int) -> tuple[list[Points], float, float]:
        """The points of a file, what the signals come to, and what is left of it."""
        most, budgets = self._scales.most, self._budgets
        points, total = exact_points(self._names, self._weights, self._columns, place, most)
        if self._may_clamp:
            clamped = [_clamped(raw, budgets.get(name)) for name, raw in points]
            total = float(sum([parts_of(each / most) for each in clamped]))
        earned = score = max(0.0, total) / PARTS
        if self._share(place) == 1.0:  # as most do
            return points, earned, score
        kinds, says_test = self._files.places[place].kinds, self._scales.analysis.says_test
        for name, share in _costs(kinds, says_test=says_test):
            raw = -score * share * most
            points.append((name, raw))
            total += parts_of(_clamped(raw, budgets.get(name)) / most)
            score = max(0.0, total) / PARTS
        return points, earned, score


def _may_clamp(table: SignalTable, budgets: Budgets, points: float) -> bool:
    """Whether a budget leaves out some of what its signal gives, or of what a place costs.

    No file has more points than told.
    """
    for name, (least, most) in budgets.items():
        weight, share = table.weights.get(name), _SHARES.get(name)
        if weight is not None and (least > 0.0 or most < weight):
            return True
        if share is not None and (least > -points * share or most < 0.0):
            return True
    return False


_SHARES: Final = {name: share for name, _, share in PENALTIES}


def weighted_sums(columns: list[Sequence[float]], weights: list[float], count: int) -> list[float]:
    """The sums of columns of so many numbers, each weighed."""
    in_c = kernels()
    if in_c is not None:
        return in_c.weighted_sums(columns, weights, count)
    sums = [0.0] * count
    for column, weight in zip(columns, weights, strict=True):
        sums = [so_far + weight * value for so_far, value in zip(sums, column, strict=True)]
    return sums


def exact_points(
    names: list[str], weights: list[float], columns: list[Values], place: int, most: float
) -> tuple[list[Points], float]:
    """What each signal gives a file, where it gives anything, and its score in millionths.

    Every part of the score is rounded; they are whole numbers, so their sum is exact.
    """
    in_c = kernels()
    if in_c is not None:
        return in_c.exact_points(names, weights, columns, place, most)
    points: list[Points] = []
    total = 0
    for name, weight, values in zip(names, weights, columns, strict=True):
        if raw := weight * values[place]:
            points.append((name, raw))
            total += parts_of(raw / most)
    return points, float(total)


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
    """What places leave of a score, by their kinds, of which there are few."""

    def __init__(self, *, says_test: bool) -> None:
        super().__init__()
        self._says_test = says_test

    def __missing__(self, kinds: frozenset[PlaceKind]) -> float:
        costs = _costs(kinds, says_test=self._says_test)
        kept = self[kinds] = prod([1 - share for _, share in costs])
        return kept


_KEPT: Final = {says_test: _KeptShares(says_test=says_test) for says_test in (False, True)}


@lru_cache(maxsize=1 << 8)
def _costs(kinds: frozenset[PlaceKind], *, says_test: bool) -> Sequence[Points]:
    """The shares that a place costs; who asks for tests pays less for them."""
    eased = PlaceKind.TEST if says_test else None
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
