"""Takes the fingerprint of a listing: the stamps of everything that git looked at.

In doubt it takes none, and git is asked each time: on a file system that is not known to stamp a
folder when a name in it is added or removed, if there are other repositories inside the tree, and
while anything changed so recently that it could change again under the same stamps.
"""

import os
import stat
from array import array
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, compress, islice
from operator import eq
from typing import Final

from cruxe.freshness.listing_fingerprint import (
    ListingFingerprint,
    environment_digest,
    join_paths,
    listing_digest,
    stamps_now,
)
from cruxe.freshness.mounts import holding_mount, read_mounts
from cruxe.model.errors import EngineError
from cruxe.model.source import CRUXE_FOLDER, Workspace
from cruxe.model.stored import STAMP_NUMBERS
from cruxe.workspace.git import GitConversation, run_git
from cruxe.workspace.ignore import GIT_IGNORE
from cruxe.workspace.read import RACY_NS, Stamps, stamps_of_paths
from cruxe.workspace.walk import FolderListing

# They stamp a folder whenever a name in it is added or removed.
_TRUSTED_FILE_SYSTEMS: Final = (
    *("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs"),
    *("f2fs", "bcachefs", "jfs", "reiserfs", "tmpfs", "overlay"),
)
_GIT_FOLDER: Final = b".git"
_OWN_FOLDER: Final = CRUXE_FOLDER.encode()
_IGNORE_FILE: Final = GIT_IGNORE.encode()
# Git answers while it is still being asked: more at once might fill the pipe and block both.
_QUESTIONS_AT_ONCE: Final = 100
_READ_BYTES: Final = 65_536
# Git answers for each folder with a file, a line, the pattern that decides, and the name.
_ANSWER_FIELDS: Final = 4
_PATTERN_FIELD: Final = 2


class _DoubtError(Exception):
    """The tree holds something whose stamps do not show every change."""


def take_fingerprint(
    workspace: Workspace, listing: bytes, asked_ns: int, earlier: ListingFingerprint | None = None
) -> ListingFingerprint | None:
    """Return the fingerprint of a listing that git was asked for at a time; in doubt None.

    What is unchanged since an `earlier` fingerprint is taken over without looking into it.
    """
    root = workspace.root
    try:
        if not _stamps_folders(root):
            return None
        kept = _unchanged(earlier, root)
        outside = kept.outside if kept else _files_outside(workspace)
        inside = set(kept.inside) if kept else set[bytes]()
        with closing(_Scan(workspace, inside)) as scan:
            scan.visit(folders_of(listing) - inside)
        fingerprint = _fingerprint_of(listing, root, outside, sorted(inside))
    except (OSError, OverflowError, EngineError, _DoubtError):
        return None
    return _if_settled(fingerprint, asked_ns)


def take_fingerprint_of_walk(root: str, walk: FolderListing) -> ListingFingerprint | None:
    """Return the fingerprint of a folder's listing without git; in doubt None."""
    try:
        if not _stamps_folders(root):
            return None
        fingerprint = _fingerprint_of(walk.finish(), root, [], sorted(walk.visited))
    except (OSError, OverflowError):
        return None
    return _if_settled(fingerprint, walk.started_ns)


def _fingerprint_of(
    listing: bytes, root: str, outside: list[bytes], inside: list[bytes]
) -> ListingFingerprint:
    return ListingFingerprint(
        listing=listing_digest(listing),
        environment=environment_digest(),
        outside=outside,
        listed=join_paths(inside),
        stamps=array("q", [*chain.from_iterable(stamps_now(root, outside, inside))]),
    )


def _if_settled(fingerprint: ListingFingerprint, asked_ns: int) -> ListingFingerprint | None:
    """Return a fingerprint unless something could still change under the same stamps."""
    stamps = fingerprint.stamps
    latest = max(stamps[1::STAMP_NUMBERS] + stamps[2::STAMP_NUMBERS])
    return None if latest >= asked_ns - RACY_NS else fingerprint


def _unchanged(earlier: ListingFingerprint | None, root: str) -> ListingFingerprint | None:
    """What of a fingerprint may be taken over; None if an ignore rule or a setting has changed.

    Git's index may have changed: it decides the listing alone, which the caller has.
    """
    if earlier is None or earlier.environment != environment_digest():
        return None
    numbers = iter(earlier.stamps[STAMP_NUMBERS:])
    then = zip(numbers, numbers, numbers, numbers, strict=True)
    rules = earlier.outside[1:]
    if [*stamps_now(root, rules, ())] != [*islice(then, len(rules))]:
        return None
    inside = earlier.inside
    now = (_stamps_inside(root, path) for path in inside)
    kept = [*compress(inside, map(eq, now, then))]
    if any(map(_is_ignore_file, set(inside).difference(kept))):
        return None
    return earlier._replace(listed=join_paths(kept))


def _stamps_inside(root: str, path: bytes) -> Stamps | None:
    try:
        return next(stamps_of_paths([os.fsencode(root) + b"/" + path]))
    except OSError:
        return None


def _is_ignore_file(path: bytes) -> bool:
    return path.rpartition(b"/")[2] == _IGNORE_FILE


