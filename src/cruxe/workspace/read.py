"""Read working-tree files with the stamps that belong to exactly these bytes; compare stamps.

Never follows a symlink, never blocks on a pipe, never reads more than the given limit.
"""

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import compress
from operator import attrgetter, ne
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.source import CRUXE_FOLDER, CRUXE_IGNORE, NO_SIZE, FileBytes, FileStat, SkipReason
from cruxe.native import kernels

if TYPE_CHECKING:
    from array import array

    from cruxe.native import StampLook

_NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)
_OPEN_FLAGS: Final[int] = (
    os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)
# Links to the paths of open files, on Linux.
_OPENED: Final[bytes] = b"/proc/self/fd/" if sys.platform == "linux" else b""
_SMALLEST_STEP_BYTES: Final = 65_536
_REASONS: Final = {
    errno.ENOENT: SkipReason.VANISHED,
    errno.ENOTDIR: SkipReason.VANISHED,
    errno.ELOOP: SkipReason.SYMLINK,
    errno.EMLINK: SkipReason.SYMLINK,  # the BSDs' value for ELOOP
    errno.ENXIO: SkipReason.NOT_REGULAR,
    errno.EISDIR: SkipReason.NOT_REGULAR,
}


def read_file(
    root: str, path: str, max_bytes: int, real_folders: set[bytes] | None = None
) -> FileBytes | SkipReason:
    """Return the bytes of a working-tree file, or the reason why it cannot be read."""
    folders = set[bytes]() if real_folders is None else real_folders
    full_path, root_bytes = bytes_path(root, path), len(os.fsencode(root))
    try:
        descriptor = os.open(full_path, _OPEN_FLAGS)
    except OSError as error:
        is_linked = _crosses_symlink(full_path, root_bytes, folders)
        return SkipReason.SYMLINK if is_linked else reason_of(error)
    try:
        is_direct = real_folders is None and _is_known_as(descriptor, full_path)
        if not is_direct and _crosses_symlink(full_path, root_bytes, folders):
            return SkipReason.SYMLINK
        return _read_settled(descriptor, max_bytes)
    except OSError as error:
        return reason_of(error)
    finally:
        os.close(descriptor)


def read_bytes(
    full_path: bytes, root_bytes: int, real_folders: set[bytes], max_bytes: int
) -> bytes | SkipReason:
    """Return the bytes of a working-tree file without stamps, for a reader of thousands.

    `root_bytes` and `real_folders` are those of `stamps_at`.
    """
    if _crosses_symlink(full_path, root_bytes, real_folders):
        return SkipReason.SYMLINK
    try:
        descriptor = os.open(full_path, _OPEN_FLAGS)
    except OSError as error:
        return reason_of(error)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode) and status.st_size <= max_bytes:
            data = os.read(descriptor, status.st_size + 1)
            if len(data) == status.st_size:  # nearly always
                return data
            os.lseek(descriptor, 0, os.SEEK_SET)
        found = _read_once(descriptor, max_bytes)
    except OSError as error:
        return reason_of(error)
    finally:
        os.close(descriptor)
    return found if isinstance(found, SkipReason) else found.data


Stamps = tuple[int, int, int, int]  # size, mtime, ctime, inode


def stamps_at(
    full_paths: Iterable[bytes], root_bytes: int, real_folders: set[bytes]
) -> list[Stamps | None]:
    """Return the stamps of regular working-tree files; None for a file that cannot be read.

    `root_bytes` is the length of the root in each path. `real_folders` caches folders that are not
    symlinks: those in it are not checked, and new ones are added.
    """
    in_c = kernels()
    if in_c is not None and sys.platform != "win32":
        return [in_c.stamps_at(path, root_bytes, real_folders) for path in full_paths]
    return [_stamps_of_file(path, root_bytes, real_folders) for path in full_paths]


