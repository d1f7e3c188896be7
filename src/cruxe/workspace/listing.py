"""List the files of a working tree: tracked files, and untracked ones that git does not ignore.

Files of submodules are included. Any other repository in the tree, such as a clone or a linked
worktree, is one skipped path: it is indexed as its own workspace.
"""

import os
from bisect import bisect_left
from collections.abc import Iterable

from cruxe.model.errors import EngineError
from cruxe.model.source import (
    CRUXE_FOLDER,
    CRUXE_IGNORE,
    DiscoveryRules,
    ListedFile,
    SkipReason,
    Workspace,
)
from cruxe.workspace.classify import PathInspector
from cruxe.workspace.context import workspace_at
from cruxe.workspace.git import GitTask, start_listing
from cruxe.workspace.ignore import (
    MAX_IGNORE_FILE_BYTES,
    IgnoreTree,
    parse_ignore_file,
    skip_ignored,
)
from cruxe.workspace.read import read_file
from cruxe.workspace.walk import FolderListing


def list_working_tree(
    workspace: Workspace,
    rules: DiscoveryRules,
    known_paths: Iterable[str] = (),
    listing: GitTask | FolderListing | None = None,
) -> list[ListedFile]:
    """Return the files of the working tree by path; those not to be read have a skip reason.

    `known_paths` of the last listing are inspected while git is still running. `listing` is the
    one that the caller has already started, if any.
    """
    if isinstance(listing, FolderListing):
        return listing.files
    if workspace.git_dir is None:
        return FolderListing(workspace.root, rules).files
    task = listing or start_listing(workspace)
    lister = _Lister(workspace.root, rules)
    lister.look_at(known_paths)
    files = lister.list_repository(task, "")
    return skip_ignored(files, _read_ignore_files(workspace.root, files))


class _Lister:
    """Converts git's listings of a repository and its submodules into listed files."""

    def __init__(self, root: str, rules: DiscoveryRules) -> None:
        self._root = root
        self._inspect = PathInspector(root, rules).inspect
        self._seen: dict[str, ListedFile | None] = {}

    def look_at(self, paths: Iterable[str]) -> None:
        inspect = self._inspect
        self._seen.update({path: inspect(path) for path in paths})

    def list_repository(self, task: GitTask, prefix: str) -> list[ListedFile]:
        """List the repository at a prefix (`""`, or a submodule's path and a slash)."""
        found, broken = _split_paths(task.finish())
        # A path in a merge conflict is listed once per side.
        paths = sorted({prefix + path for path in found} if prefix else set(found))
        del paths[_below(paths, prefix + CRUXE_FOLDER)]
        files, folders = self._inspect_all(paths)
        files = _without_replaced_folders(files, paths)
        extra = [ListedFile(prefix + path, skip=SkipReason.PATH_NOT_UTF8) for path in broken]
        for folder in folders:
            extra += self._list_folder(folder, paths)
        return sorted(files + extra) if extra else files

    def _inspect_all(self, paths: list[str]) -> tuple[list[ListedFile], list[str]]:
        files: list[ListedFile] = []
        folders: list[str] = []
        seen, inspect = self._seen, self._inspect
        for path in paths:
            file = seen[path] if path in seen else inspect(path)
            if file is None:
                continue
            if file.skip is SkipReason.SUBMODULE_UNAVAILABLE:
                folders.append(path)
            else:
                files.append(file)
        return files, folders

    def _list_folder(self, folder: str, beside: list[str]) -> list[ListedFile]:
        # Only paths of other repositories end with a slash in git's listing.
        if folder.endswith("/"):
            return [ListedFile(folder[:-1], skip=SkipReason.NESTED_REPOSITORY)]
        try:
            submodule = workspace_at(os.path.join(self._root, *folder.split("/")))
            if submodule is not None and submodule.git_dir is not None:
                return self.list_repository(start_listing(submodule), f"{folder}/")
        except EngineError:
            # A submodule that git refuses must not fail the rest of the tree.
            return [ListedFile(folder, skip=SkipReason.SUBMODULE_UNAVAILABLE)]
        # A folder has replaced a tracked file; the folder's files are listed as new.
        if beside[_below(beside, folder)]:
            return []
        return [ListedFile(folder, skip=SkipReason.SUBMODULE_UNAVAILABLE)]


def _split_paths(output: bytes) -> tuple[list[str], list[str]]:
    """Split NUL-terminated paths into valid UTF-8 ones and, escaped, the others."""
    try:
        return output.decode().split("\0")[:-1], []
    except UnicodeDecodeError:
        paths: list[str] = []
        broken: list[str] = []
        for raw in output.split(b"\0")[:-1]:
            try:
                paths.append(raw.decode())
            except UnicodeDecodeError:
                broken.append(raw.decode("utf-8", "backslashreplace"))
        return paths, broken


def _without_replaced_folders(files: list[ListedFile], paths: list[str]) -> list[ListedFile]:
    """Drop tracked files of a folder that is now a symlink: git counts them as deleted."""
    dropped: set[str] = set()
    for file in files:
        if file.skip is SkipReason.SYMLINK:
            dropped.update(paths[_below(paths, file.path)])
    return [file for file in files if file.path not in dropped] if dropped else files


def _below(sorted_paths: list[str], folder: str) -> slice:
    # "0" is the character after the slash.
    start = bisect_left(sorted_paths, f"{folder}/")
    return slice(start, bisect_left(sorted_paths, f"{folder}0", start))


def _read_ignore_files(root: str, files: list[ListedFile]) -> IgnoreTree | None:
    ending = f"/{CRUXE_IGNORE}"
    places = {file.path for file in files if file.path.endswith(ending)}
    # The root's file applies even if git ignores it, so that it can be kept private.
    places.add(CRUXE_IGNORE)
    ignore: IgnoreTree | None = None
    for path in sorted(places):
        content = read_file(root, path, MAX_IGNORE_FILE_BYTES)
        if not isinstance(content, SkipReason):
            ignore = ignore or IgnoreTree()
            ignore.add(path.rpartition("/")[0], parse_ignore_file(content.data, path))
    return ignore
