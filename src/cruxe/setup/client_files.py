"""Reads the files of clients and replaces them atomically by a temporary file and a rename.

A symbolic link is kept and its target replaced. The file's mode is kept, and a file that changed
since it was read is never overwritten.
"""

import os
import stat
from contextlib import suppress
from secrets import token_hex
from typing import Final, NamedTuple

from cruxe.model.errors import InvalidInputError, StorageError

_NEW_MODE: Final = 0o666  # reduced by the umask
_WRITE_BITS: Final = 0o222


class ChangedMeanwhileError(Exception):
    """Another program wrote the file between reading and writing."""


class Target(NamedTuple):
    """A file as it was read; `data` is None if it does not exist."""

    path: str  # as the client names it
    real_path: str
    data: bytes | None
    status: os.stat_result | None


def read_target(path: str, within: str | None) -> Target:
    """Read a file if it exists; symbolic links must not lead out of the folder `within`."""
    real_path = os.path.realpath(path)
    if within is not None and not _is_inside(real_path, os.path.realpath(within)):
        raise InvalidInputError(
            f"{path} leads out of the project, to {real_path}",
            remedy="replace the link by a file or a folder of the project, or use --scope user",
            data={"path": path},
        )
    try:
        status = os.stat(real_path)
    except FileNotFoundError:
        _refuse_broken_link(path)
        return Target(path=path, real_path=real_path, data=None, status=None)
    except NotADirectoryError as error:
        raise InvalidInputError(
            f"{path} cannot be made: a folder on the way to it is a file",
            remedy="move that file away",
            data={"path": path},
        ) from error
    except OSError as error:
        raise _failed(error, path) from error
    _refuse_unusual(path, status)
    try:
        with open(real_path, "rb") as file:
            return Target(path=path, real_path=real_path, data=file.read(), status=status)
    except OSError as error:
        raise _failed(error, path) from error


def missing_folders(target: Target) -> list[str]:
    """Return the parent folders of a file that do not exist yet, outermost first."""
    missing: list[str] = []
    folder = os.path.dirname(target.real_path)
    while not os.path.lexists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing[::-1]


def replace_target(target: Target, data: bytes, *, is_private: bool = False) -> None:
    """Replace a file atomically; a new private file is readable by its owner only."""
    temporary = f"{target.real_path}.cruxe-{token_hex(4)}"
    try:
        os.makedirs(os.path.dirname(target.real_path), exist_ok=True)
        _write_new(temporary, data, target, is_private=is_private)
        _refuse_changed(target)
        os.replace(temporary, target.real_path)
    except OSError as error:
        raise _failed(error, target.path) from error
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def delete_target(target: Target) -> None:
    """Delete a file, unless it changed since it was read."""
    _refuse_changed(target)
    try:
        os.unlink(target.real_path)
    except OSError as error:
        raise _failed(error, target.path) from error


def remove_folders(folders: list[str]) -> None:
    """Remove the empty ones of these folders, which are listed outermost first."""
    for folder in reversed(folders):
        with suppress(OSError):
            os.rmdir(folder)


def _is_inside(path: str, folder: str) -> bool:
    return os.path.join(path, "").startswith(os.path.join(folder, ""))


def _refuse_broken_link(path: str) -> None:
    if os.path.islink(path):
        raise InvalidInputError(
            f"{path} is a link to a file that does not exist",
            remedy="remove the link, or make the file that it leads to",
            data={"path": path},
        )


def _refuse_unusual(path: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "not an ordinary file"
        raise InvalidInputError(
            f"{path} is {kind}",
            remedy="move it away, so that the client's configuration can be there",
            data={"path": path},
        )


def refuse_read_only(target: Target) -> None:
    """Raise if a file is read-only, since a rename would replace it anyway."""
    if target.status is None:
        return
    if not target.status.st_mode & _WRITE_BITS or not os.access(target.real_path, os.W_OK):
        raise InvalidInputError(
            f"{target.path} is read-only",
            remedy="allow writing to it, or make the change where the file is managed;"
            " --dry-run shows it",
            data={"path": target.path},
        )


def _write_new(path: str, data: bytes, target: Target, *, is_private: bool) -> None:
    mode = 0o600 if is_private else _NEW_MODE
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)
    if target.status is not None:
        os.chmod(path, stat.S_IMODE(target.status.st_mode))
        _keep_owner(path, target.status)


def _keep_owner(path: str, status: os.stat_result) -> None:
    """Keep the owner of a file that root edits."""
    if hasattr(os, "chown") and status.st_uid != os.geteuid():
        with suppress(PermissionError):
            os.chown(path, status.st_uid, status.st_gid)


def _refuse_changed(target: Target) -> None:
    try:
        with open(target.real_path, "rb") as file:
            now: bytes | None = file.read()
    except FileNotFoundError:
        now = None
    if now != target.data:
        raise ChangedMeanwhileError


def _failed(error: OSError, path: str) -> StorageError:
    return StorageError(
        f"{path} cannot be read or written: {error.strerror or error}",
        remedy="check the disk and the permissions of the file and its folder; it is unchanged",
        data={"path": path},
    )
