"""Zig as its grammar can read it: what stands before the path of a type becomes blanks.

To the grammar `*a.B` is `(*a).B` and `?List(T)` a call of `?List`. Without the prefix the path is
whole; heads are taken from the file's own text.
"""

import re
from typing import Final

# `!?*const a.B`, `[]const List(T)`: prefixes touch what they stand before, operators do not.
_PREFIX: Final = re.compile(
    rb"[!?*\[](?<=[ (!].)"
    rb"(?:(?<=\[)[*:\w]*\]|(?<=[!?*]))"
    rb"(?:[?*]|\[[*:\w]*\])*+"
    rb"(?:(?:const|volatile|allowzero) (?:[?*]|\[[*:\w]*\])*+)*+"
    rb"(?=[A-Za-z_]\w*+[.(])"
)


def legible_text(data: bytes) -> bytes:
    """The text of a file without the prefixes of types, byte for byte in place."""
    return _PREFIX.sub(_blank, data)


def _blank(prefix: re.Match[bytes]) -> bytes:
    return b" " * len(prefix.group())
