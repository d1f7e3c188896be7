"""What settings have that JSON has not: comments, and commas behind last entries."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.languages.json.reading import STRING

if TYPE_CHECKING:
    from cruxe.model.symbols import Span

# Some settings have strings in single quotes too.
_STRING_OR_COMMENT: Final = re.compile(
    rf'{STRING}|"[^\n]*+|\'[^\'\n]*+\'|(//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?+)'
)
_VISIBLE: Final = re.compile(r"[^\n]")
_LAST_COMMA: Final = re.compile(r",(?=\s*[}\]])")


def find_comments(text: str) -> "list[Span]":
    """Where comments stand, in order."""
    if "//" not in text and "/*" not in text:
        return []
    return [found.span() for found in _STRING_OR_COMMENT.finditer(text) if found.lastindex]


def without_comments(text: str, comments: "list[Span]") -> str:
    """The text with blanks for comments; offsets and lines stay."""
    if not comments:
        return text
    pieces: list[str] = []
    position = 0
    for start, end in comments:
        pieces += text[position:start], _VISIBLE.sub(" ", text[start:end])
        position = end
    return "".join([*pieces, text[position:]])


def without_last_commas(text: str) -> str:
    """The text with blanks for commas behind last entries."""
    return _LAST_COMMA.sub(" ", text)
