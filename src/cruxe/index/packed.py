"""Sets of version keys, packed: a ref's map as a sorted array that needs no unpacking."""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from cruxe.model.identity import VersionKey


class PackedKeys:
    """A sorted array of version keys; membership by bisection."""

    def __init__(self, packed: bytes) -> None:
        """Read keys packed by `pack_keys`."""
        self._keys = array("Q", packed)
        if sys.byteorder == "big":
            self._keys.byteswap()

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


def pack_keys(keys: Iterable[int]) -> bytes:
    """Pack keys, little end first on every machine."""
    packed = array("Q", sorted(set(keys)))
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()
