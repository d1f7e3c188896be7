"""Inverted trigram sets: for each trigram the sets that hold it (its posting list).

A posting list is packed as the numbers of the sets, two bytes each in rising order, or as a bitmap
if that is not longer. The length tells which: a bitmap has a byte for each eight sets.
"""

from array import array
from collections.abc import Iterable
from functools import cache
from typing import Final

from cruxe.model.stored import pack_numbers, unpack_numbers
from cruxe.native import kernels

# A bitmap still fits into a database page several times, and a set number into two bytes.
MOST_SETS: Final = 8_192
_NUMBERS: Final = "H"
_NUMBER_BYTES: Final = 2
_BYTE_BITS: Final = 8


def invert_sets(sets: list[bytes], first_id: int) -> list[tuple[int, bytes]]:
    """Return each trigram of some packed sets plus `first_id`, with its posting list, in order."""
    in_c = kernels()
    if in_c is not None:
        return in_c.invert_sets(sets, first_id)
    holders: dict[int, array[int]] = {}
    for number, packed in enumerate(sets):
        for trigram in unpack_numbers(_NUMBERS, packed):
            holders.setdefault(trigram, array(_NUMBERS)).append(number)
    return [
        (first_id + trigram, _pack_holders(numbers, len(sets)))
        for trigram, numbers in sorted(holders.items())
    ]


def restore_sets(holders: Iterable[tuple[int, bytes]], set_count: int) -> list[bytes]:
    """Return the packed sets that posting lists were made from."""
    sets = [array(_NUMBERS) for _ in range(set_count)]
    for trigram, packed in holders:
        for number in _numbers(packed, set_count):
            sets[number].append(trigram)
    return [pack_numbers(each) for each in sets]


def holders_of_all(holders: Iterable[bytes], set_count: int) -> list[int]:
    """Intersect posting lists; return the numbers of the sets in all of them, in order."""
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
        return _set_bits(bits)
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
    return unpack_numbers(_NUMBERS, packed) if is_list else _set_bits(packed)


def _bit_bytes(set_count: int) -> int:
    return (set_count + _BYTE_BITS - 1) // _BYTE_BITS


def _set_bits(bits: bytes) -> list[int]:
    """Return the numbers of the bits that are set."""
    bits_in_byte = _bits_in_byte()
    return [
        start * _BYTE_BITS + bit
        for start, byte in enumerate(bits)
        if byte
        for bit in bits_in_byte[byte]
    ]


@cache
def _bits_in_byte() -> list[list[int]]:
    return [[bit for bit in range(_BYTE_BITS) if byte >> bit & 1] for byte in range(256)]
