"""Which files of a tree to look at again, by the events since the last look.

For a process that syncs one tree again and again. From its second look on it watches all folders,
and looks only at the paths that events named since the last full look. Events are not complete: a
write through a memory map, or through another hard link, gives none. So the journal is believed
only if it has a change, and for a limited time; otherwise everything is looked at.
"""

import os
import stat
import sys
import time
from _thread import allocate_lock, get_ident
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from cruxe.freshness.file_events import (
    EventKind,
    FileEvent,
    InotifyQueue,
    WatchFailedError,
    has_inotify,
)
from cruxe.freshness.listing_fingerprint import ListingFingerprint, join_paths
from cruxe.model.source import NO_SIZE
from cruxe.model.stored import STAMP_NUMBERS
from cruxe.workspace.read import begin_look

if TYPE_CHECKING:
    from cruxe.native import StampLook

# For how long the events since a full look are taken for all changes.
_FULL_LOOK_SECONDS: Final = 60.0
# With more doubtful paths, looking at everything takes no longer.
_MAX_DOUBTFUL_PATHS: Final = 64
# The share of the user's inotify watches that all trees of a process may take: an editor needs
# some too.
_WATCH_SHARE: Final = 8
_WATCH_LIMIT_FILE: Final = "/proc/sys/fs/inotify/max_user_watches"
# The user may have as few as 128 inotify queues.
_MAX_WATCHED_TREES: Final = 8
# A tree that finds no watches left tries again after so many looks.
_LOOKS_BEFORE_RETRY: Final = 16
_ROWS_PER_COMPARISON: Final = 256
_NO_PATHS: Final[frozenset[bytes]] = frozenset()

# The journals that watch, each with the number of its watches.
_watching: Final[WeakKeyDictionary["ChangeJournal", int]] = WeakKeyDictionary()
_watching_lock: Final = allocate_lock()


class ChangeJournal:
    """What one thread of one process knows of a tree between its looks.

    In another thread or a forked process everything is looked at.
    """

    def __init__(self, root: str) -> None:
        """Watch nothing yet."""
        self._root = root
        self._owner = os.getpid(), get_ident()
        self._events: InotifyQueue | None = None
        self._root_id = _identity(root)
        self._full_look_at = 0.0
        self._losses = 0
        self._looks_until_watching = 1  # a process that looks once would watch for nothing
        self._files = _ComparedPaths()
        self._folders = _ComparedPaths()

    def begin(
        self, listing: bytes, numbers: "array[int]", fingerprint: ListingFingerprint
    ) -> "tuple[StampLook, StampLook]":
        """Begin to look at the known files of a tree, and at the folders of its fingerprint."""
        files = StampedPaths(self._root, listing, numbers)
        folders = StampedPaths(self._root, fingerprint.listed, fingerprint.inside_stamps)
        if self._owner != (os.getpid(), get_ident()):
            return files.look(), folders.look()
        self._read_or_watch(files, folders)
        found = self._look_at_doubtful(files, folders)
        if found is not None:
            return found
        self._full_look_at = time.monotonic()
        return _FullLook(files, self._files), _FullLook(folders, self._folders)

    def has_change(self) -> bool:
        """Return whether a file certainly differs from the last look; in doubt False."""
        if self._owner != (os.getpid(), get_ident()):
            return False
        self._read_events()
        return self._files.has_changed()

    def _read_events(self) -> None:
        if self._events is None:
            return
        touched = _touched_paths(self._root, self._events.drain())
        # If a folder above the root is renamed, there is no event.
        if touched is None or _identity(self._root) != self._root_id:
            self._losses += 1
            self._looks_until_watching = self._losses
            self._forget()
        else:
            self._files.doubt(touched)
            self._folders.doubt(touched)

    def _read_or_watch(self, files: "StampedPaths", folders: "StampedPaths") -> None:
        """Read the events; if nothing is watched, begin to, unless events were lost often."""
        self._read_events()
        if self._events is not None:
            return
        self._forget()
        if self._looks_until_watching:
            self._looks_until_watching -= 1
        elif len(_watching) < _MAX_WATCHED_TREES:
            self._watch(_watched_folders(files, folders))

    def _watch(self, folders: bytes) -> None:
        """Watch folders, unless that takes too many of the user's watches."""
        count, limit = folders.count(b"\0"), _watch_limit()
        if count <= limit and not _reserve_watches(self, count, limit):
            self._looks_until_watching = _LOOKS_BEFORE_RETRY
            return
        self._root_id = _identity(self._root)
        self._events = _open_queue(self._root, folders) if count <= limit else None
        if self._events is None:
            self._forget()
            self._looks_until_watching = sys.maxsize

    def _forget(self) -> None:
        self._events = None
        with _watching_lock:
            _watching.pop(self, None)
        self._files, self._folders = _ComparedPaths(), _ComparedPaths()

    def _look_at_doubtful(
        self, files: "StampedPaths", folders: "StampedPaths"
    ) -> "tuple[StampLook, StampLook] | None":
        """Look where something may differ; None if there was no event of a certain change."""
        if time.monotonic() - self._full_look_at > _FULL_LOOK_SECONDS:
            return None
        touched = self._files.touched | self._folders.touched
        doubtful_files = self._files.doubtful(files)
        doubtful_folders = self._folders.doubtful(folders)
        if not touched or doubtful_files is None or doubtful_folders is None:
            return None
        changed_files = _find_changed(files, doubtful_files)
        changed_folders = _find_changed(folders, doubtful_folders)
        if touched.isdisjoint({**changed_files, **changed_folders}.values()):
            return None
        same_names = self._with_same_names(changed_folders, files)
        self._files.rest_on(files, changed_files)
        self._folders.rest_on(folders, changed_folders, same_names)
        others = [index for index, path in changed_folders.items() if path not in same_names]
        return _FinishedLook([*changed_files]), _FinishedLook(others)

    def _with_same_names(
        self, changed: dict[int, bytes], files: "StampedPaths"
    ) -> frozenset[bytes]:
        """The changed folders that hold the names that git lists, and no others.

        An editor that writes a file aside and renames it leaves such a folder.
        """
        known = self._folders
        # Once git lists something else in a folder, later events there do not change that back.
        relisted = known.differing - known.same_names
        found = (known.touched & {*changed.values()}) - relisted
        names: dict[bytes, list[bytes]] = {folder: [] for folder in found}
        for path in known.touched - {b""}:
            names.get(path.rpartition(b"/")[0], []).append(path)
        same = {
            folder
            for folder, paths in names.items()
            if paths and all(_is_as_listed(path, files) for path in paths)  # none: no folder
        }
        return (known.same_names - names.keys()) | same


