"""Blank unclosed brackets in Python, so that the definitions below them are found.

For the grammar everything after such a bracket is one broken expression, to the end of the file.
Offsets and lines do not change.
"""

import re
from functools import lru_cache
from typing import Final

_QUOTED: Final = (
    rb"\#[^\n]*"
    rb'|"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+|(?!))*+"""'
    rb"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+|(?!))*+'''"
    rb'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
)
_PAIRS: Final = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
_NO_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"()[]{}")
_LITERAL: Final = re.compile(_QUOTED, re.DOTALL)
_TOKEN: Final = re.compile(
    _QUOTED
    + rb"|(?P<open>[(\[{])"
    + rb"|(?P<close>[)\]}])"
    + rb"|^(?P<definition>(?:async[ ]+)?def|class)[ ]",
    re.DOTALL | re.MULTILINE,
)


def without_open_brackets(data: bytes) -> bytes:
    """Return the text with unclosed brackets blanked."""
    places = open_brackets(data)
    if not places:
        return data
    text = bytearray(data)
    for place in places:
        text[place] = ord(" ")
    return bytes(text)


@lru_cache(maxsize=2)
def open_brackets(data: bytes) -> tuple[int, ...]:
    """Return offsets of brackets still open at a top-level definition; cached for one file."""
    # Few files pass this: brackets in a comment or string only fail the first check.
    if _is_balanced(data) or _is_balanced(_LITERAL.sub(b"", data)):
        return ()
    waiting: list[int] = []
    never_closed: list[int] = []
    for token in _TOKEN.finditer(data):
        match token.lastgroup:
            case "open":
                waiting.append(token.start())
            case "close" if waiting:
                waiting.pop()
            case "definition":
                never_closed += waiting
                waiting.clear()
            case _:
                pass
    return tuple(never_closed)


def _is_balanced(text: bytes) -> bool:
    brackets = text.translate(None, _NO_BRACKETS)  # half the time of six counts
    return all(brackets.count(opening) == brackets.count(closing) for opening, closing in _PAIRS)
