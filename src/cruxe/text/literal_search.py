"""Literal search in bytes: where a literal begins, once a line."""

from typing import Final

from cruxe.native import kernels

# The bytes of source text in lower case, the most frequent first (counted in five corpora).
_FREQUENT: Final = b' etsarinol\ndcufmp_0.h)("g,=b:y/wv-k`;x*j1\tq'
# Letters beyond ASCII that equal `s` and `k` when case is ignored.
_FOREIGN_TWINS: Final = ((b"s", "\u017f".encode()), (b"k", "\u212a".encode()))


class LiteralSearch:
    """A literal to search for; folded, ASCII letters match in either case."""

    def __init__(self, literal: bytes, *, is_folded: bool) -> None:
        """Store the literal, which is not empty."""
        self._literal = literal.lower() if is_folded else literal
        self._is_folded = is_folded
        self._rarest = max(range(len(literal)), key=self._rarity)
        twins = _FOREIGN_TWINS if is_folded else ()
        self._twins = [
            LiteralSearch(twin, is_folded=False)
            for letter, twin in twins
            if letter in self._literal
        ]

    def is_exact_in(self, text: bytes) -> bool:
        """Return whether no letter beyond ASCII in a text equals one of the literal."""
        return text.isascii() or not any(each.places(text) for each in self._twins)

    def places(self, text: bytes) -> list[int]:
        """Return the offset of the first occurrence that begins on each line."""
        in_c = kernels()
        if in_c is None:
            return self._places(text.lower() if self._is_folded else text)
        return in_c.literal_places(text, self._literal, self._rarest, self._is_folded)

    def _places(self, text: bytes) -> list[int]:
        found, place = list[int](), text.find(self._literal)
        while place >= 0:
            found.append(place)
            end = text.find(b"\n", place)
            place = text.find(self._literal, end + 1) if end >= 0 else -1
        return found

    def _rarity(self, index: int) -> int:
        rank = _FREQUENT.find(self._literal[index])
        return len(_FREQUENT) if rank < 0 else rank