class StampedPaths:
    """Paths below a root with their known stamps."""

    def __init__(self, root: str, listing: bytes, numbers: "array[int]") -> None:
        """Take NUL-terminated paths, and four numbers for each."""
        self.root = root
        self.listing = listing
        self.numbers = numbers

    def look(self) -> "StampLook":
        """Begin to look at all of them."""
        return begin_look(self.root, self.listing, self.numbers)

    def paths(self) -> list[bytes]:
        """All paths."""
        return self.listing.split(b"\0")[:-1]

    def index_of(self, path: bytes) -> int | None:
        """The index of a path; None if it is not among them."""
        if self.listing.startswith(path + b"\0"):
            return 0
        start = self.listing.find(b"\0%b\0" % path)
        return None if start < 0 else self.listing.count(b"\0", 0, start) + 1

    def select(self, paths: dict[int, bytes]) -> "StampedPaths":
        """Some of them, by index."""
        numbers = array("q")
        for index in paths:
            numbers += self.numbers[index * STAMP_NUMBERS : (index + 1) * STAMP_NUMBERS]
        return StampedPaths(self.root, join_paths(paths.values()), numbers)

    def find_restamped(self, other: "StampedPaths") -> list[int]:
        """The indexes at which the same paths have other known stamps."""
        step = _ROWS_PER_COMPARISON * STAMP_NUMBERS
        ours, theirs = self.numbers, other.numbers
        starts = [
            start
            for start in range(0, len(ours), step)
            if ours[start : start + step] != theirs[start : start + step]
        ]
        return [
            row // STAMP_NUMBERS
            for start in starts
            for row in range(start, min(start + step, len(ours)), STAMP_NUMBERS)
            if ours[row : row + STAMP_NUMBERS] != theirs[row : row + STAMP_NUMBERS]
        ]


