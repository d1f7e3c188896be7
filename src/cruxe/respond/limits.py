"""The hard limit on an answer's size: a prefix of its results, never an error."""

from typing import Final, NamedTuple

Answer = dict[str, object]

# In this order the fields of a result that is too big by itself are given up.
_GIVEN_UP: Final = ("body_preview", "snippet", "related_symbols", "parent", "also_at", "signature")


class Fitted(NamedTuple):
    """The results that fit."""

    results: list[Answer]
    is_cut: bool


def size_of(answer: object) -> int:
    """The bytes of an answer as it is sent."""
    from json import dumps

    return len(dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())


def fit_results(results: list[Answer], room: int) -> Fitted:
    """As many of the first results as fit into some bytes; the first one survives, cut down."""
    used = 0
    for number, result in enumerate(results):
        used += size_of(result) + 1
        if used > room:
            return Fitted(results[:number] or [_cut_down(result, room)], is_cut=True)
    return Fitted(results, is_cut=False)


def _cut_down(result: Answer, room: int) -> Answer:
    smaller = dict(result)
    for field in _GIVEN_UP:
        if size_of(smaller) <= room:
            break
        smaller.pop(field, None)
    return smaller
