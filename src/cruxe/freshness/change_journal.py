"""Which files of a tree to look at again, where the kernel tells what was touched since a look.

For a process that syncs one tree again and again. From its second look on it listens to all
folders, and what was told since the last look at everything is looked at alone. Not all is told:
not what is written through a memory map, or under another name of the same file. So a trail is
only believed when it tells of a change, and not for long; else everything is looked at, as in a
process that looks once.
"""

import os
import stat
import sys
import time
from _thread import allocate_lock, get_ident
from array import array
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from cruxe.freshness.file_events import (
    EventKind,
    FileEvent,
    InotifyQueue,
    WatchFailedError,
    has_inotify,
)
from cruxe.freshness.listing_fingerprint import STAMP_NUMBERS, Witness, joined
from cruxe.model.source import NO_SIZE
from cruxe.workspace.stamps import begin_look

if TYPE_CHECKING:
    from cruxe.native import StampLook

# For how long changes are believed to be all that there are.
_WHOLE_LOOK_SECONDS: Final = 60.0
# With more paths in doubt, to look at all of them takes no longer.
_FEW_PATHS: Final = 64
# Whoever works on the tree needs watches too, of which a user has so many.
_SHARE_OF_WATCHES: Final = 8
_WATCHES: Final = "/proc/sys/fs/inotify/max_user_watches"
# Of queues a user has as few as 128.
_MOST_TREES: Final = 8
# Each with the number of its watches.
_listening: Final[WeakKeyDictionary["TreeTrail", int]] = WeakKeyDictionary()
_counting: Final = allocate_lock()
# A tree that finds no watches left asks again after so many looks.
_LOOKS_UNTIL_OTHERS_END: Final = 16
_ROWS_AT_ONCE: Final = 256
_NO_PATHS: Final[frozenset[bytes]] = frozenset()


