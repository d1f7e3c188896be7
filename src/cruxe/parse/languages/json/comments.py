"""Extensions of JSON in settings files: comments and trailing commas."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.languages.json.reading import STRING

if TYPE_CHECKING:
    from cruxe.model.symbols import Span

# Some settings files also use single quotes.
_STRING_OR_COMMENT: Final = re.compile(
    rf'{STRING}|"[^\n]*+|\'[^\'\n]*+\'|(//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+|(?!))*+(?>\*/|))'
)
_VISIBLE: Final = re.compile(r"[^\n]")
_LAST_COMMA: Final = re.compile(r",(?=\s*[}\]])")


def find_comments(text: str) -> "list[Span]":
    """Return the spans of comments, in order."""
    if "//" not in text and "/*" not in text:
        return []
    return [found.span() for found in _STRING_OR_COMMENT.finditer(text) if found.lastindex]


def without_comments(text: str, comments: "list[Span]") -> str:
    """Return the text with comments blanked; offsets and lines do not change."""
    if not comments:
        return text
    pieces: list[str] = []
    position = 0
    for start, end in comments:
        pieces += text[position:start], _VISIBLE.sub(" ", text[start:end])
        position = end
    return "".join([*pieces, text[position:]])


def without_last_commas(text: str) -> str:
    """Return the text with trailing commas blanked."""
    return _LAST_COMMA.sub(" ", text)
