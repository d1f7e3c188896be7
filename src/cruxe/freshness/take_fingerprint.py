"""Taking a witness of a listing: what git looked at, stamped. See `witness.py` for what it is for.

In doubt there is no witness, and git is asked each time: on file systems that are not known to
stamp a folder when a name in it comes or goes, around other repositories inside the tree, and
while anything has changed so lately that it could change again under the same stamp.
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
    STAMP_NUMBERS,
    Witness,
    joined,
    listing_digest,
    stamps_now,
    surroundings,
)
from cruxe.freshness.mounts import holding_mount, read_mounts
from cruxe.model.errors import EngineError
from cruxe.model.source import CRUXE_FOLDER, Workspace
from cruxe.workspace.git import GitConversation, run_git
from cruxe.workspace.ignore import GIT_IGNORE
from cruxe.workspace.stamps import RACY_NS, Stamps, stamps_of_paths

_TRUSTED_FILE_SYSTEMS: Final = (
    *("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs"),
    *("f2fs", "bcachefs", "jfs", "reiserfs", "tmpfs", "overlay"),
)
_GIT_FOLDER: Final = b".git"
_OWN_FOLDER: Final = CRUXE_FOLDER.encode()
_IGNORE_FILE: Final = GIT_IGNORE.encode()
# Git answers while it is still being asked: more at once might fill the pipe between the two.
_QUESTIONS_AT_ONCE: Final = 100
_READ_BYTES: Final = 65_536
# Git tells of each folder the file, the line and the pattern that decide, and its name.
_ANSWER_FIELDS: Final = 4
_PATTERN_FIELD: Final = 2


class _DoubtError(Exception):
    """Something stands in the tree whose stamps do not tell all."""


def take_witness(
    workspace: Workspace, listing: bytes, asked_ns: int, earlier: Witness | None = None
) -> Witness | None:
    """Stamp what a listing rests on that git was asked for at some time; in doubt nothing.

    Of an `earlier` witness all that still holds is taken over without looking into it again.
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
        ordered = sorted(inside)
        stamps = array("q", [*chain.from_iterable(stamps_now(root, outside, ordered))])
    except (OSError, OverflowError, EngineError, _DoubtError):
        return None
    latest = max(stamps[1::STAMP_NUMBERS] + stamps[2::STAMP_NUMBERS])
    if latest >= asked_ns - RACY_NS:
        return None
    return Witness(listing_digest(listing), surroundings(), outside, joined(ordered), stamps)


def _unchanged(earlier: Witness | None, root: str) -> Witness | None:
    """What of a witness may be taken over; nothing where rules have changed that hold for others.

    Git's index decides nothing but the listing, which the caller has.
    """
    if earlier is None or earlier.surroundings != surroundings():
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
    return earlier._replace(listed=joined(kept))


def _stamps_inside(root: str, path: bytes) -> Stamps | None:
    try:
        return next(stamps_of_paths([os.fsencode(root) + b"/" + path]))
    except OSError:
        return None


def _is_ignore_file(path: bytes) -> bool:
    return path.rpartition(b"/")[2] == _IGNORE_FILE


def folders_of(listing: bytes) -> set[bytes]:
    """The folders that hold the listed paths, the root among them as an empty path."""
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
        """Add to `seen`, and take it that git need not be asked about what is there already."""
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

        One that has gone or is a link by now holds none, and cannot come back without changing
        the folder that it was in.
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
            # Whether it makes the folder another repository depends on what is in it.
            if folder:
                raise _DoubtError
        elif entry.is_dir(follow_symlinks=False) and path != _OWN_FOLDER:
            yield path


class _IgnoreRules:
    """Git's own word on which folders it ignores; starts git when it is first asked."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._git: GitConversation | None = None

    def without_ignored(self, folders: set[bytes]) -> set[bytes]:
        """Those of some folders that git looks into."""
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
        """The pattern that decides about each folder; an empty one where none does."""
        if self._git is None:
            question = ("check-ignore", "-z", "--stdin", "--verbose", "--non-matching")
            self._git = GitConversation(self._workspace, question)
        # A leading `./` keeps a name from being read as anything but a name.
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
    """The file that a setting names, where it is one that holds rules or further settings."""
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
