"""What an answer leaves out: what exceeds its size limit, long texts, empty and unwanted fields.

What does not fit is cut at the end, without an error.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar, cast

from cruxe.model.levels import DetailLevel, ResultCompleteness
from cruxe.model.specs import ResponseSpec

if TYPE_CHECKING:
    from cruxe.contract.result_parts import Bundles, MetadataBlock, SuggestedAction
    from cruxe.contract.results import LocateSymbolResult, SearchCodeResult

# The fields that a first result loses if it is too big alone, in this order. Its ranking reasons go
# before the signature.
_GIVEN_UP: Final = ("body_preview", "snippet", "related_symbols", "parent", "also_at")
_LAST_GIVEN_UP: Final = "signature"
_LOWER_LEVELS: Final = {
    DetailLevel.CONTEXT: DetailLevel.SIGNATURE,
    DetailLevel.SIGNATURE: DetailLevel.LOCATION,
}
# One character of a Python `repr` takes at most four bytes in JSON.
_MOST_BYTES_PER_CHARACTER: Final = 4

ELLIPSIS: Final = " …"

_Item = TypeVar("_Item")
_Result = TypeVar("_Result", bound=Mapping[str, object])
_Reason = TypeVar("_Reason", bound=Mapping[str, object])
MakeBundles = Callable[[int], "Bundles"]  # of the first N results


class Fitted(NamedTuple, Generic[_Result, _Reason]):
    """The results that fit, each with its reason if there are reasons."""

    results: list[_Result]
    reasons: list[_Reason]


def size_of(answer: object) -> int:
    """Return the size of an answer as sent, in bytes."""
    from json import dumps

    return len(dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())


def is_over(answer: Mapping[str, object], max_bytes: int) -> bool:
    """Return whether an answer is too big. If its `repr` is small enough, skip the encoding."""
    if len(repr(answer)) * _MOST_BYTES_PER_CHARACTER <= max_bytes:
        return False
    return size_of(answer) > max_bytes


def narrower_requests(
    request: "SuggestedAction", fitting: int, spec: ResponseSpec
) -> "list[SuggestedAction]":
    """Suggest a request's forms that fit: its first results, less of each, and its next page.

    `fitting` is the number of results that fitted as the request was.
    """
    smaller: list[SuggestedAction] = [{**request, "limit": fitting}]
    if not spec.is_compact:
        smaller.append({**request, "compact": True})
    lower = _LOWER_LEVELS.get(spec.detail)
    return [*smaller, {**request, "detail_level": lower}] if lower else smaller


def next_page(request: "SuggestedAction", cursor: str) -> "SuggestedAction":
    """Suggest the request with a cursor."""
    return {**request, "cursor": cursor}


def cut_located(
    answer: "LocateSymbolResult", actions: "list[SuggestedAction]", max_bytes: int
) -> int:
    """Cut an answer that is over the size limit, mark it, and return the number of results.

    `actions` may get shorter afterwards, but not longer.
    """
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
    """Cut an answer that is over the size limit, mark it, and return the number of results.

    `actions` may get shorter afterwards, but not longer. The bundles are made from the remaining
    results. They are omitted if they do not fit beside the first result.
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
    """Mark an answer as cut by the size limit."""
    metadata["result_completeness"] = ResultCompleteness.TRUNCATED
    metadata["safety_limit_applied"] = True


class Shortening:
    """Keeps an answer without ranked results within the size limit.

    Callers pass its lists and tables, the least important first. Each is cut at its end, in place,
    until the answer fits.
    """

    def __init__(
        self, answer: Mapping[str, object], metadata: "MetadataBlock", max_bytes: int
    ) -> None:
        """Measure the answer; if it is too big, mark it in `metadata`."""
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
        """Keep as many items as fit, found by bisection, because size grows with the count."""
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
    """Return the first results that fit into `room` bytes; the first is kept, if need be reduced.

    `growth(n)` is the number of bytes that n results need elsewhere in the answer.
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
    """Return a function: by how many bytes the bundles of n results exceed empty ones."""
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


def shorten(text: str, characters: int) -> str:
    """Return the start of a text, with an ellipsis if it was cut."""
    return text if len(text) <= characters else text[:characters] + ELLIPSIS


PartT = TypeVar("PartT", bound=Mapping[str, object])


def omit_empty(part: PartT) -> PartT:
    """Return the part without optional fields that are an empty string, an empty list or None."""
    kept = {name: value for name, value in part.items() if value not in ("", None, [])}
    return _same_type(part, kept)


def omit_field(part: PartT, field: str) -> PartT:
    """Return the part without one of its optional fields."""
    return omit_fields(part, (field,))


def omit_fields(part: PartT, fields: Collection[str]) -> PartT:
    """Return the part without some of its optional fields."""
    return _same_type(part, {name: value for name, value in part.items() if name not in fields})


def replace_field(part: PartT, field: str, value: object) -> PartT:
    """Return the part with another value, of the same type, for a field."""
    return _same_type(part, {**part, field: value})


def _same_type(_: PartT, fields: dict[str, object]) -> PartT:
    # No checker can express "this TypedDict without some optional keys" for a type variable.
    return cast("PartT", fields)
