"""Packed columns: a ref's versions and stamps as arrays that need no unpacking row by row."""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.model.source import FileStat

# In the place of a size: the path was listed without stamps, because it is a symlink, or else.
SYMLINK_SIZE: Final = -2
NO_SIZE: Final = -1


class PackedKeys:
    """A sorted array of version keys; membership by bisection."""

    def __init__(self, packed: bytes) -> None:
        """Read keys packed by `pack_keys`."""
        self._keys = _unpack("Q", packed)

    def __contains__(self, key: int) -> bool:
        """Whether a key is in the set."""
        position = bisect_left(self._keys, key)
        return position < len(self._keys) and self._keys[position] == key

    def __iter__(self) -> Iterator[VersionKey]:
        """Keys in rising order."""
        return map(VersionKey, self._keys)

    def __len__(self) -> int:
        """Number of keys."""
        return len(self._keys)


class PackedStamps(NamedTuple):
    """The paths of a ref in order, and their stamps column by column."""

    listing: bytes  # the paths as git lists them, each ended by NUL
    paths: list[str]
    sizes: "array[int]"
    mtimes_ns: "array[int]"
    ctimes_ns: "array[int]"
    inodes: "array[int]"


def pack_keys(keys: Iterable[int]) -> bytes:
    """Pack keys, little end first on every machine."""
    return _pack(array("Q", sorted(set(keys))))


def pack_sorted_keys(keys: Iterable[int]) -> bytes:
    """Pack keys that are all different and come in rising order."""
    return _pack(array("Q", [*keys]))


def pack_stamps(stamps: Iterable[FileStat]) -> bytes:
    """Pack stamps, one after another."""
    numbers = [*chain.from_iterable(stamps)]
    try:
        return _pack(array("q", numbers))
    except OverflowError:
        return _pack(array("q", map(_signed, numbers)))


def unpack_stamps(paths: str, packed: bytes) -> PackedStamps:
    """Read the paths of a ref, parted by NUL, with the stamps packed for them."""
    numbers = _unpack("q", packed)
    columns = (numbers[column::4] for column in range(4))
    listing = f"{paths}\0".encode() if paths else b""
    return PackedStamps(listing, paths.split("\0") if paths else [], *columns)


def _signed(number: int) -> int:
    # Inodes of network file systems may use all 64 bits.
    return number - (1 << 64) if number >= 1 << 63 else number


def _pack(numbers: "array[int]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _unpack(code: str, packed: bytes) -> "array[int]":
    numbers = array(code, packed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