class TreeTrail:
    """What one thread of one process knows of a tree between its looks."""

    def __init__(self, root: str) -> None:
        """Listen to nothing yet."""
        self._root = root
        self._owner = os.getpid(), get_ident()
        self._events: InotifyQueue | None = None
        self._folder = _identity(root)  # of the root
        self._whole_at = 0.0
        self._losses = 0
        self._looks_to_come = 1  # before it listens: to begin takes as long as a look
        self._files = _Compared()
        self._folders = _Compared()

    def begin(
        self, listing: bytes, numbers: "array[int]", witness: Witness
    ) -> "tuple[StampLook, StampLook]":
        """Begin to look at the files that a tree had, and at what a witness saw inside it."""
        files = Stamped(self._root, listing, numbers)
        outside = STAMP_NUMBERS * len(witness.outside)
        folders = Stamped(self._root, witness.listed, witness.stamps[outside:])
        if self._owner != (os.getpid(), get_ident()):
            return files.look(), folders.look()
        self._listen(files, folders)
        found = self._look_at_few(files, folders)
        if found is not None:
            return found
        self._whole_at = time.monotonic()
        return _Whole(files, self._files), _Whole(folders, self._folders)

    def tells_change(self) -> bool:
        """Whether a file is surely another than when it was last looked at; in doubt, no."""
        if self._owner != (os.getpid(), get_ident()):
            return False
        self._hear()
        return self._files.has_changed()

    def _hear(self) -> None:
        """Take what was told."""
        if self._events is None:
            return
        touched = _touched_paths(self._root, self._events.drain())
        # A folder above the root may have got another name, which is told to nobody.
        if touched is None or _identity(self._root) != self._folder:
            self._losses += 1
            self._looks_to_come = self._losses
            self._forget()
        else:
            self._files.doubt(touched)
            self._folders.doubt(touched)

    def _listen(self, files: "Stamped", folders: "Stamped") -> None:
        """Take what was told; where nobody listens, begin, unless that was of no use before."""
        self._hear()
        if self._events is not None:
            return
        self._forget()
        if self._looks_to_come:
            self._looks_to_come -= 1
        elif len(_listening) < _MOST_TREES:
            self._begin_to_listen(_listened_folders(files, folders))

    def _begin_to_listen(self, folders: bytes) -> None:
        """Listen to folders, unless that takes too many of the user's watches."""
        count, most = folders.count(b"\0"), _most_watches()
        if count <= most and not _take_watches(self, count, most):
            self._looks_to_come = _LOOKS_UNTIL_OTHERS_END
            return
        self._folder = _identity(self._root)
        self._events = _open_queue(self._root, folders) if count <= most else None
        if self._events is None:
            self._forget()
            self._looks_to_come = sys.maxsize

    def _forget(self) -> None:
        self._events = None
        with _counting:
            _listening.pop(self, None)
        self._files, self._folders = _Compared(), _Compared()

    def _look_at_few(
        self, files: "Stamped", folders: "Stamped"
    ) -> "tuple[StampLook, StampLook] | None":
        """Look where something may differ; nothing where no change is told of, or not for sure."""
        if time.monotonic() - self._whole_at > _WHOLE_LOOK_SECONDS:
            return None
        told = self._files.told | self._folders.told
        of_files, of_folders = self._files.places(files), self._folders.places(folders)
        if not told or of_files is None or of_folders is None:
            return None
        seen = _seen(files, of_files), _seen(folders, of_folders)
        if told.isdisjoint({**seen[0], **seen[1]}.values()):
            return None
        listed_alike = self._listed_alike(seen[1], files)
        self._files.rest_on(files, seen[0])
        self._folders.rest_on(folders, seen[1], listed_alike)
        others = [place for place, path in seen[1].items() if path not in listed_alike]
        return _Ended([*seen[0]]), _Ended(others)

    def _listed_alike(self, differing: dict[int, bytes], files: "Stamped") -> frozenset[bytes]:
        """The folders that were stamped anew but hold the names that git lists, and no others.

        So does whoever writes a file aside and puts it in the place of the one before.
        """
        known = self._folders
        # One in which git lists something else goes on doing so, whatever comes and goes there.
        lost = known.differing - known.listed_alike
        found = (known.told & {*differing.values()}) - lost
        names: dict[bytes, list[bytes]] = {folder: [] for folder in found}
        for path in known.told - {b""}:
            names.get(path.rpartition(b"/")[0], []).append(path)
        alike = {
            folder
            for folder, paths in names.items()
            if paths and all(_is_as_listed(path, files) for path in paths)  # none: no folder
        }
        return (known.listed_alike - names.keys()) | alike


class Stamped:
    """Paths below a root with the stamps that are known of them."""

    def __init__(self, root: str, listing: bytes, numbers: "array[int]") -> None:
        """Take paths, each ended by NUL, and four numbers for each."""
        self.root = root
        self.listing = listing
        self.numbers = numbers

    def look(self) -> "StampLook":
        """Begin to look at all of them."""
        return begin_look(self.root, self.listing, self.numbers)

    def paths(self) -> list[bytes]:
        """All paths."""
        return self.listing.split(b"\0")[:-1]

    def place_of(self, path: bytes) -> int | None:
        """The place of a path, if it is there."""
        if self.listing.startswith(path + b"\0"):
            return 0
        start = self.listing.find(b"\0%b\0" % path)
        return None if start < 0 else self.listing.count(b"\0", 0, start) + 1

    def at(self, places: dict[int, bytes]) -> "Stamped":
        """Some of them."""
        numbers = array("q")
        for place in places:
            numbers += self.numbers[place * STAMP_NUMBERS : (place + 1) * STAMP_NUMBERS]
        return Stamped(self.root, joined(places.values()), numbers)

    def places_apart(self, other: "Stamped") -> list[int]:
        """Where the same paths have other stamps."""
        step = _ROWS_AT_ONCE * STAMP_NUMBERS
        ours, theirs = self.numbers, other.numbers
        starts = [
            start
            for start in range(0, len(ours), step)
            if ours[start : start + step] != theirs[start : start + step]
        ]
        return [
            place // STAMP_NUMBERS
            for start in starts
            for place in range(start, min(start + step, len(ours)), STAMP_NUMBERS)
            if ours[place : place + STAMP_NUMBERS] != theirs[place : place + STAMP_NUMBERS]
        ]


