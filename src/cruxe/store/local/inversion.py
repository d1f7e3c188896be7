"""Sets of trigrams turned round: which sets hold a trigram, instead of which trigrams a set holds.

Who holds a trigram is packed as the numbers of the sets, two bytes each and rising, or as one bit a
set where that is no longer. The length tells which: only the bits have a byte for each eight sets.
"""

from array import array
from collections.abc import Iterable
from functools import cache
from typing import Final

from cruxe.native import kernels
from cruxe.store.packed import pack_numbers, unpack_numbers

# A bit for each still fits a page of the database several times over, and a number two bytes.
MOST_SETS: Final = 8_192
_NUMBERS: Final = "H"
_NUMBER_BYTES: Final = 2
_BYTE_BITS: Final = 8


def invert_sets(sets: list[bytes], first_place: int) -> list[tuple[int, bytes]]:
    """Each trigram of some packed sets, `first_place` added, with who holds it; in rising order."""
    in_c = kernels()
    if in_c is not None:
        return in_c.invert_sets(sets, first_place)
    holders: dict[int, array[int]] = {}
    for number, packed in enumerate(sets):
        for trigram in unpack_numbers(_NUMBERS, packed):
            holders.setdefault(trigram, array(_NUMBERS)).append(number)
    return [
        (first_place + trigram, _pack_holders(numbers, len(sets)))
        for trigram, numbers in sorted(holders.items())
    ]


def restore_sets(holders: Iterable[tuple[int, bytes]], set_count: int) -> list[bytes]:
    """The sets that trigrams and their holders were made from."""
    sets = [array(_NUMBERS) for _ in range(set_count)]
    for trigram, packed in holders:
        for number in _numbers(packed, set_count):
            sets[number].append(trigram)
    return [pack_numbers(each) for each in sets]


def holders_of_all(holders: Iterable[bytes], set_count: int) -> list[int]:
    """The numbers of the sets that hold every trigram, from those that hold each; rising."""
    bits = bytes(_bit_bytes(set_count))
    common = (1 << set_count) - 1
    lists: list[bytes] = []
    for packed in holders:
        if len(packed) < len(bits):
            lists.append(packed)
        else:
            common &= int.from_bytes(packed, "little")
    bits = common.to_bytes(len(bits), "little")
    if not lists:
        return _places(bits)
    shortest, *others = sorted(lists, key=len)
    found = set(unpack_numbers(_NUMBERS, shortest))
    for each in others:
        found.intersection_update(unpack_numbers(_NUMBERS, each))
    return sorted(number for number in found if bits[number >> 3] >> (number & 7) & 1)


def _pack_holders(numbers: "array[int]", set_count: int) -> bytes:
    if len(numbers) * _NUMBER_BYTES < _bit_bytes(set_count):
        return pack_numbers(numbers)
    bits = bytearray(_bit_bytes(set_count))
    for number in numbers:
        bits[number >> 3] |= 1 << (number & 7)
    return bytes(bits)


def _numbers(packed: bytes, set_count: int) -> "list[int] | array[int]":
    is_list = len(packed) < _bit_bytes(set_count)
    return unpack_numbers(_NUMBERS, packed) if is_list else _places(packed)


def _bit_bytes(set_count: int) -> int:
    return (set_count + _BYTE_BITS - 1) // _BYTE_BITS


def _places(bits: bytes) -> list[int]:
    """The numbers whose bits are set."""
    places = _places_in_byte()
    return [
        start * _BYTE_BITS + place
        for start, byte in enumerate(bits)
        if byte
        for place in places[byte]
    ]


@cache
def _places_in_byte() -> list[list[int]]:
    return [[place for place in range(_BYTE_BITS) if byte >> place & 1] for byte in range(256)]
