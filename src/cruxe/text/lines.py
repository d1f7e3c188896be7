"""Lines and white space: where lines start, and text folded to one line."""

import sys
from array import array
from itertools import accumulate


def fold_white_space(text: str) -> str:
    """Join a text into one line, each run of white space as one space."""
    return " ".join(text.split())


def line_starts(data: bytes) -> list[int]:
    """Offsets at which lines start; one entry a line, so an empty text has one line."""
    starts = list(accumulate(map(len, data.splitlines(keepends=True)), initial=0))
    # A final newline ends the last line, it does not start another.
    return starts[:-1] if len(starts) > 1 else starts


class LinedText:
    """A text that is asked for some of its lines; a list of all takes three times the memory."""

    __slots__ = "_starts", "text"

    def __init__(self, text: str) -> None:
        """Find where its lines start."""
        self.text = text
        lengths = map(len, text.split("\n"))
        self._starts = array("I", accumulate(map((1).__add__, lengths), initial=0))

    @property
    def size_bytes(self) -> int:
        """What it takes in memory."""
        return sys.getsizeof(self.text) + sys.getsizeof(self._starts)

    @property
    def line_count(self) -> int:
        """Lines as they are counted: a final line feed starts none."""
        count = len(self._starts) - 1
        return count - (count > 1 and self.text.endswith("\n"))

    def between(self, first: int, last: int) -> list[str]:
        """Some lines, counted from one; those that there are not are left out."""
        is_any = first <= min(last, len(self._starts) - 1)
        return self.text_between(first, last).split("\n") if is_any else []

    def text_between(self, first: int, last: int) -> str:
        """The same lines as they stand in the text."""
        last = min(last, len(self._starts) - 1)
        return self.text[self._starts[first - 1] : self._starts[last] - 1] if first <= last else ""
