"""Quantise float vectors to one byte per number, and to codes of one bit per number.

Vectors of every model have this form, so the store and the search do not depend on the model. The
results are integers, equal on every machine; `native/vectors.c` and `directed.c` compute the same.
"""

import math
from array import array
from collections.abc import Sequence
from typing import Final

from cruxe.model.stored import Vectors

# The length of a stored vector. The largest of 256 numbers rarely exceeds a third of it; one that
# does is clamped to the range of a byte.
VECTOR_LENGTH: Final = 400
# The length of a query's vector: its product with a stored one is exact in 32-bit floats.
QUERY_LENGTH: Final = 16_384
FULL_PRODUCT: Final = VECTOR_LENGTH * QUERY_LENGTH  # of two vectors in the same direction
BYTE_MAX: Final = 127
# Fixed-point unit of a unit vector's numbers while its length is computed.
FRACTIONS: Final = 1 << 20
NUMBERS_PER_BYTE: Final = 8  # of a code
# Codes are compared in words of this many bits.
_WORD_NUMBERS: Final = 64
_DIGITS: Final = b"01".ljust(256)
SIGN: Final = 128
# Maps a signed byte to the unsigned one that is larger by 128.
WITHOUT_SIGN: Final = bytes(value ^ SIGN for value in range(256))


def stored_size(dimensions: int) -> int:
    """Return the stored size of a vector: dimensions rounded up to a multiple of 64."""
    return -(-dimensions // _WORD_NUMBERS) * _WORD_NUMBERS


def quantise(vectors: Sequence[Sequence[float]], centre: Sequence[int]) -> Vectors:
    """Return vectors in stored form; a code bit says whether a number is above the centre's.

    A zero vector stays zero.
    """
    stored = [_clamp(scale(numbers, VECTOR_LENGTH)) for numbers in vectors]
    return Vectors(
        b"".join(array("b", numbers).tobytes() for numbers in stored),
        b"".join(_code(numbers, centre) for numbers in stored),
    )


def quantise_padded(vectors: Sequence[Sequence[float]], size: int) -> Vectors:
    """Return vectors in stored form, padded with zeros to a size, with a centre of zeros."""
    return quantise([_pad(numbers, size) for numbers in vectors], [0] * size)


def query_vector_of(numbers: Sequence[float], size: int) -> list[int]:
    """Return a query's vector, padded with zeros to a size."""
    return scale(_pad(numbers, size), QUERY_LENGTH)


def query_code(vector: Sequence[int]) -> bytes:
    """Return the code of a query's vector."""
    bits = bytes([number > 0 for number in vector]).translate(_DIGITS)
    return int(bits, 2).to_bytes(len(bits) // NUMBERS_PER_BYTE, "big")


def scale(numbers: Sequence[float], length: int) -> list[int]:
    """Return integers in the same direction, scaled to a length; zeros stay zeros."""
    whole = [round(number * FRACTIONS) for number in numbers]
    own = math.sqrt(sum(number * number for number in whole))
    return [round(number * (length / own)) for number in whole] if own else whole


def _clamp(numbers: Sequence[int]) -> list[int]:
    return [min(max(number, -BYTE_MAX), BYTE_MAX) for number in numbers]


def _code(numbers: Sequence[int], centre: Sequence[int]) -> bytes:
    bits = ["1" if a > b else "0" for a, b in zip(numbers, centre, strict=True)]
    return int("".join(bits), 2).to_bytes(len(bits) // NUMBERS_PER_BYTE, "big")


def _pad(numbers: Sequence[float], size: int) -> list[float]:
    """Append zeros, which change no product and no length."""
    return [*numbers, *[0.0] * (size - len(numbers))]
