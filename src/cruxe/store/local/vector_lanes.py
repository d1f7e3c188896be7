"""SIMD within Python integers, for machines without the C extension.

One number of each row is a lane of a long integer. A column of bytes is translated or multiplied as
a whole, and columns are added as integers. Exact, and several times as fast as a loop over rows.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from struct import unpack
from typing import Final

from cruxe.embed.quantise import SIGN, WITHOUT_SIGN

# With at most this many bytes the number of differing bits fits into a lane of one byte.
_MOST_CODE_BYTES: Final = 31
_BYTE_VALUES: Final = 256
_ALL_BYTES: Final = bytes(range(_BYTE_VALUES))
_BIT_COUNTS: Final = bytes(map(int.bit_count, _ALL_BYTES))
_LANES: Final = {4: "I", 8: "Q"}  # bytes of one, and how they are read


def distances_of(codes: bytes, code: bytes) -> Sequence[int]:
    """Return the Hamming distances of concatenated codes to one code."""
    size = len(code)
    count = len(codes) // size
    parts = [
        _sum_of_columns(codes, code, range(first, min(first + _MOST_CODE_BYTES, size)))
        for first in range(0, size, _MOST_CODE_BYTES)
    ]
    if not _may_overflow(codes, code):
        return sum(parts).to_bytes(count, "little")
    return [*map(sum, zip(*(part.to_bytes(count, "little") for part in parts), strict=True))]


def _sum_of_columns(codes: bytes, code: bytes, columns: range) -> int:
    total = 0
    for column_index in columns:
        differing = _xored(_ALL_BYTES, code[column_index]).translate(_BIT_COUNTS)
        total += int.from_bytes(codes[column_index :: len(code)].translate(differing), "little")
    return total


def _xored(values: bytes, own: int) -> bytes:
    """Return bytes with each byte XORed with a value."""
    both = int.from_bytes(values, "little") ^ int.from_bytes(bytes([own]) * len(values), "little")
    return both.to_bytes(len(values), "little")


def _may_overflow(codes: bytes, code: bytes) -> bool:
    """Return whether a distance may overflow a lane: with 32 bytes only that of the complement."""
    if len(code) != _MOST_CODE_BYTES + 1:
        return len(code) > _MOST_CODE_BYTES
    return bytes(value ^ (_BYTE_VALUES - 1) for value in code) in codes


def distance_reached(distances: Sequence[int], least: int) -> int:
    """Return the smallest distance that at least `least` rows are within, or the largest one."""
    if len(distances) <= least:
        return max(distances)
    if not isinstance(distances, bytes):
        return sorted(distances)[least - 1]

    def within(most: int) -> int:
        return len(distances) - len(distances.translate(None, bytes(range(most + 1))))

    return bisect_left(range(_BYTE_VALUES), least, key=within)


def flags_within(distances: Sequence[int], most: int) -> Iterable[int]:
    """Return a flag for each distance: whether it is at most `most`."""
    if not isinstance(distances, bytes):
        return map(most.__ge__, distances)
    return distances.translate(bytes(value <= most for value in range(_BYTE_VALUES)))


def products_of(rows: bytes, query: Sequence[int]) -> list[int]:
    """Return the dot products of concatenated rows of signed bytes with a query."""
    # A negative lane would borrow from the next one.
    offset = -min(query)
    most = (_BYTE_VALUES - 1) * max(len(query), sum(query) + offset * len(query))
    lane_bytes = next(size for size in _LANES if most < 1 << 8 * size)
    count, unsigned = len(rows) // len(query), rows.translate(WITHOUT_SIGN)
    lanes = bytearray(count * lane_bytes)
    weighed = plain = 0
    for column_index, number in enumerate(query):
        lanes[::lane_bytes] = unsigned[column_index :: len(query)]
        column = int.from_bytes(lanes, "little")
        weighed += column * (number + offset)
        plain += column
    form = f"<{count}{_LANES[lane_bytes]}"
    sums = unpack(form, weighed.to_bytes(len(lanes), "little"))
    totals = unpack(form, plain.to_bytes(len(lanes), "little"))
    shift = SIGN * sum(query)
    return [a - offset * b - shift for a, b in zip(sums, totals, strict=True)]
