"""Lines and white space: where lines start, and text folded to one line."""

import sys
from array import array
from itertools import accumulate, count
from typing import Final

from cruxe.native import kernels


def fold_white_space(text: str) -> str:
    """Join a text into one line, each run of white space as one space."""
    return " ".join(text.split())


def line_starts(data: bytes) -> list[int]:
    """Offsets at which lines start; one entry a line, so an empty text has one line.

    Lines end in a line feed alone, as decoding leaves them.
    """
    in_c = kernels()
    if in_c is not None:
        return in_c.line_starts(data)
    starts = list(accumulate(map(len, data.splitlines(keepends=True)), initial=0))
    # A final newline ends the last line, it does not start another.
    return starts[:-1] if len(starts) > 1 else starts


_START_BYTES: Final = 4
_cache_keys: Final = count()


class LinedText:
    """A text split into lines."""

    def __init__(self, text: str) -> None:
        """Split a text; a final line feed starts no line."""
        self.cache_key = next(_cache_keys)  # unique per object: callers cache facts of lines by it
        self._lines = text.split("\n")
        self._folded: tuple[str, array[int]] | None = None  # the text and its lines' offsets
        self.line_count = len(self._lines) - (len(self._lines) > 1 and not self._lines[-1])
        self.size_bytes = sys.getsizeof(text) + _START_BYTES * len(self._lines)  # folded

    def fold(self) -> None:
        """Join the lines into one string, which takes a third of the memory."""
        if self._folded is None:
            lengths = map(len, self._lines)
            starts = array("I", accumulate(map((1).__add__, lengths), initial=0))
            self._folded = "\n".join(self._lines), starts
            self._lines = []

    def between(self, first: int, last: int) -> list[str]:
        """Lines from `first` to `last`, 1-based and inclusive, as far as they exist."""
        lines, folded = self._lines, self._folded  # in this order: another thread may fold it
        if folded is None:
            return lines[first - 1 : last]
        text, starts = folded
        last = min(last, len(starts) - 1)
        return text[starts[first - 1] : starts[last] - 1].split("\n") if first <= last else []
