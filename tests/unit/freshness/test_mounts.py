"""Which file system holds a path, by the kernel's table of mounts."""

from pathlib import Path

import pytest

from cruxe.freshness import mounts
from cruxe.freshness.mounts import file_system_of

TABLE = (
    b"1 0 0:1 / / rw - ext4 /dev/a rw\n"
    b"2 1 0:2 / /srv/B\xc3\xbcro rw shared:7 - nfs4 host:/x rw\n"
    b"3 1 0:3 / /srv/my\\040files rw - cifs //host/x rw\n"
    b"4 1 0:4 / /srv/not\xffutf8 rw - 9p x rw\n"
    b"5 1 0:5 / /srv/back\\134slash rw - ceph x rw\n"
    b"6 1 0:6 / /srv/twice rw - xfs x rw\n"
    b"7 6 0:7 / /srv/twice rw - nfs x rw\n"
)


@pytest.fixture(autouse=True)
def _table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "mountinfo"
    table.write_bytes(TABLE)
    monkeypatch.setattr(mounts, "_MOUNT_TABLE", str(table))


@pytest.mark.parametrize(
    ("path", "file_system"),
    [
        ("/home", "ext4"),
        ("/", "ext4"),
        ("/srv/Büro", "nfs4"),
        ("/srv/Büro/project", "nfs4"),
        ("/srv/Büro2", "ext4"),
        ("/srv/my files/project", "cifs"),
        ("/srv/not\udcffutf8/project", "9p"),
        ("/srv/back\\slash", "ceph"),
        ("/srv/twice/project", "nfs"),
    ],
)
def test_the_innermost_mount_holds_a_path(path: str, file_system: str) -> None:
    assert file_system_of(path) == file_system


def test_a_system_without_a_table_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "_MOUNT_TABLE", "/absent")

    assert file_system_of("/home") == ""
