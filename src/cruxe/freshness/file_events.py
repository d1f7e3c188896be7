"""Events of files in watched folders: one Protocol, and its two implementations.

On Linux with the extension our own inotify reader: a call can drain its queue, so that it knows of
every change made before the call. Elsewhere `watchfiles`, which reports changes some time after
they were made: an index is then only called fresh after a look at the files.
"""

import errno
import os
import select
import sys
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from cruxe.native import kernels

if TYPE_CHECKING:
    from collections.abc import Generator

    from watchfiles import Change

    from cruxe.native import FolderEvents

# Elsewhere one watch covers a whole tree; on Linux each folder has its own, so that ignored ones
# cost nothing.
WATCHES_EACH_FOLDER: Final = sys.platform == "linux"

# Bits of an inotify mask, as in linux/inotify.h.
_IN_MODIFY: Final = 0x2
_IN_ATTRIB: Final = 0x4
_IN_ADDED: Final = 0x80 | 0x100  # moved to, created
_IN_REMOVED: Final = 0x40 | 0x200  # moved from, deleted
_IN_SELF_GONE: Final = 0x400 | 0x800  # the watched folder: deleted, moved
_IN_WATCH_ENDED: Final = 0x2000 | 0x8000  # unmounted, watch removed
_IN_OVERFLOW: Final = 0x4000
_IN_IS_FOLDER: Final = 0x4000_0000
_IN_ONLY_FOLDERS: Final = 0x0100_0000
_IN_DONT_FOLLOW: Final = 0x0200_0000
_IN_WANTED: Final = _IN_MODIFY | _IN_ATTRIB | _IN_ADDED | _IN_REMOVED | _IN_SELF_GONE

# `watchfiles` groups changes by itself; it is kept short, since the watcher debounces.
_GROUPING_MS: Final = 50
_STEP_MS: Final = 25
_RUST_TIMEOUT_MS: Final = 200

# What the user can do about an errno.
_LIMITS: Final = {
    errno.ENOSPC: "the limit fs.inotify.max_user_watches is reached",
    errno.EMFILE: "the limit fs.inotify.max_user_instances is reached",
}


class WatchFailedError(Exception):
    """A tree cannot be watched; the message tells a person why."""


class EventKind(StrEnum):
    """What has happened."""

    MODIFIED = "modified"  # content or attributes
    ADDED = "added"  # created, or moved here
    REMOVED = "removed"  # deleted, or moved away
    LOST = "lost"  # events are missing: anything may have happened


class FileEvent(NamedTuple):
    """One event in a watched folder."""

    kind: EventKind
    path: str  # full; empty if events were lost
    is_folder: bool


# As `watchfiles` names them.
_KINDS: Final = {
    "added": EventKind.ADDED,
    "modified": EventKind.MODIFIED,
    "deleted": EventKind.REMOVED,
}
_LOST: Final = FileEvent(EventKind.LOST, "", is_folder=False)


