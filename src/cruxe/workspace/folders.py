"""Find the folders of a working tree that may hold indexed files, and the paths git ignores."""

import os
from collections.abc import Iterable, Iterator
from typing import Final

from cruxe.model.source import DiscoveryRules, Workspace
from cruxe.workspace.context import workspace_at
from cruxe.workspace.git import GitConversation, run_git
from cruxe.workspace.read import bytes_path
from cruxe.workspace.walk import NEVER_INDEXED, FolderWalk, walk_folder

# Bytes sent to git before its answer is read. Fits the pipe buffers, so there is no deadlock.
_ASKED_BYTES: Final = 16_384
_FIELDS: Final = 4  # source, line, pattern, path
_SUBMODULE: Final = b"160000 "


class TreeFolders:
    """The folders of a working tree at the time of the scan."""

    def __init__(self, workspace: Workspace, rules: DiscoveryRules) -> None:
        """Scan the tree for all folders that are not ignored and those of tracked files."""
        self._workspace = workspace
        self._walk: FolderWalk | None = None
        if workspace.git_dir is None:
            self._walk = walk_folder(workspace.root, rules)
            self._walk.files.clear()
            self.paths = frozenset(self._walk.folders)
        else:
            self.paths = _folders_of(workspace)

    def leaves_out(self, paths: list[str]) -> bool:
        """Return whether all of these paths are ignored."""
        if self._walk is None:
            return find_ignored(self._workspace, paths) >= set(paths)
        return all(self._walk.leaves_out(path, is_folder=False) for path in paths)

    def covers_tracked_files(self) -> bool:
        """Return whether every tracked file still lies in one of these folders."""
        if self._walk is not None:
            return True
        tracked, _ = _tracked(self._workspace)
        return {os.path.dirname(path) for path in tracked} <= self.paths


def _folders_of(workspace: Workspace) -> frozenset[str]:
    tracked, submodules = _tracked(workspace)
    found = _ancestors(tracked)
    found |= _not_ignored(workspace, found, frozenset(submodules))
    for path in submodules:
        inner = workspace_at(os.path.join(workspace.root, *path.split("/")))
        if inner is not None and inner.git_dir is not None:
            found.update(f"{path}/{each}".rstrip("/") for each in _folders_of(inner))
    return frozenset(found)


def _ancestors(paths: Iterable[str]) -> set[str]:
    """Return all folders around the files, including the root."""
    found = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def find_ignored(workspace: Workspace, paths: Iterable[str]) -> frozenset[str]:
    """Return the paths that git ignores; a tracked path is never ignored."""
    conversation = GitConversation(
        workspace, ("check-ignore", "-z", "--stdin", "--verbose", "--non-matching")
    )
    try:
        return frozenset(path for batch in _batches(paths) for path in _ask(conversation, batch))
    finally:
        conversation.close()


def _tracked(workspace: Workspace) -> tuple[list[str], list[str]]:
    """Return the paths of tracked files and of submodules."""
    files: list[str] = []
    submodules: list[str] = []
    for entry in run_git(workspace, "ls-files", "--stage", "-z").split(b"\0")[:-1]:
        path = entry.partition(b"\t")[2].decode("utf-8", "surrogateescape")
        (submodules if entry.startswith(_SUBMODULE) else files).append(path)
    return files, submodules


def _not_ignored(workspace: Workspace, wanted: set[str], submodules: frozenset[str]) -> set[str]:
    """Return the folders that git does not ignore, found level by level below the root.

    Ignored folders are not entered. Git is not asked about folders in `wanted`.
    """
    found: set[str] = set()
    level = [""]
    while level:
        below = [path for folder in level for path in _subfolders(workspace.root, folder)]
        below = [path for path in below if path not in submodules]
        unknown = [path for path in below if path not in wanted]
        ignored = find_ignored(workspace, unknown) if unknown else frozenset[str]()
        level = [path for path in below if path not in ignored]
        found.update(level)
    return found


def _subfolders(root: str, folder: str) -> Iterator[str]:
    """Yield the subfolders, without symlinks, `.git`, `.cruxe` and other repositories."""
    try:
        with os.scandir(bytes_path(root, folder)) as entries:
            found = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for entry in found:
        name = os.fsdecode(entry.name)
        is_other = os.path.lexists(os.path.join(entry.path, b".git"))
        if name not in NEVER_INDEXED and not is_other:
            yield f"{folder}/{name}" if folder else name


def _batches(paths: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for path in paths:
        batch.append(path)
        size += len(path)
        if size > _ASKED_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _ask(conversation: GitConversation, paths: list[str]) -> Iterator[str]:
    request = b"".join(os.fsencode(path) + b"\0" for path in paths)
    stream = conversation.ask(request).fileno()
    answer = b""
    while answer.count(b"\0") < _FIELDS * len(paths):
        part = os.read(stream, 65_536)
        if not part:  # git refused a path: the rest counts as not ignored
            break
        answer += part
    fields = answer.split(b"\0")
    for number, path in enumerate(paths):
        pattern = fields[number * _FIELDS + 2 : number * _FIELDS + 3]
        if pattern and pattern[0] and not pattern[0].startswith(b"!"):
            yield path
