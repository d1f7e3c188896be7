"""A piece: text that set-up inserts into a file and can find, replace and remove again.

Pieces are pure functions of text. They do no I/O and change only their own span.
"""

import re
from typing import Final, NamedTuple, Protocol

BYTE_ORDER_MARK: Final = "\ufeff"
# For regular expressions with re.MULTILINE.
LINE_START: Final = rf"(?:^|(?<=^{BYTE_ORDER_MARK}))"


class UnusableTextError(Exception):
    """A text that a piece cannot be inserted into; the message continues after the path."""


class Edit(NamedTuple):
    """The replacement of one span of a text; offsets count characters."""

    offset: int
    removed: str
    inserted: str

    def apply(self, text: str) -> str:
        """Return the text with the edit applied."""
        return text[: self.offset] + self.inserted + text[self.offset + len(self.removed) :]

    def undo(self, text: str) -> str:
        """Return the text with the edit reverted; the edit must be at its offset."""
        return text[: self.offset] + self.removed + text[self.offset + len(self.inserted) :]


class Found(NamedTuple):
    """A piece found in a text: ours, or someone else's of the same name."""

    start: int
    end: int
    value: str  # canonical value, independent of layout
    is_marked: bool  # has a valid mark, so it is ours and unchanged


class Piece(Protocol):
    """One piece of text that set-up writes."""

    @property
    def value(self) -> str:
        """The canonical value, to compare with a found piece."""
        ...

    def find(self, text: str) -> Found | None:
        """Find a piece of the same name; raise if the text cannot be parsed."""
        ...

    def insert(self, text: str) -> Edit:
        """Return the edit that inserts the piece into a text without it."""
        ...

    def replace(self, text: str, found: Found) -> Edit:
        """Return the edit that replaces the found piece."""
        ...

    def remove(self, text: str, found: Found, made: int) -> str:
        """Remove the found piece and `made` enclosing levels that were created with it."""
        ...

    def made_in(self, text: str) -> int:
        """Return how many enclosing levels an insertion would create."""
        ...

    def is_empty(self, text: str) -> bool:
        """Return whether a text has no content left."""
        ...


def line_break_of(text: str) -> str:
    r"""Return the first line break of a text, or `\n` if it has none."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def line_start(text: str, offset: int) -> int:
    """Return the start offset of the line that contains an offset."""
    return text.rfind("\n", 0, offset) + 1


def with_whole_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span to whole lines, line break included, if only blanks share them."""
    first = line_start(text, start)
    rest = text.find("\n", end)
    last = len(text) if rest < 0 else rest + 1
    if text[first:start].strip() or text[end:last].strip():
        return start, end
    return first, last


def appended(text: str, lines: str) -> Edit:
    """Return the edit that appends lines to a text after an empty line."""
    line_break = line_break_of(text)
    plain = text.removeprefix(BYTE_ORDER_MARK)
    before = "" if not plain or plain.endswith("\n") else line_break
    apart = line_break if plain.strip() else ""
    return Edit(len(text), "", before + apart + lines.replace("\n", line_break))


def without_lines(text: str, found: Found) -> str:
    """Remove a span that starts a line, to the end of its last line, and an empty line above."""
    rest = text.find("\n", found.end)
    before = text[: found.start]
    empty = re.search(r"(?<=\n)[ \t]*\r?\n\Z", before)
    return (before[: empty.start()] if empty else before) + ("" if rest < 0 else text[rest + 1 :])