class _ComparedPaths:
    """Stamps that were compared with the files, and the paths that may differ from them by now."""

    def __init__(self) -> None:
        self._base: StampedPaths | None = None
        self.differing = _NO_PATHS
        self.touched = _NO_PATHS  # by events since the comparison
        self.same_names = _NO_PATHS  # differing folders in which git lists the same names

    def doubt(self, touched: set[bytes]) -> None:
        """Take paths that events were of."""
        self.touched |= touched

    def rest_on(
        self,
        stamped: StampedPaths,
        differing: dict[int, bytes],
        same_names: frozenset[bytes] = _NO_PATHS,
    ) -> None:
        """Take a comparison: all but some paths have the known stamps, and there is no event."""
        self._base = stamped
        self.differing = frozenset(differing.values())
        self.same_names = same_names
        self.touched = _NO_PATHS

    def has_changed(self) -> bool:
        """Return whether a touched path has other stamps; False if there are many."""
        base = self._base
        if base is None or not 0 < len(self.touched) <= _MAX_DOUBTFUL_PATHS:
            return False
        return bool(_find_changed(base, _by_index(base, self.touched)))

    def doubtful(self, stamped: StampedPaths) -> dict[int, bytes] | None:
        """The paths that may have other stamps, by index; None if these may be many."""
        base = self._base
        doubtful = self.differing | self.touched
        if base is None or base.listing != stamped.listing:
            return None
        if len(doubtful) > _MAX_DOUBTFUL_PATHS:
            return None
        found = _by_index(stamped, doubtful)
        restamped = [index for index in base.find_restamped(stamped) if index not in found]
        paths = stamped.paths() if restamped else []
        found |= {index: paths[index] for index in restamped}
        return dict(sorted(found.items())) if len(found) <= _MAX_DOUBTFUL_PATHS else None


class _FinishedLook:
    """A look that has ended."""

    def __init__(self, indexes: list[int]) -> None:
        self._indexes = indexes

    def places(self) -> list[int]:
        return self._indexes


class _FullLook:
    """A look at everything, on which later ones rest."""

    def __init__(self, stamped: StampedPaths, compared: _ComparedPaths) -> None:
        self._stamped = stamped
        self._compared = compared
        self._look = stamped.look()

    def places(self) -> list[int]:
        found = self._look.places()
        paths = self._stamped.paths() if found else []
        self._compared.rest_on(self._stamped, {index: paths[index] for index in found})
        return found


def _by_index(stamped: StampedPaths, paths: Iterable[bytes]) -> dict[int, bytes]:
    """Those of some paths that are known, by index."""
    found = {stamped.index_of(path): path for path in paths}
    return {index: path for index, path in found.items() if index is not None}


def _find_changed(stamped: StampedPaths, paths: dict[int, bytes]) -> dict[int, bytes]:
    """Look at some paths: those that have other stamps."""
    indexes = [*paths]
    found = [indexes[each] for each in stamped.select(paths).look().places()]
    return {index: paths[index] for index in found}


def _is_as_listed(path: bytes, files: StampedPaths) -> bool:
    """Whether a listed path is a file, or a path that is not listed does not exist."""
    try:
        mode = os.lstat(os.fsencode(files.root) + b"/" + path).st_mode
    except FileNotFoundError:
        return files.index_of(path) is None
    except OSError:
        return False
    index = files.index_of(path)
    # A path without stamps may have become another kind of file: that needs a full look.
    has_stamps = index is not None and files.numbers[index * STAMP_NUMBERS] >= NO_SIZE
    return has_stamps and stat.S_ISREG(mode)


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _watched_folders(files: StampedPaths, folders: StampedPaths) -> bytes:
    """Every folder that holds a file or that git looks into, NUL-terminated."""
    from cruxe.freshness.take_fingerprint import folders_of

    return join_paths(sorted(folders_of(files.listing).union(folders.listing.split(b"\0")[:-1])))


def _open_queue(root: str, folders: bytes) -> InotifyQueue | None:
    """Watch folders below a root; None if that is not possible."""
    if not has_inotify():
        return None
    paths = [os.path.join(root, os.fsdecode(folder)) for folder in folders.split(b"\0")[:-1]]
    try:
        return InotifyQueue([path.rstrip("/") for path in paths], follows_links=False)
    except WatchFailedError:
        return None


def _touched_paths(root: str, events: set[FileEvent]) -> set[bytes] | None:
    """The paths below a root that events are of; None if they do not tell all.

    They do not if some were lost, or a folder came, went or got another name.
    """
    start = len(os.fsencode(root)) + 1
    touched: set[bytes] = set()
    for event in events:
        if event.is_folder or event.kind is EventKind.LOST:
            return None
        path = os.fsencode(event.path)[start:]
        touched.add(path)
        if event.kind is not EventKind.MODIFIED:
            touched.add(path.rpartition(b"/")[0])  # a folder is stamped when a name comes or goes
    return touched


def _watch_limit() -> int:
    """How many watches all trees of this process may have together."""
    try:
        with open(_WATCH_LIMIT_FILE, encoding="ascii") as file:
            return int(file.read()) // _WATCH_SHARE
    except (OSError, ValueError):
        return 0


def _reserve_watches(journal: ChangeJournal, count: int, limit: int) -> bool:
    """Reserve watches for a journal; False if the others leave it too few."""
    with _watching_lock:
        is_within = sum(_watching.values()) + count <= limit
        if is_within:
            _watching[journal] = count
        return is_within
