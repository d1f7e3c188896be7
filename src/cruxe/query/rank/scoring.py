"""From the table of signals to scores, and to the contributions that an explanation prints.

Every candidate is scored, few are shown. So points are plain numbers, and contributions are built
only for the regions that are looked at.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import inf, prod
from typing import Final, NamedTuple, overload

from cruxe.model.hits import (
    DIGITS,
    NEARLY_HALF,
    PARTS,
    Confidence,
    Contribution,
    SearchHit,
    rounded,
)
from cruxe.model.symbols import split_name
from cruxe.query.rank.policy import (
    AGREEING_SHARE,
    AGREEMENT_SHARE,
    ASKED_FOR_TESTS_SHARE,
    CERTAIN_CONFIDENCE,
    CERTAIN_SIGNALS,
    CHANNEL_SIGNALS,
    COVERAGE_SHARE,
    EVEN_SUM,
    NAMED_CONFIDENCE,
    OCCURRENCE_SHARE,
    PASTED_CONFIDENCE,
    PENALTIES,
    SCORE_SHARE,
    STALE_SHARE,
    STRONG_SCORE,
    UNKNOWN_SHARE,
)
from cruxe.query.rank.signals import Scales, SignalTable
from cruxe.query.retrieve.evidence import Candidates, FileEvidence, Values
from cruxe.query.understand.analysis import QueryAnalysis
from cruxe.text.paths import PathRole

# The most that rounding its twenty parts can change a score, ten times over.
MOST_ROUNDED: Final = 1e-4


class Budget(NamedTuple):
    """The range of points that a signal may give."""

    least: float
    most: float


Budgets = Mapping[str, Budget]
Points = tuple[str, float]  # of a signal or a penalty, as found


class FileScore(NamedTuple):
    """A candidate and its points of every signal."""

    file: FileEvidence
    points: list[Points]  # of signals, then of penalties; without zeros
    earned: float  # the score of the signals alone
    score: float  # after penalties


class FileScores:
    """The values of every signal for some candidates, and scores of them on demand."""

    def __init__(self, files: Candidates, scales: Scales, budgets: Budgets) -> None:
        """Compute the signals; those without values for this query are left out."""
        self._files = files
        self._scales = scales
        self._budgets = budgets
        self._kept = _KEPT[scales.analysis.says_test]
        self._names: list[str] = []
        self._weights: list[float] = []
        self._columns: list[Values] = []
        self._may_clamp = False  # a budget cuts what a signal gives to some file
        self._given: list[list[float]] = []  # the points of each signal, within its budget
        # The points of a name that ordinary code does not define: penalties take nothing of them.
        self._safe_names: Mapping[str, float] = scales.name_weights if scales.is_set_aside else {}
        for name, weight, signal, _, _ in scales.table.signals:
            if values := files.column(signal, scales):
                self._add(name, weight, values)
        self._sums = _sums_of(self._given, len(files.keys))
        safe = [
            each
            for each, name in zip(self._given, self._names, strict=True)
            if name in self._safe_names
        ]
        self._safe = _sums_of(safe, len(files.keys)) if self._safe_names else []
        self._known: dict[int, FileScore] = {}  # by index: later pages score the same files again
        self._penalties_whole = _penalties_whole(budgets)

    def _add(self, name: str, weight: float, values: Values) -> None:
        self._names.append(name)
        self._weights.append(weight)
        self._columns.append(values)
        given, budget = [weight * value for value in values], self._budgets.get(name)
        if budget is not None and (budget.least > 0.0 or max(given) > budget.most):
            self._may_clamp = True
            given = [raw and _clamped(raw, budget) for raw in given]
        self._given.append(given)

    def estimates(self) -> list[float]:
        """The scores of all files without rounding, wrong by less than `MOST_ROUNDED`.

        To round what every signal gives takes longer than to compute it, and matters for few.
        """
        files, most = self._files, self._scales.most
        if self._safe or max(self._sums, default=0.0) > self._penalties_whole:
            return [self._left(index) / most for index in range(len(files))]
        if files.evidence.path_matches:
            shares = [*map(self._share, range(len(files)))]
        else:
            shares = [*map(self._kept.__getitem__, [each.roles for each in files.facts])]
        return [points * share / most for points, share in zip(self._sums, shares, strict=True)]

    def _left(self, index: int) -> float:
        """The points of a file without rounding that penalties leave."""
        points, safe = self._sums[index], self._safe[index] if self._safe else 0.0
        share = self._share(index)
        if share < 1.0 and points > self._penalties_whole:
            return self._scored(index)[2] * self._scales.most
        return safe + (points - safe) * share

    def best(self, indexes: Sequence[int]) -> float:
        """The best score of some files; 0 of none."""
        left = [*map(self._left, indexes)]
        least = max(left, default=0.0) - MOST_ROUNDED * self._scales.most
        near = [index for own, index in zip(left, indexes, strict=True) if own > least]
        return max([self._scored(index)[2] for index in near], default=0.0)

    def at(self, indexes: Iterable[int]) -> list[FileScore]:
        """The scores of some files: the sum of their signals less penalties."""
        known, file_at = self._known, self._files.file_at
        wanted = [*indexes]
        self._files.look_up(index for index in wanted if index not in known)
        for index in wanted:
            if index not in known:
                points, earned, score = self._scored(index)
                known[index] = FileScore(
                    file=file_at(index), points=points, earned=earned, score=score
                )
        return [known[index] for index in wanted]

    def _share(self, index: int) -> float:
        """The share of a score that penalties leave; all of it for a path that the query names."""
        files = self._files
        is_named = files.keys[index] in files.evidence.path_matches
        return 1.0 if is_named else self._kept[files.facts[index].roles]

    def _scored(self, index: int) -> tuple[list[Points], float, float]:
        """The points of a file, its score by the signals, and its score after penalties."""
        most, budgets = self._scales.most, self._budgets
        points, total = exact_points(self._names, self._weights, self._columns, index, most)
        if self._may_clamp:
            clamped = [_clamped(raw, budgets.get(name)) for name, raw in points]
            total = float(sum_of_parts([each / most for each in clamped]))
        earned = score = max(0.0, total) / PARTS
        if self._share(index) == 1.0:  # as of most files
            return points, earned, score
        roles, says_test = self._files.facts[index].roles, self._scales.analysis.says_test
        safe = self._safe_share(points)
        for name, share in _penalties_of(roles, says_test=says_test):
            raw = -max(0.0, score - safe) * share * most
            points.append((name, raw))
            total += sum_of_parts([_clamped(raw, budgets.get(name)) / most])
            score = max(0.0, total) / PARTS
        return points, earned, score

    def _safe_share(self, points: list[Points]) -> float:
        """What of a score penalties leave alone: signals of a name, each within its budget."""
        names, budgets, most = self._safe_names, self._budgets, self._scales.most
        given = [_clamped(raw, budgets.get(name)) for name, raw in points if name in names]
        return sum(given) / most


def _penalties_whole(budgets: Budgets) -> float:
    """The points up to which no budget cuts a penalty."""
    penalised = [(budgets[name], share) for name, share in _SHARES.items() if name in budgets]
    if any(most < 0.0 for (_, most), _ in penalised):
        return 0.0
    return min([-least / share for (least, _), share in penalised], default=inf)


_SHARES: Final = {name: share for name, _, share in PENALTIES}


def _sums_of(columns: list[list[float]], count: int) -> list[float]:
    """The sums of columns of `count` numbers, by row."""
    sums = [0.0] * count
    for column in columns:
        sums = [so_far + points for so_far, points in zip(sums, column, strict=True)]
    return sums


def exact_points(
    names: list[str], weights: list[float], columns: list[Values], index: int, most: float
) -> tuple[list[Points], float]:
    """What each signal gives a file, where it gives anything, and its score in millionths.

    Every part of the score is rounded; they are whole numbers, so their sum is exact.
    """
    columned = zip(names, weights, columns, strict=True)
    given = ((name, weight * values[index]) for name, weight, values in columned)
    points = [(name, raw) for name, raw in given if raw]
    return points, float(sum_of_parts([raw / most for _, raw in points]))


def sum_of_parts(values: Iterable[float]) -> int:
    """Return the sum of rounded values in millionths: integers, so the sum is exact."""
    total = 0
    for value in values:
        product = value * PARTS
        whole = round(product)
        is_sure = abs(product - whole) < NEARLY_HALF
        total += whole if is_sure else round(round(value, DIGITS) * PARTS)
    return total


def score_files(files: Candidates, scales: Scales, budgets: Budgets) -> list[FileScore]:
    """The scores of all files."""
    return FileScores(files, scales, budgets).at(range(len(files)))


class Contributions(Sequence[Contribution]):
    """Points as an explanation prints them, built on demand."""

    def __init__(self, points: Sequence[Points], most: float, budgets: Budgets) -> None:
        """Take the points of a score, the most points there are, and the budgets."""
        self._points = points
        self._most = most
        self._budgets = budgets

    @cached_property
    def _made(self) -> tuple[Contribution, ...]:
        return tuple(
            _contribution(name, raw, self._most, self._budgets) for name, raw in self._points
        )

    def __len__(self) -> int:
        """The number of contributions."""
        return len(self._points)

    @overload
    def __getitem__(self, index: int) -> Contribution: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Contribution]: ...

    def __getitem__(self, index: int | slice) -> Contribution | Sequence[Contribution]:
        """One or some of them."""
        return self._made[index]


def changed(
    points: tuple[Points, ...], score: float, change: Points, most: float
) -> tuple[tuple[Points, ...], float]:
    """Points and their score after a change, which is given on the scale of the score."""
    name, by = change
    left = rounded(score + rounded(by * most / most))
    return (*points, (name, by * most)), max(0.0, left)


class _KeptShares(dict[frozenset[PathRole], float]):
    """The share of a score that penalties leave, by path roles."""

    def __init__(self, *, says_test: bool) -> None:
        super().__init__()
        self._says_test = says_test

    def __missing__(self, roles: frozenset[PathRole]) -> float:
        penalties = _penalties_of(roles, says_test=self._says_test)
        kept = self[roles] = prod([1 - share for _, share in penalties])
        return kept


def kept_share(roles: frozenset[PathRole], *, says_test: bool) -> float:
    """The share of a score that penalties leave to a file of some roles."""
    return _KEPT[says_test][roles]


_KEPT: Final = {says_test: _KeptShares(says_test=says_test) for says_test in (False, True)}


@lru_cache(maxsize=1 << 8)
def _penalties_of(roles: frozenset[PathRole], *, says_test: bool) -> Sequence[Points]:
    """The shares that path roles cost; a query that asks for tests eases theirs."""
    eased = PathRole.TEST if says_test else None
    return [
        (name, share * ASKED_FOR_TESTS_SHARE if role is eased else share)
        for name, role, share in PENALTIES
        if role in roles
    ]


def _clamped(raw: float, budget: Budget | None) -> float:
    if budget is None or budget.least <= raw <= budget.most:
        return raw
    return min(max(raw, budget.least), budget.most)


def _contribution(name: str, raw: float, most: float, budgets: Budgets) -> Contribution:
    clamped, figure = _clamped(raw, budgets.get(name)), rounded(raw)
    in_budget = figure if clamped == raw else rounded(clamped)
    effective = rounded(clamped / most)
    return Contribution(signal=name, raw=figure, clamped=in_budget, effective=effective)


_DIGITS: Final = 6


class Findings(NamedTuple):
    """What an answer is judged by, beside its hits."""

    coverage: float  # the share of the query's words in the first hit
    occurrence: float  # the share of the query's words that occur in the ref
    is_pasted: bool = False  # the query is a pasted text, of which some part may be unknown
    names: int = 0  # identifiers in the query
    unknown: int = 0  # of these, those that the ref lacks
    is_stale: bool = False

    @property
    def is_about_nothing(self) -> bool:
        """Whether the ref lacks what the query names: any of it, of a pasted text all."""
        return self.unknown > 0 and (not self.is_pasted or self.unknown == self.names)


def judge(
    hits: Sequence[SearchHit], analysis: QueryAnalysis, findings: Findings, table: SignalTable
) -> Confidence:
    """Judge an answer by its first hits."""
    if not hits:
        return Confidence(
            value=0.0, top_score=0.0, score_margin=0.0, channel_agreement=0.0, term_coverage=0.0
        )
    top = hits[0]
    margin = top.score - hits[1].score if len(hits) > 1 else top.score
    agreement = _agreement(top, table)
    value = 1.0 if is_perfect(top, analysis) else _value(top, findings, agreement)
    if any(is_perfect(hit, analysis) for hit in hits[1:]):
        value = max(value, NAMED_CONFIDENCE)
    if findings.is_about_nothing:
        value *= UNKNOWN_SHARE
    if findings.is_stale:
        value *= STALE_SHARE
    return Confidence(
        value=round(value, _DIGITS),
        top_score=round(top.score, _DIGITS),
        score_margin=round(margin, _DIGITS),
        # One channel alone agrees with nothing.
        channel_agreement=round(agreement, _DIGITS) if table.has_meaning else 0.0,
        term_coverage=round(findings.coverage, _DIGITS),
    )


def is_perfect(hit: SearchHit, analysis: QueryAnalysis) -> bool:
    """Whether a hit is the very definition or file that the query consists of, if of anything."""
    if not analysis.raw.strip():
        return True
    asked = analysis.names[0] if analysis.is_name and analysis.names else ""
    if asked and hit.symbol is not None:
        parts, own = split_name(asked), split_name(hit.symbol.qualified_name)
        if asked in (hit.symbol.name, hit.symbol.qualified_name) or own[-len(parts) :] == parts:
            return True
    paths = analysis.paths if analysis.is_path else ()
    return any(f"/{hit.path}".endswith(f"/{path}") for path in paths)


def _value(top: SearchHit, findings: Findings, agreement: float) -> float:
    value = _scaled(
        COVERAGE_SHARE * findings.coverage
        + OCCURRENCE_SHARE * findings.occurrence
        + SCORE_SHARE * min(1.0, top.score / STRONG_SCORE)
        + AGREEMENT_SHARE * agreement
    )
    if any(each.signal in CERTAIN_SIGNALS for each in top.contributions):
        value = max(value, CERTAIN_CONFIDENCE)
    if findings.is_pasted and findings.unknown < findings.names:
        value = max(value, PASTED_CONFIDENCE)
    return value


def _scaled(value: float) -> float:
    """Scale a sum in 0 to 1 so that `EVEN_SUM` becomes one half; 0 and 1 stay."""
    if value < EVEN_SUM:
        return value / EVEN_SUM / 2
    return 1 - (1 - value) / (1 - EVEN_SUM) / 2


def _agreement(hit: SearchHit, table: SignalTable) -> float:
    """The share of the channels that clearly support a hit."""
    channels = [signal for signal in table.signals if signal.name in CHANNEL_SIGNALS]
    given = {each.signal: each.clamped for each in hit.contributions}
    if all(each.name != "bm25_rank" for each in channels):  # by a fusion without ranks
        channels += [signal for signal in table.signals if signal.name == "bm25"]
    agreeing = [
        each for each in channels if given.get(each.name, 0.0) >= AGREEING_SHARE * each.weight
    ]
    return len(agreeing) / len(channels)
