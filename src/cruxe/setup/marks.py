"""Lines of ours in someone's prose, between two marks that carry a digest of what they enclose.

The digest tells lines that nobody touched from lines that someone changed, also in a clone where
another machine wrote them; line breaks do not count, since git may turn them.
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
    """What a mark says about the text that it belongs to."""
    return digest_of(body.encode(), _DIGEST_BYTES).hex()


class MarkedBlock(NamedTuple):
    """Whole lines between marks, at the end of a file."""

    body: str  # ends with a line break

    @property
    def value(self) -> str:
        """The lines between the marks."""
        return self.body

    def find(self, text: str) -> Found | None:
        """Find the marks and what they enclose."""
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
        """Append the block, with an empty line before it."""
        return appended(text, f"{self._lines()}\n")

    def replace(self, text: str, found: Found) -> Edit:
        """Write the block where one stands."""
        block = self._lines().replace("\n", line_break_of(text))
        return Edit(found.start, text[found.start : found.end], block)

    def remove(self, text: str, found: Found, made: int) -> str:
        """Take out the lines of the block and the empty one before it."""
        del made
        return without_lines(text, found)

    def made_in(self, text: str) -> int:
        """Nothing is made around it."""
        del text
        return 0

    def is_empty(self, text: str) -> bool:
        """Whether there is only space."""
        return not text.removeprefix(BYTE_ORDER_MARK).strip()

    def _lines(self) -> str:
        return f"{_FIRST}{digest_mark(self.body)} -->\n{self.body}{_LAST}"


def _lines_starting(opening: str, text: str) -> list[int]:
    starts = re.finditer(LINE_START + re.escape(opening), text, re.MULTILINE)
    return [match.start() for match in starts]
