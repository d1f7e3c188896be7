"""Stamps of files: read for many at once, and which of them can be trusted."""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Final

from cruxe.model.source import FileStat

Stamps = tuple[int, int, int, int]  # size, mtime, ctime, inode

# What was written this shortly before it was looked at may be written again under the same stamps.
RACY_NS: Final = 2_000_000_000
# Stamps that match no file: such a file is read again by the next sync.
_NO_STAMP: Final = 0
_STAMPS_OF: Final[Callable[[os.stat_result], Stamps]] = attrgetter(
    "st_size", "st_mtime_ns", "st_ctime_ns", "st_ino"
)


def stamps_of_paths(paths: Iterable[bytes]) -> Iterator[Stamps]:
    """The stamps of files by their full paths, links not followed; one that is gone raises.

    There is no step of the interpreter for each: a tree has thousands.
    """
    return map(_STAMPS_OF, map(os.lstat, paths))


def is_racy(stat: FileStat) -> bool:
    """Whether stamps were taken when the file might still have been being written."""
    return stat.ctime_ns == _NO_STAMP


def settled_stat(stat: FileStat) -> FileStat:
    """The stamps to remember: those of a file that may still be being written match nothing."""
    if stat.mtime_ns > time.time_ns() - RACY_NS:
        return stat._replace(ctime_ns=_NO_STAMP)
    return stat
