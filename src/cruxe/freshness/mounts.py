"""The file system that holds a path, by the kernel's table of mounts. Only Linux has one."""

import os
import re
from typing import Final, NamedTuple

# Changes that other machines make on these are not reported to this one.
NETWORK_FILE_SYSTEMS: Final = frozenset(
    (
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph"),
        *("vboxsf", "drvfs", "virtiofs"),
        *("fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.vmhgfs-fuse"),
    )
)
_MOUNT_TABLE: Final = "/proc/self/mountinfo"
_MOUNT_POINT_FIELD: Final = 4
# The kernel writes space, tab, newline and backslash as three octal digits, all else as it is.
_ESCAPED_BYTE: Final = re.compile(rb"\\([0-7]{3})")


class Mount(NamedTuple):
    """A mounted file system."""

    path: bytes  # of the mount point; empty for `/`
    file_system: str

    def holds(self, path: bytes) -> bool:
        """Return whether a path is the mount point or lies below it."""
        return path == self.path or path.startswith(self.path + b"/")


def file_system_of(path: str) -> str:
    """Return the type of the file system that holds a path; empty if the system does not say."""
    return holding_mount(path, read_mounts()).file_system


def holding_mount(path: str, mounts: list[Mount]) -> Mount:
    """Return the innermost mount that holds a path; of several at one point the last is seen."""
    innermost = Mount(b"", "")
    for mount in mounts:
        if mount.holds(os.fsencode(path)) and len(mount.path) >= len(innermost.path):
            innermost = mount
    return innermost


def read_mounts() -> list[Mount]:
    """Return all mounts in the order in which they were made; none if the system does not say."""
    try:
        with open(_MOUNT_TABLE, "rb") as file:
            return [_parse_mount(line) for line in file]
    except OSError:
        return []


def _parse_mount(line: bytes) -> Mount:
    fields, _, file_system = line.partition(b" - ")
    escaped = fields.split(b" ")[_MOUNT_POINT_FIELD]
    path = _ESCAPED_BYTE.sub(lambda found: bytes([int(found[1], 8)]), escaped)
    return Mount(path.rstrip(b"/"), os.fsdecode(file_system.split(b" ")[0]))
