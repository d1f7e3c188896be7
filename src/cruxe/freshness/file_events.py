"""Watching a working tree: which folders, by which engine, and which changes matter.

Linux watches folder by folder, so ignored ones cost nothing. Elsewhere one watch covers a whole
tree, and what happens in ignored folders is sorted out afterwards.
"""

import os
import sys
from typing import TYPE_CHECKING, Final

from cruxe.freshness.mounts import NETWORK_FILE_SYSTEMS, file_system_of
from cruxe.model.source import CRUXE_IGNORE, DiscoveryRules, Workspace
from cruxe.workspace.folders import TreeFolders
from cruxe.workspace.ignore import GIT_IGNORE
from cruxe.workspace.walk import NEVER_INDEXED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event

    from watchfiles._rust_notify import RustNotify

# A change is told once nothing else came for this long, and after the longer time in any case.
_QUIET_MS: Final = 100
_LONGEST_MS: Final = 200
Change = tuple[int, str]  # its kind, as the engine numbers it, and the full path
_ADDED: Final = 1
_WATCHES_FOLDERS: Final = sys.platform == "linux"
# Folders may come and go while the engine takes them one by one.
_ATTEMPTS: Final = 5
# So many at once are a checkout, not an edit; asking which are ignored would cost more than a sync.
_ASKED_PATHS: Final = 1_000
# Of git's own folder: what is checked out, what is tracked, what is ignored.
_GIT_INDEX: Final = "index"
_GIT_RULES: Final = "info/exclude"
_GIT_FILES: Final = frozenset({"HEAD", "packed-refs", _GIT_INDEX, _GIT_RULES})
_GIT_BRANCHES: Final = "refs/heads"


class WatchFailedError(Exception):
    """A tree cannot be watched; the message tells a person why."""


class TreeWatch:
    """A watch on a working tree, from the moment it is made until it is closed."""

    def __init__(self, workspace: Workspace, rules: DiscoveryRules) -> None:
        """Begin to watch; raises `WatchFailedError` where that cannot be."""
        _refuse_network_mount(workspace.root)
        self._workspace = workspace
        self._rules = rules
        self._folders, self._engine = self._start()

    def wait(self, stop: "Event", seconds: float) -> set[Change]:
        """Wait for changes; nothing where the time was up, or `stop` set, before there were any."""
        try:
            found = self._engine.watch(_LONGEST_MS, _QUIET_MS, round(seconds * 1000), stop)
        except (OSError, RuntimeError) as error:
            message = f"watching {self._workspace.root} failed: {error}"
            raise WatchFailedError(message) from error
        return set() if isinstance(found, str) else found

    def matter(self, found: set[Change]) -> bool:
        """Whether some of these changes may concern the index; new folders are watched from now."""
        own: set[str] = set()
        touched: list[str] = []
        for _, path in found:
            in_git = self._name_in_git(path)
            if in_git is not None:
                own.add(in_git)
            elif (relative := self._relative(path)) is not None:
                touched.append(relative)
        own = {name for name in own if name in _GIT_FILES or name.startswith(_GIT_BRANCHES + "/")}
        if not own and not self._may_be_indexed(touched):
            return False
        if self._needs_other_folders(found, own, touched):
            before = self._engine
            self._folders, self._engine = self._start()
            before.close()
        return True

    def close(self) -> None:
        """Stop watching."""
        self._engine.close()

    def _start(self) -> "tuple[TreeFolders, RustNotify]":
        """Watch all folders; what was made meanwhile is found by looking once more."""
        folders = TreeFolders(self._workspace, self._rules)
        for _ in range(_ATTEMPTS):
            engine = self._watch(folders)
            now = TreeFolders(self._workspace, self._rules)
            if not _WATCHES_FOLDERS or now.paths <= folders.paths:
                return folders, engine
            engine.close()
            folders = now
        raise WatchFailedError(f"the folders of {self._workspace.root} change too fast")

    def _watch(self, folders: TreeFolders) -> "RustNotify":
        from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

        places = [place for place in self._places(folders) if os.path.isdir(place)]
        try:
            return RustNotify(
                places,
                debug=False,
                force_polling=False,
                poll_delay_ms=0,
                recursive=not _WATCHES_FOLDERS,
                ignore_permission_denied=True,
            )
        except (OSError, WatchfilesRustInternalError) as error:
            message = f"{self._workspace.root} cannot be watched: {error}"
            raise WatchFailedError(message) from error

    def _places(self, folders: TreeFolders) -> "Iterator[str]":
        root = self._workspace.root
        own = self._git_folders()
        if not _WATCHES_FOLDERS:
            yield root
            yield from (folder for folder in own if not folder.startswith(root + os.sep))
            return
        yield from (os.path.join(root, folder) for folder in sorted(folders.paths))
        for folder in own:
            yield folder
            yield os.path.join(folder, "info")
            branches = os.path.join(folder, *_GIT_BRANCHES.split("/"))
            yield from (each for each, _, _ in os.walk(branches))

    def _git_folders(self) -> list[str]:
        found = {self._workspace.git_dir, self._workspace.git_common_dir}
        return sorted(folder for folder in found if folder is not None)

    def _name_in_git(self, path: str) -> str | None:
        for folder in self._git_folders():
            if path.startswith(folder + os.sep):
                return path[len(folder) + 1 :].replace(os.sep, "/").removesuffix(".lock")
        return None

    def _relative(self, path: str) -> str | None:
        """A changed path as the index would name it; nothing where it never would."""
        start = self._workspace.root + os.sep
        if not path.startswith(start):
            return None
        relative = path[len(start) :].replace(os.sep, "/")
        return None if NEVER_INDEXED.intersection(relative.split("/")) else relative

    def _may_be_indexed(self, touched: list[str]) -> bool:
        if len(touched) > _ASKED_PATHS:
            return True
        return bool(touched) and not self._folders.leaves_out(touched)

    def _needs_other_folders(self, found: set[Change], own: set[str], touched: list[str]) -> bool:
        if not _WATCHES_FOLDERS:
            return False
        if _GIT_RULES in own or any(_is_ignore_file(path) for path in touched):
            return True
        if _GIT_INDEX in own and not self._folders.covers_tracked_files():
            return True
        return any(kind == _ADDED and os.path.isdir(path) for kind, path in found)


def _is_ignore_file(path: str) -> bool:
    return path.rpartition("/")[2] in (GIT_IGNORE, CRUXE_IGNORE)


def _refuse_network_mount(root: str) -> None:
    kind = file_system_of(root)
    if kind in NETWORK_FILE_SYSTEMS:
        message = f"{root} is on {kind}, where changes by other machines are not told"
        raise WatchFailedError(message)