def _stamps_of_file(full_path: bytes, root_bytes: int, real_folders: set[bytes]) -> Stamps | None:
    if _crosses_symlink(full_path, root_bytes, real_folders):
        return None
    try:
        status = os.lstat(full_path)
    except OSError:
        return None
    return stamps_of(status) if stat.S_ISREG(status.st_mode) else None


def bytes_path(root: str, path: str) -> bytes:
    """Return a file's full path as git's bytes, independent of the locale."""
    return os.fsencode(root) + b"/" + path.encode()


def reason_of(error: OSError) -> SkipReason:
    """Return the skip reason for a failed file operation."""
    return _REASONS.get(error.errno or 0, SkipReason.UNREADABLE)


def _is_known_as(descriptor: int, full: bytes) -> bool:
    """Return whether no symlink led to an open file: its path is exactly this. False if unknown."""
    try:
        # One system call instead of one per folder.
        return bool(_OPENED) and os.readlink(b"%b%d" % (_OPENED, descriptor)) == full
    except OSError:
        return False


def _crosses_symlink(full_path: bytes, root_bytes: int, real_folders: set[bytes]) -> bool:
    # O_NOFOLLOW refuses a symlink only as the last component; without it that is checked too.
    full = full_path if _NO_FOLLOW else full_path + b"/"
    if full[: full.rfind(b"/")] in real_folders:  # so are its parents
        return False
    end = full.find(b"/", root_bytes + 1)
    while end > 0:
        folder = full[:end]
        if folder not in real_folders:
            try:
                if stat.S_ISLNK(os.lstat(folder).st_mode):
                    return True
            except OSError:
                return False
            real_folders.add(folder)
        end = full.find(b"/", end + 1)
    return False


def _read_settled(descriptor: int, max_bytes: int) -> FileBytes | SkipReason:
    first = _read_once(descriptor, max_bytes)
    if isinstance(first, SkipReason) or stamps_of(os.fstat(descriptor)) == first.stat:
        return first
    # If it changes again during the second read, the stamps from before the read are returned.
    # They no longer match the file, so the next check reads it again.
    os.lseek(descriptor, 0, os.SEEK_SET)
    return _read_once(descriptor, max_bytes)


def _read_once(descriptor: int, max_bytes: int) -> FileBytes | SkipReason:
    before = os.fstat(descriptor)
    if not stat.S_ISREG(before.st_mode):
        return SkipReason.NOT_REGULAR
    if before.st_size > max_bytes:
        return SkipReason.TOO_LARGE
    chunks: list[bytes] = []
    room = max_bytes + 1
    step = max(before.st_size + 1, _SMALLEST_STEP_BYTES)
    while room > 0:
        wanted = min(room, step)
        chunks.append(os.read(descriptor, wanted))
        room -= len(chunks[-1])
        if len(chunks[-1]) < wanted:  # the end of a regular file
            break
    if room <= 0:
        return SkipReason.TOO_LARGE
    return FileBytes(chunks[0] if len(chunks) == 1 else b"".join(chunks), stamps_of(before))


# A file written this shortly before its stamps are read may change again with equal stamps.
RACY_NS: Final = 2_000_000_000
# A ctime that matches no file, so the next sync reads the file again.
_NO_STAMP: Final = 0
# SQLite keeps 63 bits of an inode, and some file systems use all 64.
_INODE_BITS: Final = (1 << 63) - 1
_STAMPS_OF: Final[Callable[[os.stat_result], Stamps]] = attrgetter(
    "st_size", "st_mtime_ns", "st_ctime_ns", "st_ino"
)


def stamps_of_paths(paths: Iterable[bytes]) -> Iterator[Stamps]:
    """Return the stamps of files by full path, symlinks not followed; a missing file raises.

    Runs no bytecode per path, since a tree has thousands.
    """
    return map(_STAMPS_OF, map(os.lstat, paths))


