"""Packed columns: a ref's versions and stamps as arrays that need no unpacking row by row."""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.model.source import FileStat

_STAMP_NUMBERS: Final = 4
# To look for one takes a fifth of the time that all take to be parted.
_FEW_PATHS: Final = 4


class PackedKeys:
    """A sorted array of version keys; membership by bisection."""

    def __init__(self, packed: bytes) -> None:
        """Read keys packed by `pack_keys`."""
        self._keys = unpack_numbers("Q", packed)

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
    """The paths of a ref in order, and their stamps."""

    listing: bytes  # the paths as git lists them, each ended by NUL
    numbers: "array[int]"  # size, mtime, ctime and inode of each

    def sizes(self) -> "array[int]":
        """The sizes alone."""
        return self.numbers[::_STAMP_NUMBERS]

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """The stamps, path by path."""
        numbers = iter(self.numbers)
        return zip(numbers, numbers, numbers, numbers, strict=True)

    def at(self, place: int) -> FileStat:
        """The stamps of one path."""
        start = place * _STAMP_NUMBERS
        return FileStat(*self.numbers[start : start + _STAMP_NUMBERS])

    def split_paths(self) -> list[bytes]:
        """The paths one by one."""
        return self.listing.split(b"\0")[:-1]


def pack_numbers(numbers: "array[int]") -> bytes:
    """Pack numbers, little end first on every machine."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def unpack_numbers(code: str, packed: bytes) -> "array[int]":
    """Read packed numbers of a kind, as `array` names it."""
    numbers = array(code, packed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def pack_keys(keys: Iterable[int]) -> bytes:
    """Pack keys, each once and in rising order."""
    return pack_numbers(array("Q", sorted(set(keys))))


def pack_sorted_keys(keys: Iterable[int]) -> bytes:
    """Pack keys that are all different and come in rising order."""
    return pack_numbers(array("Q", [*keys]))


def edit_keys(packed: bytes, gone: Iterable[int], added: Iterable[int]) -> bytes:
    """Take some keys out and put others in."""
    keys = unpack_numbers("Q", packed)
    for key in gone:
        place = bisect_left(keys, key)
        if keys[place : place + 1] == array("Q", (key,)):
            del keys[place]
    for key in added:
        place = bisect_left(keys, key)
        if keys[place : place + 1] != array("Q", (key,)):
            keys.insert(place, key)
    return pack_numbers(keys)


def pack_stamps(stamps: Iterable[FileStat]) -> bytes:
    """Pack stamps, one after another."""
    return pack_numbers(array("q", [*chain.from_iterable(stamps)]))


def unpack_stamps(paths: bytes, packed: bytes) -> PackedStamps:
    """Read the paths of a ref, parted by NUL, with the stamps packed for them."""
    return PackedStamps(paths + b"\0" if paths else b"", unpack_numbers("q", packed))


def edit_stamps(
    paths: bytes, packed: bytes, gone: Collection[str], stamps: Mapping[str, FileStat]
) -> tuple[bytes, bytes]:
    """Take some paths out, and put others in or new stamps in the place of theirs.

    Where the paths stay as they are, the same object is given back.
    """
    numbers = unpack_numbers("q", packed)
    known = {path.encode(): stat for path, stat in stamps.items()}
    is_small = not gone and len(known) <= _FEW_PATHS
    if is_small and _put_in_place(paths, numbers, known):
        return paths, pack_numbers(numbers)
    in_order = paths.split(b"\0") if paths else []
    for path in gone:
        place = bisect_left(in_order, path.encode())
        del in_order[place]
        del numbers[place * _STAMP_NUMBERS : (place + 1) * _STAMP_NUMBERS]
    for name, stat in known.items():
        place = bisect_left(in_order, name)
        end = place
        if in_order[place : place + 1] == [name]:
            end += 1
        in_order[place:end] = [name]
        numbers[place * _STAMP_NUMBERS : end * _STAMP_NUMBERS] = array("q", stat)
    return b"\0".join(in_order), pack_numbers(numbers)


def _put_in_place(paths: bytes, numbers: "array[int]", stamps: Mapping[bytes, FileStat]) -> bool:
    """Put new stamps in the place of those of some paths; not where one of these is not there."""
    bounded = b"\0%b\0" % paths
    starts = [bounded.find(b"\0%b\0" % path) for path in stamps]
    if -1 in starts:
        return False
    for start, stat in zip(starts, stamps.values(), strict=True):
        place = bounded.count(b"\0", 0, start)
        numbers[place * _STAMP_NUMBERS : (place + 1) * _STAMP_NUMBERS] = array("q", stat)
    return True
