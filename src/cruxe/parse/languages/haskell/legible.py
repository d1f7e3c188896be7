"""Rewrite Haskell for the grammar; offsets and lines do not change.

After a character literal with an escape, such as that for a line feed, the grammar takes the
prime of a following name like `go'` for the start of another, and loses what comes after.
"""

import re
from typing import Final

_ESCAPED_CHARACTER: Final = re.compile(
    rb"'\\(?:[abfnrtv\\\"'&]|[0-9]{1,7}|[xo][0-9a-fA-F]{1,6}|\^.|[A-Z][A-Z0-9]{1,2})'"
)


def legible_text(data: bytes) -> bytes:
    """Return the text with plain characters in place of escaped ones."""
    return _ESCAPED_CHARACTER.sub(_plain_character, data)


def _plain_character(escaped: re.Match[bytes]) -> bytes:
    return b"'n'".ljust(len(escaped.group()))  # the text after it keeps its column
