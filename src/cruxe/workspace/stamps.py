"""Stamps of files: size, mtime, ctime and inode, by which a change is seen without reading.

Reads them for many files at once, names what differs from a known tree, and says which stamps can
be trusted.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import compress
from operator import attrgetter, ne
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.source import CRUXE_FOLDER, CRUXE_IGNORE, NO_SIZE, FileStat
from cruxe.native import kernels

if TYPE_CHECKING:
    from array import array

    from cruxe.native import StampLook

Stamps = tuple[int, int, int, int]  # size, mtime, ctime, inode

# A file written so shortly before its stamps are read may be written again under the same ones.
RACY_NS: Final = 2_000_000_000
# A ctime that matches no file: such a file is read again by the next sync.
_NO_STAMP: Final = 0
# SQLite keeps 63 bits of an inode, and some file systems use all 64.
_INODE_BITS: Final = (1 << 63) - 1
_STAMPS_OF: Final[Callable[[os.stat_result], Stamps]] = attrgetter(
    "st_size", "st_mtime_ns", "st_ctime_ns", "st_ino"
)


def stamps_of_paths(paths: Iterable[bytes]) -> Iterator[Stamps]:
    """Return the stamps of files by full path, links not followed; one that is gone raises.

    Runs without bytecode for each path, since a tree has thousands.
    """
    return map(_STAMPS_OF, map(os.lstat, paths))


def begin_look(folder: str, listing: bytes, numbers: "array[int]") -> "StampLook":
    """Begin to find the paths below a folder that are gone or have other stamps than known.

    Paths are NUL-terminated, with four numbers each; those without stamps are not looked at. With
    the extension a thread looks while the caller goes on.
    """
    in_c = kernels()
    if in_c is not None and sys.platform != "win32":
        return in_c.StampLook(os.fsencode(folder), listing, numbers)
    return PythonStampLook(folder, listing, numbers)


class PythonStampLook:
    """The same as `native/stamps.c`, without a thread: it looks when the result is asked for."""

    def __init__(self, folder: str, listing: bytes, numbers: "array[int]") -> None:
        """Look at nothing yet."""
        self._prefix = os.fsencode(folder) + b"/"
        self._listing = listing
        self._numbers = numbers

    def places(self) -> list[int]:
        """Return the indexes of the paths that are gone or have other stamps."""
        paths = [*map(self._prefix.__add__, self._listing.split(b"\0")[:-1])]
        each = iter(self._numbers)
        known = [*zip(each, each, each, each, strict=True)]
        is_stamped = [size >= NO_SIZE for size, *_ in known]
        indexes = [*compress(range(len(paths)), is_stamped)]
        with suppress(OSError):  # if one is gone, each is looked at by itself
            now = stamps_of_paths(compress(paths, is_stamped))
            indexes = [*compress(indexes, map(ne, now, compress(known, is_stamped)))]
        return [index for index in indexes if _is_unlike(paths[index], known[index])]


def _is_unlike(path: bytes, known: Stamps) -> bool:
    try:
        return stamps_of(os.lstat(path)) != known
    except OSError:
        return True


class TreeDifferences(NamedTuple):
    """How a working tree differs from the listing and the stamps that are known of it."""

    restamped: frozenset[str]  # other stamps than known, or gone
    added: frozenset[str]  # listed now, but not before
    removed: frozenset[str]  # listed before, but not now
    has_ignore_files: bool  # the known listing has a `.cruxeignore`

    @property
    def paths(self) -> frozenset[str]:
        """Every path that differs in some way."""
        return self.restamped | self.added | self.removed


def name_differences(known: bytes, restamped: list[int], listed: bytes) -> TreeDifferences:
    """Name what differs between a known listing and the present one.

    `restamped` are the indexes of known paths with other stamps, in rising order.
    """
    added = removed = frozenset[str]()
    if listed != known:
        before, now = _listed_paths(known), _listed_paths(listed)
        added, removed = now - before, before - now
    # A listing may have 100,000 paths: split it no further than to the last one needed.
    paths = known.split(b"\0", restamped[-1] + 1) if restamped else []
    return TreeDifferences(
        restamped=frozenset(paths[index].decode() for index in restamped),
        added=added,
        removed=removed,
        has_ignore_files=f"{CRUXE_IGNORE}\0".encode() in known,
    )


def _listed_paths(listing: bytes) -> frozenset[str]:
    """The paths of a listing, without our own folder.

    A path that is not UTF-8 is decoded with replacement characters, so it equals no known path.
    """
    own = f"{CRUXE_FOLDER}/"
    listed = listing.decode("utf-8", "replace").split("\0")
    return frozenset(path for path in listed if path and not path.startswith(own))


def stamps_of(status: os.stat_result) -> FileStat:
    """Return the stamps in a stat result."""
    inode = status.st_ino & _INODE_BITS
    return FileStat(status.st_size, status.st_mtime_ns, status.st_ctime_ns, inode)


def is_racy(stat: FileStat) -> bool:
    """Return whether stamps were taken so soon after a write that they cannot be trusted."""
    return stat.ctime_ns == _NO_STAMP


def settled_stat(stat: FileStat) -> FileStat:
    """Return the stamps to store: those of a file that was just written match nothing."""
    if stat.mtime_ns > time.time_ns() - RACY_NS:
        return stat._replace(ctime_ns=_NO_STAMP)
    return stat