def folders_of(listing: bytes) -> set[bytes]:
    """Return the folders of the listed paths, with the root as an empty path."""
    folders = {b""}
    for path in listing.split(b"\0")[:-1]:
        folder = path.rpartition(b"/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition(b"/")[0]
    return folders


class _Scan:
    """Finds the folders that git looks into, whether or not it lists anything there."""

    def __init__(self, workspace: Workspace, seen: set[bytes]) -> None:
        """Add to `seen`; git is not asked about what is there already."""
        self._root = os.fsencode(workspace.root)
        self._seen = seen
        self._rules = _IgnoreRules(workspace)

    def visit(self, folders: set[bytes]) -> None:
        """Look into folders, and then into those inside them that git does not ignore."""
        while folders:
            found = {path for folder in folders for path in self._look_into(folder)}
            folders = self._rules.without_ignored(found - self._seen)

    def close(self) -> None:
        self._rules.close()

    def _look_into(self, folder: bytes) -> Iterator[bytes]:
        """The folders inside a folder.

        One that is gone or a link by now has none. It cannot come back without changing the
        stamps of its parent.
        """
        full = self._root + b"/" + folder
        try:
            is_folder = stat.S_ISDIR(os.lstat(full).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return
        if not is_folder:
            return
        self._seen.add(folder)
        with os.scandir(full) as entries:
            for entry in entries:
                yield from self._take(folder, entry)

    def _take(self, folder: bytes, entry: os.DirEntry[bytes]) -> Iterator[bytes]:
        path = folder + b"/" + entry.name if folder else entry.name
        if entry.name == _IGNORE_FILE:
            if not entry.is_file(follow_symlinks=False):
                raise _DoubtError
            self._seen.add(path)
        elif entry.name == _GIT_FOLDER:
            # Whether this makes the folder another repository depends on its content.
            if folder:
                raise _DoubtError
        elif entry.is_dir(follow_symlinks=False) and path != _OWN_FOLDER:
            yield path


class _IgnoreRules:
    """Asks git which folders it ignores; git is started by the first question."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._git: GitConversation | None = None

    def without_ignored(self, folders: set[bytes]) -> set[bytes]:
        """Return the folders that git looks into."""
        ordered = sorted(folders)
        kept: set[bytes] = set()
        for start in range(0, len(ordered), _QUESTIONS_AT_ONCE):
            asked = ordered[start : start + _QUESTIONS_AT_ONCE]
            kept.update(
                path
                for path, rule in zip(asked, self._rules_of(asked), strict=True)
                if not rule or rule.startswith(b"!")
            )
        return kept

    def close(self) -> None:
        if self._git is not None:
            self._git.close()

    def _rules_of(self, folders: list[bytes]) -> list[bytes]:
        """The pattern that decides about each folder; empty if none does."""
        if self._git is None:
            question = ("check-ignore", "-z", "--stdin", "--verbose", "--non-matching")
            self._git = GitConversation(self._workspace, question)
        # A leading `./` keeps git from reading a name as an option or as magic.
        stream = self._git.ask(b"".join(b"./%b\0" % folder for folder in folders))
        answer = b""
        while answer.count(b"\0") < _ANSWER_FIELDS * len(folders):
            said = os.read(stream.fileno(), _READ_BYTES)
            if not said:
                raise _DoubtError
            answer += said
        return answer.split(b"\0")[_PATTERN_FIELD::_ANSWER_FIELDS][: len(folders)]


def _files_outside(workspace: Workspace) -> list[bytes]:
    """Git's index, and every file that may hold settings or exclude rules, there or not yet."""
    assert workspace.git_dir is not None
    assert workspace.git_common_dir is not None
    found = [
        f"{workspace.git_dir}/index",
        f"{workspace.git_common_dir}/info/exclude",
        f"{workspace.git_common_dir}/config",
        f"{workspace.git_dir}/config.worktree",
        "/etc/gitconfig",
        "/usr/local/etc/gitconfig",
        *_files_of_user(),
    ]
    listed = run_git(workspace, "config", "--list", "--show-origin", "-z").split(b"\0")[:-1]
    for origin, setting in zip(listed[::2], listed[1::2], strict=True):
        kind, _, file = os.fsdecode(origin).partition(":")
        if kind == "file":
            named = os.path.join(workspace.root, file)
            found += [named, *_files_named(os.fsdecode(setting), named)]
    return [os.fsencode(path) for path in dict.fromkeys(found)]


def _files_of_user() -> list[str]:
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    usual = [os.path.expanduser("~/.gitconfig"), f"{folder}/git/config", f"{folder}/git/ignore"]
    chosen = [os.environ.get(f"GIT_CONFIG_{name}") for name in ("GLOBAL", "SYSTEM")]
    return usual + [path for path in chosen if path]


def _files_named(setting: str, file: str) -> list[str]:
    """The file that a setting names, if it holds ignore rules or further settings."""
    key, _, value = setting.partition("\n")
    is_include = key.startswith(("include.", "includeif.")) and key.endswith(".path")
    if not is_include and key != "core.excludesfile":
        return []
    if value.startswith("%("):
        raise _DoubtError
    return [os.path.join(os.path.dirname(file), os.path.expanduser(value))]


def _stamps_folders(root: str) -> bool:
    """Whether the tree lies on one file system that is known to stamp its folders."""
    mounts = read_mounts()
    if any(mount.path.startswith(os.fsencode(f"{root}/")) for mount in mounts):
        return False
    return holding_mount(root, mounts).file_system in _TRUSTED_FILE_SYSTEMS
