"""The hard limit on an answer's size: what does not fit is left off at the end, never an error."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from cruxe.model.levels import ResultCompleteness
from cruxe.respond.search_results import omit_field

if TYPE_CHECKING:
    from cruxe.contract.result_parts import Bundles, MetadataBlock, SuggestedAction
    from cruxe.contract.results import LocateSymbolResult, SearchCodeResult

# In this order the fields of a result that is too big by itself are given up; its reasons go
# before the last.
_GIVEN_UP: Final = ("body_preview", "snippet", "related_symbols", "parent", "also_at")
_LAST_GIVEN_UP: Final = "signature"
# Of what Python writes as one character JSON needs four bytes at most.
_MOST_BYTES_PER_CHARACTER: Final = 4

_Item = TypeVar("_Item")
_Result = TypeVar("_Result", bound=Mapping[str, object])
_Reason = TypeVar("_Reason", bound=Mapping[str, object])
MakeBundles = Callable[[int], "Bundles"]  # of the first results, as many as the number says


class Fitted(NamedTuple, Generic[_Result, _Reason]):
    """The results that fit, each with its reason if there are reasons."""

    results: list[_Result]
    reasons: list[_Reason]


def size_of(answer: object) -> int:
    """The bytes of an answer as it is sent."""
    from json import dumps

    return len(dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())


def is_over(answer: Mapping[str, object], max_bytes: int) -> bool:
    """Whether an answer is too big; one that cannot be is not encoded at all."""
    if len(repr(answer)) * _MOST_BYTES_PER_CHARACTER <= max_bytes:
        return False
    return size_of(answer) > max_bytes


def cut_located(
    answer: "LocateSymbolResult", actions: "list[SuggestedAction]", max_bytes: int
) -> int:
    """Cut an answer that is over the hard limit, mark it so, and return how many results it has."""
    results, reasons = answer["results"], answer["metadata"].get("ranking_reasons", [])
    answer["suggested_next_actions"], answer["results"] = actions, []
    mark_cut(answer["metadata"])
    if reasons:
        answer["metadata"]["ranking_reasons"] = []
    fitted = fit_results(results, max_bytes - size_of(answer), reasons)
    answer["results"] = fitted.results
    if reasons:
        answer["metadata"]["ranking_reasons"] = fitted.reasons
    return len(fitted.results)


def cut_found(
    answer: "SearchCodeResult",
    actions: "list[SuggestedAction]",
    max_bytes: int,
    make_bundles: MakeBundles | None = None,
) -> int:
    """Cut an answer that is over the hard limit, mark it so, and return how many results it has.

    The bundles are those of the results that are left. They are left out if there is no room for
    them beside the first result.
    """
    results, reasons = answer["results"], answer["metadata"].get("ranking_reasons", [])
    answer["suggested_next_actions"], answer["results"] = actions, []
    mark_cut(answer["metadata"])
    if reasons:
        answer["metadata"]["ranking_reasons"] = []
    if size_of(answer) > max_bytes // 2:
        answer.pop("stats", None)  # rather than the results
    if make_bundles is not None:
        answer["bundles"] = make_bundles(0)
    growth = _no_growth if make_bundles is None else _growth(make_bundles)
    fitted = fit_results(results, max_bytes - size_of(answer), reasons, growth)
    answer["results"] = fitted.results
    if reasons:
        answer["metadata"]["ranking_reasons"] = fitted.reasons
    if make_bundles is not None:
        answer["bundles"] = make_bundles(len(fitted.results))
        if size_of(answer) > max_bytes:
            del answer["bundles"]
    return len(fitted.results)


def mark_cut(metadata: "MetadataBlock") -> None:
    """Say that the hard limit left something out."""
    metadata["result_completeness"] = ResultCompleteness.TRUNCATED
    metadata["safety_limit_applied"] = True


class Shortening:
    """Keeps an answer without ranked results to the hard limit.

    Its lists and tables are given one after the other, the least important first. Each loses its
    last items, in place, until the answer fits.
    """

    def __init__(
        self, answer: Mapping[str, object], metadata: "MetadataBlock", max_bytes: int
    ) -> None:
        """Look at the size; `metadata` is that of the answer, and says so if it is too big."""
        self._answer = answer
        self._max_bytes = max_bytes
        self._is_over = is_over(answer, max_bytes)
        if self._is_over:
            mark_cut(metadata)

    def cut_list(self, items: list[_Item]) -> None:
        """Remove the last items of a list that is part of the answer."""
        whole = items.copy()

        def keep(count: int) -> None:
            items[:] = whole[:count]

        self._cut(len(whole), keep)

    def cut_table(self, table: dict[str, _Item]) -> None:
        """Remove the last entries of a table that is part of the answer."""
        whole = list(table.items())

        def keep(count: int) -> None:
            table.clear()
            table.update(whole[:count])

        self._cut(len(whole), keep)

    def _cut(self, length: int, keep: Callable[[int], None]) -> None:
        """Keep as much as fits, maybe nothing; found by bisection, since more is never smaller."""
        if not self._is_over or self._fits():
            return
        fitting, too_many = 0, length + 1
        while too_many - fitting > 1:
            count = (fitting + too_many) // 2
            keep(count)
            if self._fits():
                fitting = count
            else:
                too_many = count
        keep(fitting)

    def _fits(self) -> bool:
        return size_of(self._answer) <= self._max_bytes


def _no_growth(_count: int) -> int:
    return 0


def fit_results(
    results: list[_Result],
    room: int,
    reasons: Sequence[_Reason] = (),
    growth: Callable[[int], int] = _no_growth,
) -> Fitted[_Result, _Reason]:
    """As many of the first results as fit into some bytes; the first one survives, cut down.

    `growth` gives the bytes that so many results need elsewhere in the answer.
    """
    used = 0
    reasons = list(reasons)
    for number, result in enumerate(results):
        used += size_of(result) + 1 + sum(size_of(each) + 1 for each in reasons[number:][:1])
        if used + growth(number + 1) > room:
            kept = Fitted(results[:number], reasons[:number])
            return kept if number else _cut_down(result, reasons[:1], room - growth(1))
    return Fitted(results, reasons)


def _growth(make_bundles: MakeBundles) -> Callable[[int], int]:
    """The bytes that the bundles of so many results take more than those of none."""
    least = size_of(make_bundles(0))
    return lambda count: size_of(make_bundles(count)) - least


def _cut_down(result: _Result, reasons: list[_Reason], room: int) -> Fitted[_Result, _Reason]:
    smaller = result
    for field in _GIVEN_UP:
        if size_of(smaller) + size_of(reasons) <= room:
            return Fitted([smaller], reasons)
        smaller = omit_field(smaller, field)
    if size_of(smaller) + size_of(reasons) <= room:
        return Fitted([smaller], reasons)
    if size_of(smaller) > room:
        smaller = omit_field(smaller, _LAST_GIVEN_UP)
    return Fitted([smaller], [])
