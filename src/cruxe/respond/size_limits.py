"""The hard limit on an answer's size: a prefix of its results, never an error."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, cast

Answer = dict[str, object]

# In this order the fields of a result that is too big by itself are given up; its reasons go
# before the last.
_GIVEN_UP: Final = ("body_preview", "snippet", "related_symbols", "parent", "also_at")
_LAST_GIVEN_UP: Final = "signature"
# Of what Python writes as one character JSON needs four bytes at most.
_MOST_BYTES_PER_CHARACTER: Final = 4


Bundles = Callable[[int], Answer]  # those of so many of the first results


class Fitted(NamedTuple):
    """The results that fit, each with its reason where there are reasons."""

    results: list[Answer]
    reasons: list[Answer]


def _nothing_beside(_count: int) -> int:
    return 0


def size_of(answer: object) -> int:
    """The bytes of an answer as it is sent."""
    from json import dumps

    return len(dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())


def is_over(answer: Answer, max_bytes: int) -> bool:
    """Whether an answer is too big; one that no encoding could make so is not encoded at all."""
    if len(repr(answer)) * _MOST_BYTES_PER_CHARACTER <= max_bytes:
        return False
    return size_of(answer) > max_bytes


def cut_to_limit(
    answer: Answer, actions: list[Answer], max_bytes: int, bundles: Bundles | None = None
) -> int:
    """Cut an answer that is over the hard limit, say so, and tell how many results are left.

    Bundles are of the results that are left; where not even one has room for its own, there are
    none.
    """
    results = cast("list[Answer]", answer["results"])
    metadata = cast("Answer", answer["metadata"])
    reasons = cast("list[Answer]", metadata.get("ranking_reasons", []))
    metadata |= {"result_completeness": "truncated", "safety_limit_applied": True}
    answer |= {"suggested_next_actions": actions, "results": []}
    if reasons:
        metadata["ranking_reasons"] = []
    if size_of(answer) > max_bytes // 2:
        answer.pop("stats", None)  # rather than the results
    if bundles is not None:
        answer["bundles"] = bundles(0)
    beside = _nothing_beside if bundles is None else _growth(bundles)
    fitted = fit_results(results, max_bytes - size_of(answer), reasons, beside)
    answer["results"] = fitted.results
    if reasons:
        metadata["ranking_reasons"] = fitted.reasons
    count = len(fitted.results)
    if bundles is not None:
        answer["bundles"] = bundles(count)
        if size_of(answer) > max_bytes:
            del answer["bundles"]
    return count


def shorten_fields(answer: Answer, fields: Sequence[tuple[Answer, str]], max_bytes: int) -> Answer:
    """Keep an answer without results to the hard limit: of each field in turn the last goes first.

    A field is that of the answer or of a part of it; the next one is cut when nothing is left.
    """
    if not is_over(answer, max_bytes):
        return answer
    metadata = cast("Answer", answer["metadata"])
    metadata |= {"result_completeness": "truncated", "safety_limit_applied": True}
    for holder, field in fields:
        if field in holder and size_of(answer) > max_bytes:
            _shorten(answer, holder, field, max_bytes)
    return answer


def _shorten(answer: Answer, holder: Answer, field: str, max_bytes: int) -> None:
    """Leave of a field as much as fits, maybe nothing: more of it is never smaller."""
    whole = cast("list[object] | Answer", holder[field])
    fitting, too_many = 0, len(whole) + 1
    while too_many - fitting > 1:
        count = (fitting + too_many) // 2
        holder[field] = _first(whole, count)
        if size_of(answer) <= max_bytes:
            fitting = count
        else:
            too_many = count
    holder[field] = _first(whole, fitting)


def _first(value: list[object] | Answer, count: int) -> list[object] | Answer:
    return value[:count] if isinstance(value, list) else dict(list(value.items())[:count])


def fit_results(
    results: list[Answer],
    room: int,
    reasons: Sequence[Answer] = (),
    beside: Callable[[int], int] = _nothing_beside,
) -> Fitted:
    """As many of the first results as fit into some bytes; the first one survives, cut down.

    `beside` tells the bytes that so many results need elsewhere in the answer.
    """
    used = 0
    reasons = list(reasons)
    for number, result in enumerate(results):
        used += size_of(result) + 1 + sum(size_of(each) + 1 for each in reasons[number:][:1])
        if used + beside(number + 1) > room:
            kept = Fitted(results[:number], reasons[:number])
            return kept if number else _cut_down(result, reasons[:1], room - beside(1))
    return Fitted(results, reasons)


def _growth(bundles: Bundles) -> Callable[[int], int]:
    """The bytes that the bundles of so many results take more than those of none."""
    least = size_of(bundles(0))
    return lambda count: size_of(bundles(count)) - least


def _cut_down(result: Answer, reasons: list[Answer], room: int) -> Fitted:
    smaller = dict(result)
    for field in _GIVEN_UP:
        if size_of(smaller) + size_of(reasons) <= room:
            return Fitted([smaller], reasons)
        smaller.pop(field, None)
    if size_of(smaller) + size_of(reasons) <= room:
        return Fitted([smaller], reasons)
    if size_of(smaller) > room:
        smaller.pop(_LAST_GIVEN_UP, None)
    return Fitted([smaller], [])
