"""List the files of a folder without git by walking it, with .gitignore and .cruxeignore rules.

Repositories inside such a folder are walked like any other folder. Symlinks are never followed.
"""

import os
import time
from typing import Final

from cruxe.model.source import (
    CRUXE_FOLDER,
    CRUXE_IGNORE,
    DiscoveryRules,
    FileStat,
    ListedFile,
    SkipReason,
)
from cruxe.text.paths import BUILD_FOLDERS, INSTALLED_FOLDERS
from cruxe.workspace.classify import PathInspector
from cruxe.workspace.ignore import (
    GIT_IGNORE,
    MAX_IGNORE_FILE_BYTES,
    IgnoreTree,
    parse_ignore_file,
)
from cruxe.workspace.read import bytes_path, read_file, reason_of, stamps_of

# Dependencies, build results and tools' own data; `!name/` in .cruxeignore re-includes one.
_TOOL_FOLDERS: Final = """
    .git .hg .svn .cruxe __pycache__ .venv venv .tox .nox .eggs .mypy_cache .pytest_cache
    .ruff_cache .gradle .terraform .next .nuxt target
"""
BUILT_IN_FOLDERS: Final = INSTALLED_FOLDERS | BUILD_FOLDERS | frozenset(_TOOL_FOLDERS.split())
NEVER_INDEXED: Final = frozenset({".git", CRUXE_FOLDER})


class FolderListing:
    """The listing of a folder without git, in the form of git's."""

    def __init__(self, root: str, rules: DiscoveryRules) -> None:
        """Walk through the folder."""
        self.started_ns = time.time_ns()
        walk = walk_folder(root, rules)
        self.files = sorted(walk.files)
        self.visited = [path.encode() for path in (*walk.folders, *walk.ignore_files)]

    def finish(self) -> bytes:
        """Return the paths in order, each followed by NUL."""
        return b"".join([file.path.encode() + b"\0" for file in self.files])


def walk_folder(root: str, rules: DiscoveryRules) -> "FolderWalk":
    """Return the finished walk of a folder."""
    walk = FolderWalk(root, rules)
    walk.run()
    return walk


class FolderWalk:
    """A walk through a folder: its files, in any order, and the folders that it visited."""

    def __init__(self, root: str, rules: DiscoveryRules) -> None:
        self._root = root
        self._inspect = PathInspector(root, rules).inspect
        self._git_ignore = IgnoreTree()
        self._cruxe_ignore = IgnoreTree()
        self._waiting = [""]
        self.folders: list[str] = []
        self.ignore_files: list[str] = []  # in the folders that it visited
        self.files: list[ListedFile] = []

    def run(self) -> None:
        """Visit every folder that is not ignored."""
        while self._waiting:
            folder = self._waiting.pop()
            self.folders.append(folder)
            self._visit(folder)

    def leaves_out(self, path: str, *, is_folder: bool) -> bool:
        """Return whether .gitignore or a built-in rule omits a path from the listing."""
        if self._git_ignore.ignores(path, is_folder=is_folder):
            return True
        rule = self._cruxe_ignore.deciding_rule(path, is_folder=is_folder)
        is_taken_back = rule is not None and rule.is_negated
        return is_folder and is_built_in(path, is_taken_back=is_taken_back)

    def _visit(self, folder: str) -> None:
        try:
            with os.scandir(bytes_path(self._root, folder)) as entries:
                found = list(entries)
        except OSError as error:
            self.files.append(ListedFile(folder, skip=reason_of(error)))
            return
        self._load_ignore_files(folder, {entry.name for entry in found})
        for entry in found:
            self._take(folder, entry)

    def _load_ignore_files(self, folder: str, names: set[bytes]) -> None:
        for name, tree in ((GIT_IGNORE, self._git_ignore), (CRUXE_IGNORE, self._cruxe_ignore)):
            if name.encode() not in names:
                continue
            path = _join(folder, name)
            self.ignore_files.append(path)
            content = read_file(self._root, path, MAX_IGNORE_FILE_BYTES)
            if not isinstance(content, SkipReason):
                tree.add(folder, parse_ignore_file(content.data, path))

    def _take(self, folder: str, entry: os.DirEntry[bytes]) -> None:
        try:
            path = _join(folder, entry.name.decode())
        except UnicodeDecodeError:
            shown = _join(folder, entry.name.decode("utf-8", "backslashreplace"))
            self.files.append(ListedFile(shown, skip=SkipReason.PATH_NOT_UTF8))
            return
        is_folder = entry.is_dir(follow_symlinks=False)
        if self.leaves_out(path, is_folder=is_folder):
            return
        rule = self._cruxe_ignore.deciding_rule(path, is_folder=is_folder)
        if rule is not None and not rule.is_negated:
            self.files.append(ListedFile(path, stat=_stamps_in(entry), skip=SkipReason.IGNORED))
        elif is_folder and not _is_junction(entry):
            self._waiting.append(path)
        else:
            self._add_file(path)

    def _add_file(self, path: str) -> None:
        file = self._inspect(path)
        if file is not None:
            self.files.append(file)


def is_built_in(folder: str, *, is_taken_back: bool) -> bool:
    """Return whether a folder is omitted because of its name."""
    name = folder.rpartition("/")[2]
    return name in NEVER_INDEXED or (name in BUILT_IN_FOLDERS and not is_taken_back)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _stamps_in(entry: os.DirEntry[bytes]) -> FileStat | None:
    try:
        return stamps_of(entry.stat(follow_symlinks=False))
    except OSError:  # gone meanwhile
        return None


def _is_junction(entry: os.DirEntry[bytes]) -> bool:
    # Windows junctions do not count as symlinks but can form a loop.
    return os.name == "nt" and bool(getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0))
