"""Rewrite C and C++ for the grammar: text that only a preprocessor resolves is blanked.

Offsets and lines do not change, so whatever is found in the blanked text is read from the
file's own. Without this one export macro, or one brace inside `#else`, costs all that follows.
"""

import re
from typing import Final

from cruxe.parse.languages.c.branches import blank, blank_unreadable_branches
from cruxe.parse.languages.c.macros import blank_macros

_DEFINITION: Final = re.compile(
    rb"\#[ \t]*define\b[^\n\\]*+(?:\\(?:\r?\n|[^\r\n])[^\n\\]*+|(?!))*+"
)
# The grammar ends a macro's text at a comment and would parse the rest as code.
_COMMENT_IN_TEXT: Final = re.compile(rb"/\*(?:[^*]|\*(?!/))*\*/(?=[ \t]*[^\s])")
_ATTRIBUTE: Final = re.compile(
    rb"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*+\)|(?!))*+\)|(?!))*+\)\)"
)
# The grammar does not accept `__has_include(<bit>)` as an expression.
_HEADER_IN_CONDITION: Final = re.compile(rb"(\#[ \t]*(?:el)?if\b[^\n<]*\([ \t]*)(<[\w/.+-]+>)")
_CONTEXT_BYTES: Final = 200


def legible_text(data: bytes) -> bytes:
    """Return the text with constructs that break the grammar blanked; offsets do not change."""
    text = _HEADER_IN_CONDITION.sub(_number_for_header, data) if b"(<" in data else data
    text = blank_unreadable_branches(_blank_comments_in_macros(text))
    return blank_macros(_ATTRIBUTE.sub(_without_trailing, text))


def _blank_comments_in_macros(data: bytes) -> bytes:
    return _DEFINITION.sub(_without_comments, data) if b"/*" in data else data


def _number_for_header(condition: re.Match[bytes]) -> bytes:
    before, header = condition.groups()
    return before + b"1".ljust(len(header))


def _without_comments(definition: re.Match[bytes]) -> bytes:
    text = definition.group()
    return _COMMENT_IN_TEXT.sub(_blank_match, text) if b"/*" in text else text


def _without_trailing(attribute: re.Match[bytes]) -> bytes:
    """Blank an attribute after parameters, which is parsed as a call; keep one in front."""
    start = attribute.start()
    before = attribute.string[max(0, start - _CONTEXT_BYTES) : start].rstrip()
    return blank(attribute.group()) if before.endswith(b")") else attribute.group()


def _blank_match(match: re.Match[bytes]) -> bytes:
    return blank(match.group())