class _Compared:
    """Stamps that were compared with the files, and the paths that may differ from them by now."""

    def __init__(self) -> None:
        self._base: Stamped | None = None
        self.differing = _NO_PATHS
        self.told = _NO_PATHS
        self.listed_alike = _NO_PATHS  # differing folders, in which git lists the same

    def doubt(self, touched: set[bytes]) -> None:
        """Take it that some paths may have changed."""
        self.told |= touched

    def rest_on(
        self,
        stamped: Stamped,
        differing: dict[int, bytes],
        listed_alike: frozenset[bytes] = _NO_PATHS,
    ) -> None:
        """Take it that all but some paths have these stamps, and that nothing is told as yet."""
        self._base = stamped
        self.differing = frozenset(differing.values())
        self.listed_alike = listed_alike
        self.told = _NO_PATHS

    def has_changed(self) -> bool:
        """Whether one that was told of has other stamps; of many that is not asked."""
        base = self._base
        if base is None or not 0 < len(self.told) <= _FEW_PATHS:
            return False
        found = {base.place_of(path): path for path in self.told}
        return bool(
            _seen(base, {place: path for place, path in found.items() if place is not None})
        )

    def places(self, stamped: Stamped) -> dict[int, bytes] | None:
        """The paths that may have other stamps, by place; nothing where these may be many."""
        base = self._base
        doubtful = self.differing | self.told
        if base is None or base.listing != stamped.listing or len(doubtful) > _FEW_PATHS:
            return None
        found = {stamped.place_of(path): path for path in doubtful}
        places = {place: path for place, path in found.items() if place is not None}
        apart = [place for place in base.places_apart(stamped) if place not in places]
        paths = stamped.paths() if apart else []
        places |= {place: paths[place] for place in apart}
        return dict(sorted(places.items())) if len(places) <= _FEW_PATHS else None


class _Ended:
    """A look that has ended."""

    def __init__(self, places: list[int]) -> None:
        self._places = places

    def places(self) -> list[int]:
        return self._places


class _Whole:
    """A look at everything, on which later ones rest."""

    def __init__(self, stamped: Stamped, compared: _Compared) -> None:
        self._stamped = stamped
        self._compared = compared
        self._look = stamped.look()

    def places(self) -> list[int]:
        found = self._look.places()
        paths = self._stamped.paths() if found else []
        self._compared.rest_on(self._stamped, {place: paths[place] for place in found})
        return found


def _seen(stamped: Stamped, paths: dict[int, bytes]) -> dict[int, bytes]:
    """Those of some paths that have other stamps."""
    places = [*paths]
    found = [places[each] for each in stamped.at(paths).look().places()]
    return {place: paths[place] for place in found}


def _is_as_listed(path: bytes, files: Stamped) -> bool:
    """Whether a listed path is a file, or one that is not listed is not there."""
    try:
        mode = os.lstat(os.fsencode(files.root) + b"/" + path).st_mode
    except FileNotFoundError:
        return files.place_of(path) is None
    except OSError:
        return False
    place = files.place_of(path)
    # Of one that has no stamps it is only known what kind it was: git and the rules tell that.
    has_stamps = place is not None and files.numbers[place * STAMP_NUMBERS] >= NO_SIZE
    return has_stamps and stat.S_ISREG(mode)


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _listened_folders(files: Stamped, folders: Stamped) -> bytes:
    """Every folder that holds a file or is looked into, each ended by NUL."""
    from cruxe.freshness.take_fingerprint import folders_of

    return joined(sorted(folders_of(files.listing).union(folders.listing.split(b"\0")[:-1])))


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


def _most_watches() -> int:
    """How many watches all trees of this process may have together."""
    try:
        with open(_WATCHES, encoding="ascii") as file:
            return int(file.read()) // _SHARE_OF_WATCHES
    except (OSError, ValueError):
        return 0


def _take_watches(trail: TreeTrail, count: int, most: int) -> bool:
    """Count a trail among those that listen, unless the others leave it too few watches."""
    with _counting:
        is_modest = sum(_listening.values()) + count <= most
        if is_modest:
            _listening[trail] = count
        return is_modest
