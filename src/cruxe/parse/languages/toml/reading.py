"""The lines of a TOML file: heads of tables, keys, comments and the first syntax error."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cruxe.model.symbols import Span
    from cruxe.parse.source_text import SourceText

# What a line is: a key, the head of a table, or that of an element of an array of tables.
KEY: Final = 0
TABLE: Final = 1
ELEMENT: Final = 2
# One of these, its name as written, a key with its value as written, the first and the last line.
Item = tuple[int, str, str, int, int]


_STRING: Final = r"\"(?:[^\"\\\n]++|\\.|(?!))*+\"(?!\")|'[^'\n]*+'(?!')"
_PART: Final = rf"(?:[A-Za-z0-9_-]++|{_STRING})"
_NAME: Final = rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART}|(?!))*+"
_BARE: Final = r"true|false|[+-]?(?:inf|nan|\d[\w.:+-]*+)(?:[ ]\d\d:[\d:.Z+-]*+)?"
# Lists and inline tables on one line, two deep; others are read bracket by bracket.
_FLAT: Final = rf"[\w.:+,= \t-]++|{_STRING}"
_LIST: Final = rf"\[(?:{_FLAT}|(?!))*+\]|\{{(?:{_FLAT}|(?!))*+\}}"
_LISTS: Final = rf"\[(?:{_FLAT}|{_LIST}|(?!))*+\]|\{{(?:{_FLAT}|{_LIST}|(?!))*+\}}"
_VALUE: Final = rf"{_STRING}|{_BARE}|{_LISTS}"
_LINE: Final = re.compile(
    rf"[ \t]*+(?>(({_NAME})[ \t]*+=[ \t]*+(?:{_VALUE}))"
    rf"|\[[ \t]*+({_NAME})[ \t]*+\]|\[\[[ \t]*+({_NAME})[ \t]*+\]\]|)"
    r"[ \t]*+(?>(#[^\n]*+)|)(?:\n|\Z)"
)
_OPENING: Final = re.compile(rf"[ \t]*+({_NAME})[ \t]*+=[ \t]*+(?=[\[{{\"'])")
_LONG_STRING: Final = (
    r'"""(?:[^"\\]++|\\.|"(?!"")|(?!))*+"{3,5}'
    r"|'''(?:[^']++|'(?!'')|(?!))*+'{3,5}"
)
# Between these are keys, plain values, commas and blanks; any other character is an error.
_TOKEN: Final = re.compile(
    rf"{_LONG_STRING}|{_STRING}|#[^\n]*+|[\[{{\]}}]|[^\w\s.:+,=-]", re.DOTALL
)
_CLOSING: Final = {"[": "]", "{": "}"}
_MAX_VAIN_READS: Final = 4
_REST: Final = re.compile(r"[ \t]*+(?>(#[^\n]*+)|)(?:\n|\Z)")


class LineReader:
    """Reads one file from top to bottom; invalid lines are skipped."""

    def __init__(self, source: "SourceText") -> None:
        """Take a text; call `read` to read it."""
        self._source = source
        # Limit for scans of unclosed values: a few times the length of the text.
        self._patience = _MAX_VAIN_READS * len(source.data)
        self.items: list[Item] = []
        self.comments: list[Span] = []
        self.broken_line = 0  # first invalid line, or 0

    def read(self) -> None:
        """Collect the items of all lines, in order."""
        source, items, comments = self._source, self.items, self.comments
        text, starts, count = source.characters, source.line_starts, source.line_count
        line = 0
        while line < count:
            start = starts[line]
            line += 1
            if (read := _LINE.match(text, start)) is None:
                end = self._read_long(start, line)
                self.broken_line = self.broken_line or (0 if end else line)
                line = max(line, bisect_right(starts, end - 1))
                continue
            pair, key, table, element, comment = read.groups()
            if pair is not None:
                if not pair.isascii():
                    pair = source.text_between(*read.span(1))
                    key = source.text_between(*read.span(2))
                items.append((KEY, key, pair, line, line))
            elif table is not None:
                items.append((TABLE, source.text_between(*read.span(3)), "", line, line))
            elif element is not None:
                items.append((ELEMENT, source.text_between(*read.span(4)), "", line, line))
            if comment is not None:
                comments.append(read.span(5))

    def _read_long(self, start: int, line: int) -> int:
        """Read a key with a value of several lines; return its end, or 0 if it is unclosed."""
        source = self._source
        inner: list[Span] = []
        opening = _OPENING.match(source.characters, start)
        if opening is None or self._patience < 0:
            return 0
        end = _end_of_value(source.characters, opening.end(), inner)
        rest = _REST.match(source.characters, end) if end else None
        if rest is None:
            self._patience -= len(source.data) - start
            return 0
        key = source.text_between(*opening.span(1))
        pair = source.text_between(opening.start(1), end)
        self.items.append((KEY, key, pair, line, bisect_right(source.line_starts, end - 1)))
        self.comments += inner if rest[1] is None else [*inner, rest.span(1)]
        return end


def _end_of_value(text: str, start: int, comments: "list[Span]") -> int:
    """Return where a string, list or inline table ends, or 0; collects its comments."""
    closing: list[str] = []  # closing brackets expected, the innermost last
    for token in _TOKEN.finditer(text, start):
        first = token[0][0]
        if first == "#":
            comments.append(token.span())
        elif first in _CLOSING:
            closing.append(_CLOSING[first])
        elif closing and closing[-1] == first:
            closing.pop()
        elif len(token[0]) == 1:
            break
        if not closing:
            return token.end()
    return 0
