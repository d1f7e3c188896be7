"""Reading one file of the working tree, whatever has become of it since it was listed."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cruxe.model.source import FileBytes, FileStat, SkipReason
from cruxe.workspace.read import Stamps, read_bytes, read_file, stamps_at, stamps_of
from tests.requirements import requirement
from tests.support.native import without_kernels

POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="needs files of a POSIX system")


@requirement("DISC-VANISH")
def test_bytes_come_with_the_stamps_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "é.py").write_bytes(b"x = 1\r\n")
    status = os.stat(tmp_path / "sub" / "é.py")
    stamps = FileStat(7, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    assert read_file(str(tmp_path), "sub/é.py", 7) == FileBytes(b"x = 1\r\n", stamps)


def test_an_inode_that_uses_all_bits_fits_into_the_database() -> None:
    status = os.stat_result((0o100644, (1 << 64) - 2, 0, 1, 0, 0, 5, 0, 0, 0))

    assert stamps_of(status).inode == (1 << 63) - 2


@requirement("DISC-VANISH")
@pytest.mark.parametrize("path", ["gone.py", "gone/a.py", "file/a.py"])
def test_a_file_that_vanished_is_skipped_with_a_reason(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_bytes(b"")

    assert read_file(str(tmp_path), path, 100) is SkipReason.VANISHED


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")

    assert read_file(str(tmp_path), "a", 4) is SkipReason.TOO_LARGE


@POSIX_ONLY
@requirement("DISC-SYMLINK")
def test_no_symlink_is_followed_at_the_end_or_on_the_way(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a").write_bytes(b"secret")
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(outside / "a")
    (root / "folder").symlink_to(outside)

    assert read_file(str(root), "link", 100) is SkipReason.SYMLINK
    assert read_file(str(root), "folder/a", 100) is SkipReason.SYMLINK
    assert read_file(str(root), "folder/gone", 100) is SkipReason.SYMLINK


def stamps_and_folders(
    root: Path, path: str, known: set[bytes]
) -> tuple[Stamps | None, set[bytes]]:
    """What both say, and the folders below the root that are known to be real afterwards."""
    start, in_c, in_python = os.fsencode(root), {*known}, {*known}
    full_path = start + b"/" + path.encode()
    (found,) = stamps_at([full_path], len(start), in_c)
    with without_kernels():
        assert stamps_at([full_path], len(start), in_python) == [found]
    assert in_c == in_python
    return found, {folder.removeprefix(start) for folder in in_c}


@requirement("DISC-SYMLINK")
def test_stamps_are_those_of_a_file_that_no_symlink_leads_to(tmp_path: Path) -> None:
    (tmp_path / "one" / "two").mkdir(parents=True)
    (tmp_path / "one" / "two" / "é.py").write_bytes(b"x")
    (tmp_path / "a.py").write_bytes(b"")
    expected = stamps_of(os.lstat(tmp_path / "one" / "two" / "é.py"))

    assert stamps_and_folders(tmp_path, "one/two/é.py", set()) == (expected, {b"/one", b"/one/two"})
    assert stamps_and_folders(tmp_path, "a.py", set()) == (
        stamps_of(os.lstat(tmp_path / "a.py")),
        set(),
    )


@POSIX_ONLY
@requirement("DISC-SYMLINK")
@pytest.mark.parametrize(
    ("path", "real"),
    [
        ("one/link/a.py", {b"/one"}),
        ("link/two/a.py", set()),
        ("one/two/link", {b"/one", b"/one/two"}),
        ("one/two", {b"/one"}),
        ("one/gone.py", {b"/one"}),
        ("gone/a.py", set()),
    ],
)
def test_links_folders_and_what_is_gone_have_no_stamps(
    tmp_path: Path, path: str, real: set[bytes]
) -> None:
    (tmp_path / "one" / "two").mkdir(parents=True)
    (tmp_path / "one" / "two" / "a.py").write_bytes(b"x")
    (tmp_path / "one" / "two" / "link").symlink_to("a.py")
    (tmp_path / "one" / "link").symlink_to("two")
    (tmp_path / "link").symlink_to("one")

    assert stamps_and_folders(tmp_path, path, set()) == (None, real)


@POSIX_ONLY
def test_a_folder_that_is_known_is_not_looked_at_again(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.py").write_bytes(b"x")
    (tmp_path / "link").symlink_to("real")
    known = os.fsencode(tmp_path / "link")

    stamps, _ = stamps_and_folders(tmp_path, "link/a.py", {known})

    assert stamps == stamps_of(os.lstat(tmp_path / "real" / "a.py"))


@POSIX_ONLY
def test_a_pipe_and_a_folder_are_not_regular_and_do_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()

    assert read_file(str(tmp_path), "pipe", 100) is SkipReason.NOT_REGULAR
    assert read_file(str(tmp_path), "folder", 100) is SkipReason.NOT_REGULAR


@POSIX_ONLY
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "a").chmod(0)

    assert read_file(str(tmp_path), "a", 100) is SkipReason.UNREADABLE


@contextmanager
def rewritten_all_the_time(path: Path, contents: tuple[bytes, bytes]) -> Iterator[None]:
    stop = threading.Event()

    def rewrite() -> None:
        while not stop.is_set():
            for content in contents:
                path.with_suffix(".new").write_bytes(content)
                os.replace(path.with_suffix(".new"), path)

    writer = threading.Thread(target=rewrite)
    writer.start()
    try:
        yield
    finally:
        stop.set()
        writer.join()


@POSIX_ONLY
@requirement("DISC-VANISH")
def test_stamps_belong_to_the_bytes_while_the_file_is_being_replaced(tmp_path: Path) -> None:
    contents = (b"short", b"a longer content" * 1000)
    (tmp_path / "a").write_bytes(contents[0])

    with rewritten_all_the_time(tmp_path / "a", contents):
        for _ in range(300):
            found = read_file(str(tmp_path), "a", 100_000)
            assert isinstance(found, FileBytes)
            assert found.data in contents
            assert found.stat.size == len(found.data)


@POSIX_ONLY
def test_bytes_without_stamps_are_those_of_regular_files(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for name, data in (("empty", b""), ("a", b"12345"), ("large", b"x" * 200_000)):
        (tmp_path / "real" / name).write_bytes(data)
    (tmp_path / "real" / "b").symlink_to("a")
    os.mkfifo(tmp_path / "real" / "pipe")
    names = ["real/empty", "real/a", "real/large", "real/b", "real/pipe", "real", "gone", "link/a"]

    found = [_read(tmp_path, name) for name in names]

    assert found[:2] == [b"", b"12345"]
    assert found[2:] == [
        SkipReason.TOO_LARGE,
        SkipReason.SYMLINK,
        SkipReason.NOT_REGULAR,
        SkipReason.NOT_REGULAR,
        SkipReason.VANISHED,
        SkipReason.SYMLINK,
    ]


def _read(root: Path, name: str) -> bytes | SkipReason:
    prefix = os.fsencode(root) + b"/"
    return read_bytes(prefix + name.encode(), len(prefix) - 1, set(), 100_000)
