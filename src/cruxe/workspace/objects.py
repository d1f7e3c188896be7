"""List and read committed files from git's object store; no working tree is used.

Submodules are read from the object stores in the repository's own `modules` folder. A submodule
whose commit is missing there is a skipped path.
"""

import os
from collections.abc import Iterator
from hashlib import sha1, sha256
from types import TracebackType
from typing import Final, Self

from cruxe.model.identity import BlobId
from cruxe.model.source import (
    CRUXE_FOLDER,
    CRUXE_IGNORE,
    DiscoveryRules,
    ListedFile,
    ObjectFormat,
    SkipReason,
    Workspace,
)
from cruxe.workspace.classify import PathInspector
from cruxe.workspace.git import GitConversation, run_git, try_git
from cruxe.workspace.ignore import (
    MAX_IGNORE_FILE_BYTES,
    IgnoreTree,
    parse_ignore_file,
    skip_ignored,
)

_LIST_TREE: Final = ("ls-tree", "-r", "-z", "--full-tree", "--end-of-options")
_SYMLINK_MODE: Final = "120000"
_SUBMODULE_MODE: Final = "160000"


def list_commit(workspace: Workspace, commit: str, rules: DiscoveryRules) -> list[ListedFile]:
    """Return the files of a commit by path, each with its blob id or a skip reason.

    Sizes and contents are not known yet: `BlobReader` finds blobs that are too large or missing.
    """
    tree = run_git(workspace, *_LIST_TREE, commit)
    lister = _CommitLister(workspace, rules)
    files = sorted({file.path: file for file in lister.files(tree, "")}.values())
    return skip_ignored(files, _read_ignore_blobs(workspace, files))


def blob_id_of(data: bytes, object_format: ObjectFormat) -> BlobId:
    """Return the id that git gives a blob of these bytes."""
    head = b"blob %d\0" % len(data)
    is_long = object_format is ObjectFormat.SHA256
    digest = sha256(head) if is_long else sha1(head, usedforsecurity=False)
    digest.update(data)
    return BlobId(digest.hexdigest())


class BlobReader:
    """Reads blobs of a repository and its submodules through one git process. Not thread-safe."""

    def __init__(self, workspace: Workspace) -> None:
        """Take the workspace; the first read starts git."""
        self._workspace = workspace
        self._environment = _submodule_environment(workspace)
        self._conversation: GitConversation | None = None

    def read(self, blob_id: BlobId, max_bytes: int) -> bytes | SkipReason:
        """Return a blob's bytes, or a reason: too large, or not in the object store."""
        if self._conversation is None:
            arguments = ("cat-file", "--batch")
            self._conversation = GitConversation(self._workspace, arguments, self._environment)
        answer = self._conversation.ask(f"{blob_id}\n".encode())
        header = answer.readline().split()
        if header[1:] == [b"missing"]:
            return SkipReason.UNREADABLE
        size = int(header[2]) if header[1:2] == [b"blob"] else None
        if size is not None and size <= max_bytes:
            data = answer.read(size)
            if answer.read(1) == b"\n":
                return data
        # Starting a new git process is cheaper than reading the rest of a large answer, and it is
        # needed after a process that died.
        self.close()
        is_too_large = size is not None and size > max_bytes
        return SkipReason.TOO_LARGE if is_too_large else SkipReason.UNREADABLE

    def close(self) -> None:
        """End the git process; the next read starts another."""
        if self._conversation is not None:
            self._conversation.close()
            self._conversation = None

    def __enter__(self) -> Self:
        """Return the reader itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the git process."""
        self.close()


class _CommitLister:
    def __init__(self, workspace: Workspace, rules: DiscoveryRules) -> None:
        self._workspace = workspace
        self._environment = _submodule_environment(workspace)
        self._judge_name = PathInspector(workspace.root, rules).judge_name

    def files(self, tree: bytes, prefix: str) -> Iterator[ListedFile]:
        own_folder = f"{prefix}{CRUXE_FOLDER}/"
        for line in tree.split(b"\0")[:-1]:
            description, _, raw_path = line.partition(b"\t")
            mode, _, blob_id = description.decode().split(" ")
            try:
                path = prefix + raw_path.decode()
            except UnicodeDecodeError:
                shown = prefix + raw_path.decode("utf-8", "backslashreplace")
                yield ListedFile(shown, skip=SkipReason.PATH_NOT_UTF8)
                continue
            if mode == _SUBMODULE_MODE:
                yield from self._submodule_files(path, blob_id)
            elif mode == _SYMLINK_MODE:
                yield ListedFile(path, skip=SkipReason.SYMLINK)
            elif not path.startswith(own_folder):
                yield ListedFile(
                    path=path, stat=None, blob_id=BlobId(blob_id), skip=self._judge_name(path)
                )

    def _submodule_files(self, path: str, commit: str) -> Iterator[ListedFile]:
        # One process sees the objects of all submodules, so it does not matter which store holds
        # which submodule.
        listed = try_git(self._workspace, *_LIST_TREE, commit, extra_environment=self._environment)
        if listed.status:
            yield ListedFile(path, skip=SkipReason.SUBMODULE_UNAVAILABLE)
        else:
            yield from self.files(listed.stdout, f"{path}/")


def _submodule_environment(workspace: Workspace) -> dict[str, str]:
    # Submodules cloned in a linked worktree are stored under that worktree's git directory.
    homes = {home for home in (workspace.git_common_dir, workspace.git_dir) if home is not None}
    stores = [
        store
        for home in sorted(homes)
        for store in _submodule_stores(os.path.join(home, "modules"))
    ]
    quoted = (store.replace("\\", "\\\\").replace('"', '\\"') for store in stores)
    value = os.pathsep.join(f'"{store}"' for store in quoted)
    return {"GIT_ALTERNATE_OBJECT_DIRECTORIES": value} if value else {}


def _submodule_stores(folder: str) -> Iterator[str]:
    # A submodule's name may contain slashes, so its git directory may be nested.
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        candidate = os.path.join(folder, name)
        objects = os.path.join(candidate, "objects")
        if os.path.isdir(objects):
            yield objects
            yield from _submodule_stores(os.path.join(candidate, "modules"))
        elif os.path.isdir(candidate):
            yield from _submodule_stores(candidate)


def _read_ignore_blobs(workspace: Workspace, files: list[ListedFile]) -> IgnoreTree | None:
    ignore: IgnoreTree | None = None
    with BlobReader(workspace) as reader:
        for path, _, blob_id, _ in files:
            folder, _, name = path.rpartition("/")
            if name != CRUXE_IGNORE or blob_id is None:
                continue
            data = reader.read(blob_id, MAX_IGNORE_FILE_BYTES)
            if isinstance(data, bytes):
                ignore = ignore or IgnoreTree()
                ignore.add(folder, parse_ignore_file(data, path))
    return ignore
