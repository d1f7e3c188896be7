"""Version keys and stamps packed into arrays."""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from cruxe.model.identity import VersionKey
from cruxe.model.source import FileStat

STAMP_NUMBERS: Final = 4  # of one path: size, mtime, ctime, inode


class PackedKeys:
    """A sorted array of version keys; membership by bisection."""

    def __init__(self, packed: bytes) -> None:
        """Read keys packed by `pack_keys`."""
        self._keys = unpack_numbers("Q", packed)

    def __contains__(self, key: int) -> bool:
        """Return whether a key is in the set."""
        position = bisect_left(self._keys, key)
        return position < len(self._keys) and self._keys[position] == key

    def __iter__(self) -> Iterator[VersionKey]:
        """Iterate over the keys in ascending order."""
        return map(VersionKey, self._keys)

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self._keys)


class PackedStamps(NamedTuple):
    """The sorted paths of a ref and their stamps."""

    listing: bytes  # the paths as git lists them, each followed by NUL
    numbers: "array[int]"  # size, mtime, ctime and inode of each

    def sizes(self) -> "array[int]":
        """Return the size of each path."""
        return self.numbers[::STAMP_NUMBERS]

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Iterate over the stamps, one tuple per path."""
        numbers = iter(self.numbers)
        return zip(numbers, numbers, numbers, numbers, strict=True)

    def at(self, index: int) -> FileStat:
        """Return the stamps of the path at an index."""
        start = index * STAMP_NUMBERS
        return FileStat._make(self.numbers[start : start + STAMP_NUMBERS])

    def split_paths(self) -> list[bytes]:
        """Return the paths as a list."""
        return self.listing.split(b"\0")[:-1]


def pack_numbers(numbers: "array[int]") -> bytes:
    """Pack numbers in little-endian order."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def unpack_numbers(code: str, packed: bytes) -> "array[int]":
    """Unpack numbers of a type code of `array`."""
    numbers = array(code, packed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def pack_keys(keys: Iterable[int]) -> bytes:
    """Pack keys, sorted and without duplicates."""
    return pack_numbers(array("Q", sorted(set(keys))))


def pack_sorted_keys(keys: Iterable[int]) -> bytes:
    """Pack keys that are already sorted and distinct."""
    return pack_numbers(array("Q", [*keys]))


def pack_stamps(stamps: Iterable[FileStat]) -> bytes:
    """Pack stamps, one after another."""
    return pack_numbers(array("q", [*chain.from_iterable(stamps)]))
