"""The stamps of many files at once, without a step of the interpreter for each."""

import os
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Final

Stamps = tuple[int, int, int, int]  # size, mtime, ctime, inode

_STAMPS_OF: Final[Callable[[os.stat_result], Stamps]] = attrgetter(
    "st_size", "st_mtime_ns", "st_ctime_ns", "st_ino"
)


def stamps_of_paths(paths: Iterable[bytes]) -> Iterator[Stamps]:
    """The stamps of files by their full paths, links not followed; one that is gone raises."""
    return map(_STAMPS_OF, map(os.lstat, paths))
