"""The pieces of words that a model knows, and the place of each among them."""

from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

# To find one in the text takes a hundredth of the time that a table of all takes to make.
_FOUND_IN_TEXT: Final = 60


class Vocabulary:
    """Pieces by name: the first few are found in the text, later ones in a table made from it."""

    def __init__(self, text: bytes) -> None:
        """Take ASCII text with one piece a line and none after the last line feed."""
        self.text = text
        self._text = b"\n%b\n" % text
        self._asked = 0
        # The place of a piece; of one that is there twice, the first.
        self.get: Callable[[str], int | None] = self._find

    def __len__(self) -> int:
        """How many there are."""
        return self._text.count(b"\n") - 1

    @cached_property
    def longest(self) -> int:
        """The number of characters of the longest."""
        return max(map(len, self._text.split(b"\n")))

    def _find(self, piece: str) -> int | None:
        if self._asked >= _FOUND_IN_TEXT:
            self.get = self._places.get  # an index asks millions of times
            return self.get(piece)
        self._asked += 1
        start = self._text.find(b"\n%b\n" % piece.encode())
        return None if start < 0 else self._text.count(b"\n", 0, start)

    @cached_property
    def _places(self) -> dict[str, int]:
        pieces = self._text.decode("ascii").split("\n")[1:-1]
        # Backwards, so that the first of two stays.
        return dict(zip(reversed(pieces), range(len(pieces) - 1, -1, -1), strict=True))
