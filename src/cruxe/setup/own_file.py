"""A file that belongs to Cruxe entirely. Its last line is a mark with a digest of the rest."""

import re
from typing import Final, NamedTuple

from cruxe.setup.marks import digest_mark
from cruxe.setup.pieces import BYTE_ORDER_MARK, Edit, Found

_LAST_LINE: Final = re.compile(r"<!-- written by cruxe setup ([0-9a-f]{8}) -->\n?\Z")


class OwnFile(NamedTuple):
    """A whole file of ours; a file with other content belongs to someone else."""

    body: str  # ends with a line break

    @property
    def value(self) -> str:
        """The lines followed by the mark."""
        return f"{self.body}<!-- written by cruxe setup {digest_mark(self.body)} -->\n"

    def find(self, text: str) -> Found | None:
        """Return the whole text as the piece, or None if it is blank."""
        if self.is_empty(text):
            return None
        plain = text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")
        mark = _LAST_LINE.search(plain)
        is_marked = mark is not None and mark[1] == digest_mark(plain[: mark.start()])
        return Found(start=0, end=len(text), value=plain, is_marked=is_marked)

    def insert(self, text: str) -> Edit:
        """Write the whole file."""
        return Edit(0, text, self.value)

    def replace(self, text: str, found: Found) -> Edit:
        """Replace the whole text."""
        return Edit(found.start, text[found.start : found.end], self.value)

    def remove(self, text: str, found: Found, made: int) -> str:
        """Return an empty text."""
        del made
        return text[: found.start] + text[found.end :]

    def made_in(self, text: str) -> int:
        """Return 0: the file needs no enclosing levels."""
        del text
        return 0

    def is_empty(self, text: str) -> bool:
        """Return whether the text is blank."""
        return not text.removeprefix(BYTE_ORDER_MARK).strip()