def begin_look(folder: str, listing: bytes, numbers: "array[int]") -> "StampLook":
    """Start to find the paths below a folder that are gone or whose stamps changed.

    Paths are NUL-terminated, with four numbers each; those without stamps are skipped. With the
    extension a thread does the work while the caller continues.
    """
    in_c = kernels()
    if in_c is not None and sys.platform != "win32":
        return in_c.StampLook(os.fsencode(folder), listing, numbers)
    return PythonStampLook(folder, listing, numbers)


class PythonStampLook:
    """The fallback for `native/stamps.c`, without a thread: the work is done in `places`."""

    def __init__(self, folder: str, listing: bytes, numbers: "array[int]") -> None:
        """Take the listing and its stamps; no file is read."""
        self._prefix = os.fsencode(folder) + b"/"
        self._listing = listing
        self._numbers = numbers

    def places(self) -> list[int]:
        """Return the indexes of the paths that are gone or whose stamps changed."""
        paths = [*map(self._prefix.__add__, self._listing.split(b"\0")[:-1])]
        each = iter(self._numbers)
        known = [*zip(each, each, each, each, strict=True)]
        is_stamped = [size >= NO_SIZE for size, *_ in known]
        indexes = [*compress(range(len(paths)), is_stamped)]
        with suppress(OSError):  # if one is gone, all are compared one by one
            now = stamps_of_paths(compress(paths, is_stamped))
            indexes = [*compress(indexes, map(ne, now, compress(known, is_stamped)))]
        return [index for index in indexes if _is_unlike(paths[index], known[index])]


def _is_unlike(path: bytes, known: Stamps) -> bool:
    try:
        return stamps_of(os.lstat(path)) != known
    except OSError:
        return True


class TreeDifferences(NamedTuple):
    """How a working tree differs from its known listing and stamps."""

    restamped: frozenset[str]  # stamps changed, or gone
    added: frozenset[str]  # listed now, but not before
    removed: frozenset[str]  # listed before, but not now
    has_ignore_files: bool  # the known listing has a `.cruxeignore`

    @property
    def paths(self) -> frozenset[str]:
        """Return every path that differs."""
        return self.restamped | self.added | self.removed


def name_differences(known: bytes, restamped: list[int], listed: bytes) -> TreeDifferences:
    """Return the differences between a known listing and the current one.

    `restamped` are the indexes of known paths whose stamps changed, in ascending order.
    """
    added = removed = frozenset[str]()
    if listed != known:
        before, now = _listed_paths(known), _listed_paths(listed)
        added, removed = now - before, before - now
    # A listing may have 100,000 paths: split it only up to the last one needed.
    paths = known.split(b"\0", restamped[-1] + 1) if restamped else []
    return TreeDifferences(
        restamped=frozenset(paths[index].decode() for index in restamped),
        added=added,
        removed=removed,
        has_ignore_files=f"{CRUXE_IGNORE}\0".encode() in known,
    )


def _listed_paths(listing: bytes) -> frozenset[str]:
    """Return the paths of a listing, without the `.cruxe` folder.

    A path that is not UTF-8 gets replacement characters, so it equals no known path.
    """
    own = f"{CRUXE_FOLDER}/"
    listed = listing.decode("utf-8", "replace").split("\0")
    return frozenset(path for path in listed if path and not path.startswith(own))


def stamps_of(status: os.stat_result) -> FileStat:
    """Return the stamps in a stat result."""
    inode = status.st_ino & _INODE_BITS
    return FileStat(
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        ctime_ns=status.st_ctime_ns,
        inode=inode,
    )


def is_racy(stat: FileStat) -> bool:
    """Return whether stamps were taken so soon after a write that they cannot be trusted."""
    return stat.ctime_ns == _NO_STAMP


def settled_stat(stat: FileStat) -> FileStat:
    """Return the stamps to store; those of a file that was just written match no file."""
    if stat.mtime_ns > time.time_ns() - RACY_NS:
        return stat._replace(ctime_ns=_NO_STAMP)
    return stat
