"""A block of lines in someone's text file, between two marks with a digest of the block.

The digest detects whether someone changed the lines, also in a clone whose block was written on
another machine. Line breaks are ignored, since git may convert them.
"""

import re
from typing import Final, NamedTuple

from cruxe.model.identity import digest_of
from cruxe.setup.pieces import (
    BYTE_ORDER_MARK,
    LINE_START,
    Edit,
    Found,
    UnusableTextError,
    appended,
    line_break_of,
    without_lines,
)

_DIGEST_BYTES: Final = 4
_FIRST: Final = "<!-- cruxe setup: begin "
_LAST: Final = "<!-- cruxe setup: end -->"
_BLOCK: Final = re.compile(
    rf"{LINE_START}{_FIRST}([0-9a-f]{{8}}) -->[ \t]*\n(.*?)^{_LAST}[ \t]*$",
    re.MULTILINE | re.DOTALL,
)


def digest_mark(body: str) -> str:
    """Return the digest that a mark carries for its text."""
    return digest_of(body.encode(), _DIGEST_BYTES).hex()


class MarkedBlock(NamedTuple):
    """A block of whole lines between marks, appended to a file."""

    body: str  # ends with a line break

    @property
    def value(self) -> str:
        """The lines between the marks."""
        return self.body

    def find(self, text: str) -> Found | None:
        """Find the marks and the lines between them."""
        blocks = list(_BLOCK.finditer(text.replace("\r\n", "\n")))
        firsts, lasts = (_lines_starting(mark, text) for mark in (_FIRST, _LAST))
        if not len(blocks) == len(firsts) == len(lasts) <= 1:
            raise UnusableTextError(
                "holds the marks of `cruxe setup` twice, or one without the other"
            )
        if not blocks:
            return None
        digest, body = blocks[0].groups()
        end = lasts[0] + len(_LAST)
        return Found(start=firsts[0], end=end, value=body, is_marked=digest == digest_mark(body))

    def insert(self, text: str) -> Edit:
        """Append the block after an empty line."""
        return appended(text, f"{self._lines()}\n")

    def replace(self, text: str, found: Found) -> Edit:
        """Replace the existing block."""
        block = self._lines().replace("\n", line_break_of(text))
        return Edit(found.start, text[found.start : found.end], block)

    def remove(self, text: str, found: Found, made: int) -> str:
        """Remove the lines of the block and the empty line before it."""
        del made
        return without_lines(text, found)

    def made_in(self, text: str) -> int:
        """Return 0: the block needs no enclosing levels."""
        del text
        return 0

    def is_empty(self, text: str) -> bool:
        """Return whether the text is blank."""
        return not text.removeprefix(BYTE_ORDER_MARK).strip()

    def _lines(self) -> str:
        return f"{_FIRST}{digest_mark(self.body)} -->\n{self.body}{_LAST}"


def _lines_starting(opening: str, text: str) -> list[int]:
    starts = re.finditer(LINE_START + re.escape(opening), text, re.MULTILINE)
    return [match.start() for match in starts]
