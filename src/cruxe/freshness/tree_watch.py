"""A watch on a working tree: which folders are watched, and which events concern the index.

Folders that git ignores are not watched on Linux. Elsewhere one watch covers the whole tree, and
events in ignored folders are filtered out.
"""

import os
import stat
import threading
from collections.abc import Iterator
from typing import Final

from cruxe.freshness.file_events import (
    WATCHES_EACH_FOLDER,
    EventKind,
    FileEvent,
    FileEvents,
    WatchFailedError,
    open_file_events,
)
from cruxe.freshness.mounts import NETWORK_FILE_SYSTEMS, file_system_of
from cruxe.model.source import CRUXE_IGNORE, DiscoveryRules, Workspace
from cruxe.workspace.folders import TreeFolders
from cruxe.workspace.ignore import GIT_IGNORE
from cruxe.workspace.walk import NEVER_INDEXED

# Folders may come and go while they are being watched one by one.
_START_ATTEMPTS: Final = 5
# More changed paths are a checkout, not an edit: asking git about them costs more than a sync.
_MAX_PATHS_ASKED: Final = 1_000
# Files of git's own folder that say what is checked out, tracked and ignored.
_GIT_INDEX: Final = "index"
_GIT_EXCLUDE: Final = "info/exclude"
_GIT_FILES: Final = frozenset({"HEAD", "packed-refs", _GIT_INDEX, _GIT_EXCLUDE})
_GIT_BRANCHES: Final = "refs/heads"


