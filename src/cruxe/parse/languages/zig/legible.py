"""Rewrite Zig for the grammar: the prefix before the path of a type is blanked.

The grammar parses `*a.B` as `(*a).B` and `?List(T)` as a call of `?List`. Without the prefix the
path is whole. Heads are read from the original text.
"""

import re
from typing import Final

# `!?*const a.B`, `[]const List(T)`: no blank follows a prefix, unlike an operator.
_PREFIX: Final = re.compile(
    rb"[!?*\[](?<=[ (!].)"
    rb"(?:(?<=\[)[*:\w]*\]|(?<=[!?*]))"
    rb"(?:[?*]|\[[*:\w]*\]|(?!))*+"
    rb"(?:(?:const|volatile|allowzero) (?:[?*]|\[[*:\w]*\]|(?!))*+|(?!))*+"
    rb"(?=[A-Za-z_]\w*+[.(])"
)


def legible_text(data: bytes) -> bytes:
    """Return the text with the prefixes of types blanked; offsets do not change."""
    return _PREFIX.sub(_blank, data)


def _blank(prefix: re.Match[bytes]) -> bytes:
    return b" " * len(prefix.group())
