"""Lists of numbers, as other models give them, in the form of our own vectors.

They are brought to the length of our vectors and kept in one byte a number, so the store and the
search do not know who made them.
"""

from array import array
from collections.abc import Sequence
from typing import Final

from cruxe.embed.static_vectors import QUERY_LENGTH, VECTOR_LENGTH, code_of, cut, scaled
from cruxe.model.vectors import Vectors

# Codes are compared in words of so many bits.
_WORD_NUMBERS: Final = 64


def stored_size(dimensions: int) -> int:
    """How many numbers a vector of some dimensions has in the store."""
    return -(-dimensions // _WORD_NUMBERS) * _WORD_NUMBERS


def query_vector_of(numbers: Sequence[float], size: int) -> list[int]:
    """A question's vector."""
    return _filled(scaled(numbers, QUERY_LENGTH), size)


def vectors_of_lists(lists: Sequence[Sequence[float]], size: int) -> Vectors:
    """Vectors as they are stored; a list of zeros stays one."""
    stored = [_filled(cut(scaled(numbers, VECTOR_LENGTH)), size) for numbers in lists]
    nowhere = [0] * size
    return Vectors(
        b"".join(array("b", numbers).tobytes() for numbers in stored),
        b"".join(code_of(numbers, nowhere) for numbers in stored),
    )


def _filled(numbers: list[int], size: int) -> list[int]:
    """With zeros at the end, which change no product and no length."""
    return numbers + [0] * (size - len(numbers))