class TreeWatch:
    """Watches a working tree from the moment it is made until it is closed.

    One thread waits, decides and closes; any thread may drain and wake.
    """

    def __init__(self, workspace: Workspace, rules: DiscoveryRules) -> None:
        """Begin to watch; raises `WatchFailedError` if that is not possible."""
        _refuse_network_mount(workspace.root)
        self._workspace = workspace
        self._rules = rules
        # The innermost first: that of a linked worktree lies inside the common one.
        git_folders = {workspace.git_dir, workspace.git_common_dir} - {None}
        self._git_folders = sorted(map(str, git_folders), key=len, reverse=True)
        self._lock = threading.Lock()  # of `_events`, while another thread may use them
        self._folders, self._events = self._start()

    @property
    def can_drain(self) -> bool:
        """Whether `drain` gives every event up to now."""
        return self._events.can_drain

    def wait(self, seconds: float) -> bool:
        """Block until there are events, `wake` was called or the time is up."""
        try:
            return self._events.wait(seconds)
        except WatchFailedError as error:
            message = f"watching {self._workspace.root} failed: {error}"
            raise WatchFailedError(message) from error

    def drain(self) -> set[FileEvent]:
        """Return the events since the last call, without those that never concern the index."""
        with self._lock:
            events = self._events.drain()
        return {event for event in events if self._may_concern(event)}

    def wake(self) -> None:
        """End a `wait`."""
        with self._lock:
            self._events.wake()

    def concern_index(self, events: set[FileEvent]) -> bool:
        """Return whether some events concern the index; may ask git what it ignores.

        If folders were added, or other ones are ignored now, they are watched from now on.
        """
        is_lost = any(event.kind is EventKind.LOST for event in events)
        in_git = {name for event in events if (name := self._name_in_git(event.path))}
        touched = [path for event in events if (path := self._relative(event.path))]
        if not is_lost and not in_git and not self._may_be_indexed(touched):
            return False
        if is_lost or self._needs_other_folders(events, in_git, touched):
            self._restart()
        return True

    def touched_paths(self, events: set[FileEvent]) -> frozenset[str] | None:
        """Return the files that events are of; None if others may have changed with them.

        They may if events were lost, or are of folders, of ignore files or of git's own files.
        """
        found = set[str]()
        for event in events:
            path = self._relative(event.path)
            if path is None or event.is_folder or _is_ignore_file(path):
                return None
            found.add(path)
        return frozenset(found)

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            self._events.close()

    def _may_concern(self, event: FileEvent) -> bool:
        """Whether an event may concern the index, by its path alone."""
        if event.kind is EventKind.LOST:
            return True
        return self._name_in_git(event.path) is not None or self._relative(event.path) is not None

    def _restart(self) -> None:
        """Watch the folders that there are now.

        Events of the old watch are dropped: the caller compares the tree after this anyway.
        """
        folders, events = self._start()
        with self._lock:
            before, self._events = self._events, events
            before.close()
        self._folders = folders

    def _start(self) -> tuple[TreeFolders, FileEvents]:
        """Watch all folders; look once more for those that were made meanwhile."""
        root = self._workspace.root
        folders = TreeFolders(self._workspace, self._rules)
        for _ in range(_START_ATTEMPTS):
            try:
                events = open_file_events(_distinct_folders(self._watched_paths(folders)))
            except WatchFailedError as error:
                raise WatchFailedError(f"{root} cannot be watched: {error}") from error
            now = TreeFolders(self._workspace, self._rules)
            if not WATCHES_EACH_FOLDER or now.paths <= folders.paths:
                return folders, events
            events.close()
            folders = now
        raise WatchFailedError(f"the folders of {root} change too fast")

    def _watched_paths(self, folders: TreeFolders) -> Iterator[str]:
        root = self._workspace.root
        if not WATCHES_EACH_FOLDER:
            yield root
            yield from (each for each in self._git_folders if not each.startswith(root + os.sep))
            return
        for folder in sorted(folders.paths):
            yield os.path.join(root, folder).rstrip(os.sep)
        for folder in self._git_folders:
            yield folder
            yield os.path.join(folder, "info")
            branches = os.path.join(folder, *_GIT_BRANCHES.split("/"))
            yield from (each for each, _, _ in os.walk(branches))

    def _name_in_git(self, path: str) -> str | None:
        """The name of a file in git's folder that says what is checked out, tracked or ignored."""
        for folder in self._git_folders:
            if path.startswith(folder + os.sep):
                name = path[len(folder) + 1 :].replace(os.sep, "/").removesuffix(".lock")
                is_known = name in _GIT_FILES or name.startswith(_GIT_BRANCHES + "/")
                return name if is_known else None
        return None

    def _relative(self, path: str) -> str | None:
        """A changed path as the index names it; None if it never holds such a path."""
        start = self._workspace.root + os.sep
        if not path.startswith(start):
            return None
        relative = path[len(start) :].replace(os.sep, "/")
        return None if NEVER_INDEXED.intersection(relative.split("/")) else relative

    def _may_be_indexed(self, touched: list[str]) -> bool:
        if len(touched) > _MAX_PATHS_ASKED:
            return True
        return bool(touched) and not self._folders.leaves_out(touched)

    def _needs_other_folders(
        self, events: set[FileEvent], in_git: set[str], touched: list[str]
    ) -> bool:
        if not WATCHES_EACH_FOLDER:
            return False
        if _GIT_EXCLUDE in in_git or any(_is_ignore_file(path) for path in touched):
            return True
        if _GIT_INDEX in in_git and not self._folders.covers_tracked_files():
            return True
        return any(event.is_folder and event.kind is EventKind.ADDED for event in events)


def _distinct_folders(paths: Iterator[str]) -> list[str]:
    """The paths that are readable folders, each folder once: it may have two names."""
    found: dict[tuple[int, int], str] = {}
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            continue
        if stat.S_ISDIR(status.st_mode) and os.access(path, os.R_OK):
            found.setdefault((status.st_dev, status.st_ino), path)
    return [*found.values()]


def _is_ignore_file(path: str) -> bool:
    return path.rpartition("/")[2] in (GIT_IGNORE, CRUXE_IGNORE)


def _refuse_network_mount(root: str) -> None:
    kind = file_system_of(root)
    if kind in NETWORK_FILE_SYSTEMS:
        message = f"{root} is on {kind}, where changes by other machines are not told"
        raise WatchFailedError(message)
