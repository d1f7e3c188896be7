"""Cursors: where the next page begins, in which generation, of which request."""

from typing import NamedTuple

from cruxe.model.errors import InvalidInputError
from cruxe.model.identity import digest_of

_DIGEST_BYTES = 6


class Cursor(NamedTuple):
    """A place in a list of results."""

    generation: int
    offset: int


def write_cursor(cursor: Cursor, request: str) -> str:
    """Make a cursor for the request that it continues."""
    return f"{cursor.generation:x}-{cursor.offset:x}-{_digest(cursor, request)}"


def read_cursor(text: str, request: str, generation: int) -> Cursor:
    """Read a cursor back; one of another request or generation leads nowhere."""
    try:
        numbers, _, digest = text.rpartition("-")
        first, _, second = numbers.partition("-")
        cursor = Cursor(int(first, 16), int(second, 16))
    except ValueError:
        raise _refused("it is not a cursor of Cruxe") from None
    if digest != _digest(cursor, request):
        raise _refused("it belongs to another request")
    if cursor.generation != generation:
        raise _refused("the index has changed since")
    return cursor


def _digest(cursor: Cursor, request: str) -> str:
    """Over the place as well: a place that was never given leads nowhere."""
    words = f"{cursor.generation} {cursor.offset} {request}"
    return digest_of(words.encode("utf-8", "replace"), _DIGEST_BYTES).hex()


def _refused(why: str) -> InvalidInputError:
    return InvalidInputError(
        f"the cursor cannot be used: {why}",
        remedy="ask again without the cursor",
        data={"field": "cursor"},
    )
