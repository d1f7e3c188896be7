"""What set-up puts into a file: a piece of text that can be found, placed and taken out again.

Pieces work on text alone. They know neither paths nor disks, and change nothing but their own span.
"""

import re
from typing import Final, NamedTuple, Protocol

BYTE_ORDER_MARK: Final = "\ufeff"
# For expressions over many lines.
LINE_START: Final = rf"(?:^|(?<=^{BYTE_ORDER_MARK}))"


class UnusableTextError(Exception):
    """A text that a piece cannot be put into; the message goes on where the path ends."""


class Edit(NamedTuple):
    """One span of a text replaced by another; offsets count characters."""

    offset: int
    removed: str
    inserted: str

    def apply(self, text: str) -> str:
        """The text with the edit."""
        return text[: self.offset] + self.inserted + text[self.offset + len(self.removed) :]

    def undo(self, text: str) -> str:
        """The text without the edit, where it stands as it was made."""
        return text[: self.offset] + self.removed + text[self.offset + len(self.inserted) :]


class Found(NamedTuple):
    """A piece that a text holds: ours, or something of the same name."""

    start: int
    end: int
    value: str  # what it means, whatever its layout
    is_marked: bool  # carries a mark that only an unchanged piece of ours has


class Piece(Protocol):
    """One thing that set-up writes."""

    @property
    def value(self) -> str:
        """What the piece means, to compare with what is found."""
        ...

    def find(self, text: str) -> Found | None:
        """Find what has the piece's name; raises where the text cannot be understood."""
        ...

    def insert(self, text: str) -> Edit:
        """Where and how the piece joins a text that does not hold it."""
        ...

    def replace(self, text: str, found: Found) -> Edit:
        """The piece in place of what was found."""
        ...

    def remove(self, text: str, found: Found, made: int) -> str:
        """Take out what was found, with `made` of the levels around it that came with the piece."""
        ...

    def made_in(self, text: str) -> int:
        """How many levels around itself the piece would have to make."""
        ...

    def is_empty(self, text: str) -> bool:
        """Whether nothing that anyone wrote is left in a text."""
        ...


def line_break_of(text: str) -> str:
    r"""The line break that a text uses first; `\n` where it has none."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def line_start(text: str, offset: int) -> int:
    """Where the line around an offset starts."""
    return text.rfind("\n", 0, offset) + 1


def with_whole_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span to its lines, break included, where it shares them with nothing but blanks."""
    first = line_start(text, start)
    rest = text.find("\n", end)
    last = len(text) if rest < 0 else rest + 1
    if text[first:start].strip() or text[end:last].strip():
        return start, end
    return first, last


def appended(text: str, lines: str) -> Edit:
    """Add lines to the end of a text, with an empty one before them."""
    line_break = line_break_of(text)
    plain = text.removeprefix(BYTE_ORDER_MARK)
    before = "" if not plain or plain.endswith("\n") else line_break
    apart = line_break if plain.strip() else ""
    return Edit(len(text), "", before + apart + lines.replace("\n", line_break))


def without_lines(text: str, found: Found) -> str:
    """Take out a span that starts a line, up to the end of its last one, and an empty one above."""
    rest = text.find("\n", found.end)
    before = text[: found.start]
    empty = re.search(r"(?<=\n)[ \t]*\r?\n\Z", before)
    return (before[: empty.start()] if empty else before) + ("" if rest < 0 else text[rest + 1 :])
