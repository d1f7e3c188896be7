"""The bytes of one working-tree file, with the stamps that belong to exactly these bytes.

Never follows a symlink, never waits for a pipe, never reads more than it was allowed.
"""

import errno
import os
import stat
import sys
from typing import Final

from cruxe.model.source import FileBytes, SkipReason
from cruxe.native import kernels
from cruxe.workspace.stamps import Stamps, stamps_of

_NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)
_OPEN_FLAGS: Final[int] = (
    os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)
# Where Linux tells the paths of open files.
_OPENED: Final[bytes] = b"/proc/self/fd/" if sys.platform == "linux" else b""
_SMALLEST_STEP_BYTES: Final = 65_536
_REASONS: Final = {
    errno.ENOENT: SkipReason.VANISHED,
    errno.ENOTDIR: SkipReason.VANISHED,
    errno.ELOOP: SkipReason.SYMLINK,
    errno.EMLINK: SkipReason.SYMLINK,  # what the BSDs say instead of ELOOP
    errno.ENXIO: SkipReason.NOT_REGULAR,
    errno.EISDIR: SkipReason.NOT_REGULAR,
}


def read_file(
    root: str, path: str, max_bytes: int, real_folders: set[bytes] | None = None
) -> FileBytes | SkipReason:
    """Read a file of the working tree, or tell why it cannot be."""
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


def stamps_at(full_path: bytes, root_bytes: int, real_folders: set[bytes]) -> Stamps | None:
    """The stamps of a regular file of the working tree; nothing where `read_file` has no bytes.

    The root takes so many bytes of the path. Folders that are known to be no links are not looked
    at, and those found to be none are added.
    """
    in_c = kernels()
    if in_c is not None and sys.platform != "win32":
        return in_c.stamps_at(full_path, root_bytes, real_folders)
    if _crosses_symlink(full_path, root_bytes, real_folders):
        return None
    try:
        status = os.lstat(full_path)
    except OSError:
        return None
    return stamps_of(status) if stat.S_ISREG(status.st_mode) else None


def bytes_path(root: str, path: str) -> bytes:
    """Give a file's full path as the bytes that git names it by, whatever the locale."""
    return os.fsencode(root) + b"/" + path.encode()


def reason_of(error: OSError) -> SkipReason:
    """Tell why a file operation failed."""
    return _REASONS.get(error.errno or 0, SkipReason.UNREADABLE)


def _is_known_as(descriptor: int, full: bytes) -> bool:
    """Whether an open file has this very path, so that no link led to it; false if unknown."""
    try:
        # One question instead of one for each folder.
        return bool(_OPENED) and os.readlink(b"%b%d" % (_OPENED, descriptor)) == full
    except OSError:
        return False


def _crosses_symlink(full_path: bytes, root_bytes: int, real_folders: set[bytes]) -> bool:
    # Opening refuses a symlink in the last place only, and nowhere without O_NOFOLLOW.
    full = full_path if _NO_FOLLOW else full_path + b"/"
    if full[: full.rfind(b"/")] in real_folders:  # with all that it is in
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
    # Still changing the second time: the stamps from before the read are kept, which no longer
    # fit the file, so that the next check takes it up again.
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
    while room > 0 and (chunk := os.read(descriptor, min(room, step))):
        chunks.append(chunk)
        room -= len(chunk)
    if room <= 0:
        return SkipReason.TOO_LARGE
    return FileBytes(chunks[0] if len(chunks) == 1 else b"".join(chunks), stamps_of(before))