class FileEvents(Protocol):
    """Reports events from the moment it is made until it is closed.

    One thread waits and closes; any thread may drain and wake.
    """

    @property
    def can_drain(self) -> bool:
        """Whether `drain` gives every event up to now; otherwise some may come later."""
        ...

    def wait(self, seconds: float) -> bool:
        """Block until there are events, `wake` was called or the time is up.

        Return whether there may be events to drain. Raises `WatchFailedError`.
        """
        ...

    def drain(self) -> set[FileEvent]:
        """Return the events since the last call, without blocking."""
        ...

    def wake(self) -> None:
        """End a `wait`, the present one or the next."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


def open_file_events(folders: list[str]) -> FileEvents:
    """Begin to watch folders, by the best means there is; raises `WatchFailedError`.

    On Linux what is below a folder is not watched with it; elsewhere it is.
    """
    return InotifyEvents(folders) if has_inotify() else WatchfilesEvents(folders)


def has_inotify() -> bool:
    """Return whether events can be drained."""
    return sys.platform == "linux" and kernels() is not None


class InotifyEvents:
    """Events by the extension's reader of an inotify queue."""

    can_drain: bool = True

    def __init__(self, folders: Iterable[str]) -> None:
        """Begin to watch folders by their full paths, not what is below them."""
        self._queue = InotifyQueue(folders)
        self._waker = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._poll = select.poll()
        self._poll.register(self._queue.fileno(), select.POLLIN)
        self._poll.register(self._waker, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        """Block until there are events, `wake` was called or the time is up."""
        is_ready = bool(self._poll.poll(seconds * 1000))
        with suppress(BlockingIOError):
            os.eventfd_read(self._waker)
        return is_ready

    def drain(self) -> set[FileEvent]:
        """Return every event up to now."""
        return self._queue.drain()

    def wake(self) -> None:
        """End a `wait`."""
        os.eventfd_write(self._waker, 1)

    def close(self) -> None:
        """Stop watching."""
        os.close(self._waker)
        self._queue.close()


class InotifyQueue:
    """The inotify queue of some folders; open as long as this object lives, unless closed."""

    def __init__(self, folders: Iterable[str], *, follows_links: bool = True) -> None:
        """Begin to watch folders by their full paths; needs `has_inotify`.

        A folder that is gone is skipped. If it has two names `WatchFailedError` is raised: its
        events would come under one of them.
        """
        in_c = kernels()
        assert in_c is not None
        listing = b"".join(os.fsencode(folder)[1:] + b"\0" for folder in folders)  # below `/`
        options = _IN_ONLY_FOLDERS | (0 if follows_links else _IN_DONT_FOLLOW)
        try:
            queue = in_c.FolderEvents(b"", listing, _IN_WANTED | options)
        except OSError as error:
            reason = _LIMITS.get(error.errno or 0, str(error))
            raise WatchFailedError(reason) from error
        self._queue: FolderEvents | None = queue

    def drain(self) -> set[FileEvent]:
        """Return every event up to now, without blocking."""
        if self._queue is None:
            return set()
        try:
            return {_event_of(path, mask) for path, mask in self._queue.drain()}
        except OSError:
            return {_LOST}

    def fileno(self) -> int:
        """Return a descriptor that is readable while there are events."""
        assert self._queue is not None
        return self._queue.fileno()

    def close(self) -> None:
        """Stop watching."""
        self._queue = None


def _event_of(path: bytes, mask: int) -> FileEvent:
    if mask & _IN_OVERFLOW or not path:
        return _LOST
    full = "/" + os.fsdecode(path)
    if mask & (_IN_SELF_GONE | _IN_WATCH_ENDED):
        return FileEvent(EventKind.REMOVED, full, is_folder=True)
    kind = EventKind.MODIFIED
    if mask & (_IN_ADDED | _IN_REMOVED):
        kind = EventKind.ADDED if mask & _IN_ADDED else EventKind.REMOVED
    return FileEvent(kind, full, is_folder=bool(mask & _IN_IS_FOLDER))


class WatchfilesEvents:
    """Events by `watchfiles`, which reports them some time after they happened."""

    can_drain: bool = False

    def __init__(self, folders: Iterable[str]) -> None:
        """Begin to watch folders."""
        self._found: deque[FileEvent] = deque()
        self._is_woken = False
        self._changes = _start_watchfiles(folders)
        self._take_next()  # the generator begins to watch when it is first advanced

    def wait(self, seconds: float) -> bool:
        """Block until there are events, `wake` was called or the time is up."""
        ends_at = time.monotonic() + seconds
        while not self._found and not self._is_woken and time.monotonic() < ends_at:
            self._take_next()
        self._is_woken = False
        return bool(self._found)

    def drain(self) -> set[FileEvent]:
        """Return the events that were reported up to now."""
        events: set[FileEvent] = set()
        with suppress(IndexError):
            while True:
                events.add(self._found.popleft())
        return events

    def wake(self) -> None:
        """End a `wait` within a fifth of a second."""
        self._is_woken = True

    def close(self) -> None:
        """Stop watching."""
        self._changes.close()

    def _take_next(self) -> None:
        try:
            changes = next(self._changes, None) or ()
        except (OSError, RuntimeError) as error:
            raise WatchFailedError(str(error)) from error
        for change, path in changes:
            kind = _KINDS[change.raw_str()]
            self._found.append(FileEvent(kind, path, is_folder=os.path.isdir(path)))


def _start_watchfiles(folders: Iterable[str]) -> "Generator[set[tuple[Change, str]]]":
    from watchfiles import watch

    return watch(
        *folders,
        watch_filter=None,
        debounce=_GROUPING_MS,
        step=_STEP_MS,
        rust_timeout=_RUST_TIMEOUT_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
        force_polling=False,
        recursive=not WATCHES_EACH_FOLDER,
        ignore_permission_denied=True,
    )
