"""Validate JSON with Python's own decoder."""

import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from json import JSONDecoder

_SPACES: Final = re.compile(r"\s*+")
SOUND: Final = -1


def broken_offset(text: str) -> int:
    """Return the offset where a text stops being JSON, one value or several, or `SOUND`."""
    position = _after_spaces(text, 0)
    try:
        while position < len(text):
            _, end = _decoder().raw_decode(text, position)
            position = _after_spaces(text, end)
    except ValueError as error:
        return getattr(error, "pos", 0)
    except RecursionError:  # valid so far, and too deep to check further
        return SOUND
    return SOUND


def _after_spaces(text: str, position: int) -> int:
    found = _SPACES.match(text, position)
    return position if found is None else found.end()


@cache
def _decoder() -> "JSONDecoder":
    from json import JSONDecoder

    return JSONDecoder()
