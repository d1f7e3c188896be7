"""The pieces of words that a model knows, and the place of each among them."""

from functools import cached_property
from typing import Final

# To find one in the text takes a hundredth of the time that a table of all takes to make.
_FOUND_IN_TEXT: Final = 60


class Vocabulary:
    """Pieces by name: the first few are found in the text, later ones in a table made from it."""

    def __init__(self, text: bytes) -> None:
        """Take ASCII text with one piece a line and none after the last line feed."""
        self._text = b"\n%b\n" % text
        self._asked = 0

    def __len__(self) -> int:
        """How many there are."""
        return self._text.count(b"\n") - 1

    @cached_property
    def longest(self) -> int:
        """The number of characters of the longest."""
        return max(map(len, self._text.split(b"\n")))

    def get(self, piece: str) -> int | None:
        """The place of a piece; of one that is there twice, the first."""
        if self._asked < _FOUND_IN_TEXT:
            self._asked += 1
            start = self._text.find(b"\n%b\n" % piece.encode())
            return None if start < 0 else self._text.count(b"\n", 0, start)
        return self._places.get(piece)

    @cached_property
    def _places(self) -> dict[str, int]:
        pieces = self._text.decode("ascii").split("\n")[1:-1]
        # Backwards, so that the first of two stays.
        return dict(zip(reversed(pieces), range(len(pieces) - 1, -1, -1), strict=True))
