"""Refs in the database: what a ref is, and its map from paths to file versions."""

import sqlite3
import time
from collections.abc import Iterable, Mapping
from typing import Final

from cruxe.index.packed import pack_keys, pack_stamps
from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.model.source import NAMED_SIZE, NO_SIZE, SYMLINK_SIZE, FileStat, SkipReason


class RefFile(NamedTuple):
    """One path of a ref: the version it holds, or why it holds none."""

    version_key: VersionKey | None
    skip_reason: SkipReason | None
    stat: FileStat | None


class RefRow(NamedTuple):
    """A ref as last published."""

    ref_id: int
    name: str
    root: str | None
    branch: str | None
    commit_id: str | None
    settings: str
    file_count: int
    skipped_count: int
    indexed_at_ns: int


class RefState(NamedTuple):
    """What a ref is published as."""

    name: str
    root: str | None
    branch: str | None
    commit_id: str | None
    settings: str = ""  # digest of those that decide what the map holds


_COLUMNS = (
    "ref_id, name, root, branch, commit_id, settings, file_count, skipped_count, indexed_at_ns"
)


def find_ref(connection: sqlite3.Connection, name: str) -> RefRow | None:
    """A published ref by name."""
    row = connection.execute(f"SELECT {_COLUMNS} FROM refs WHERE name = ?", (name,)).fetchone()
    return None if row is None else RefRow(*row)


_ROWS_OF_REF: Final = (
    "SELECT path, version_key, skip_reason, size_bytes, mtime_ns, ctime_ns, inode"
    " FROM ref_files WHERE ref_id = ?"
)
_REASONS: Final[Mapping[str | None, SkipReason | None]] = {
    None: None,
    **{reason.value: reason for reason in SkipReason},
}


# Whatever such a file holds, it is left out: unless its content was the reason.
_TOLD_BY_NAME: Final = frozenset(
    {
        SkipReason.BINARY,
        SkipReason.GENERATED,
        SkipReason.IGNORED,
        SkipReason.MINIFIED,
        SkipReason.SECRET,
    }
)


def list_refs(connection: sqlite3.Connection) -> list[RefRow]:
    """All published refs, by name."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM refs ORDER BY name").fetchall()
    return [RefRow(*row) for row in rows]


def read_map(connection: sqlite3.Connection, ref_id: int) -> dict[str, RefFile]:
    """A ref's whole map."""
    return _files(connection.execute(_ROWS_OF_REF, (ref_id,)))


def read_rows(
    connection: sqlite3.Connection, ref_id: int, paths: Iterable[str]
) -> dict[str, RefFile]:
    """The rows of some paths in a ref's map."""
    found: dict[str, RefFile] = {}
    for path in paths:
        found |= _files(connection.execute(f"{_ROWS_OF_REF} AND path = ?", (ref_id, path)))
    return found


def _files(rows: sqlite3.Cursor) -> dict[str, RefFile]:
    # A row a file of the tree: what is constant is looked up outside.
    make = tuple[object].__new__
    file_class, stat_class, reasons = RefFile, FileStat, _REASONS
    return {
        path: make(
            file_class,
            (key, reasons[skip], None if stat[0] is None else make(stat_class, stat)),
        )
        for path, key, skip, *stat in rows
    }


def write_map(
    connection: sqlite3.Connection,
    ref: RefState,
    files: Mapping[str, RefFile],
    before: Mapping[str, RefFile] | None = None,
) -> bool:
    """Replace a ref and its map; only rows that differ are touched.

    `before` is the published map, where the caller has read it already. Gives whether readers
    see a difference: another stamp on the same content is none.
    """
    existing = find_ref(connection, ref.name)
    if before is None:
        before = {} if existing is None else read_map(connection, existing.ref_id)
    live = [file.version_key for file in files.values() if file.version_key is not None]
    paths = sorted(files)
    in_order = [files[path] for path in paths]
    stamps = pack_stamps(map(stamps_to_expect, in_order))
    skipped = len(files) - [file.skip_reason for file in in_order].count(None)
    values = (ref.root, ref.branch, ref.commit_id, ref.settings, len(files) - skipped, skipped)
    cursor = connection.execute(
        "INSERT INTO refs (name, root, branch, commit_id, settings, file_count, skipped_count,"
        " indexed_at_ns, live_keys, paths, stamps) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (name) DO UPDATE SET root = excluded.root, branch = excluded.branch,"
        " commit_id = excluded.commit_id, settings = excluded.settings,"
        " file_count = excluded.file_count, skipped_count = excluded.skipped_count,"
        " indexed_at_ns = excluded.indexed_at_ns, live_keys = excluded.live_keys,"
        " paths = excluded.paths, stamps = excluded.stamps"
        " RETURNING ref_id",
        (ref.name, *values, time.time_ns(), pack_keys(live), "\0".join(paths), stamps),
    )
    ((ref_id,),) = cursor.fetchall()
    is_moved = existing is None or (existing.branch, existing.commit_id) != (
        ref.branch,
        ref.commit_id,
    )
    return replace_rows(connection, ref_id, before, files) or is_moved


def replace_rows(
    connection: sqlite3.Connection,
    ref_id: int,
    before: Mapping[str, RefFile],
    files: Mapping[str, RefFile],
) -> bool:
    """Put rows in the place of others; gives whether readers see a difference."""
    gone = [(ref_id, path) for path in before if path not in files]
    connection.executemany("DELETE FROM ref_files WHERE ref_id = ? AND path = ?", gone)
    changed = [(path, file) for path, file in files.items() if before.get(path) != file]
    connection.executemany(
        "INSERT OR REPLACE INTO ref_files VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (ref_id, path, file.version_key, file.skip_reason, *(file.stat or (None,) * 4))
            for path, file in changed
        ),
    )
    return bool(gone) or any(_content(before.get(path)) != _content(file) for path, file in changed)


def stamps_to_expect(file: RefFile) -> FileStat:
    """The stamps of an unchanged file, or what stands for them where none have to be compared."""
    if file.stat is None:
        is_symlink = file.skip_reason is SkipReason.SYMLINK
        return FileStat(SYMLINK_SIZE if is_symlink else NO_SIZE, 0, 0, 0)
    if file.version_key is None and file.skip_reason in _TOLD_BY_NAME:
        return FileStat(NAMED_SIZE, 0, 0, 0)
    return file.stat


def _content(file: RefFile | None) -> tuple[VersionKey | None, SkipReason | None] | None:
    return None if file is None else (file.version_key, file.skip_reason)


def delete_ref(connection: sqlite3.Connection, ref_id: int) -> None:
    """Forget a ref; its versions stay until they are collected."""
    connection.execute("DELETE FROM ref_files WHERE ref_id = ?", (ref_id,))
    connection.execute("DELETE FROM ref_vectors WHERE ref_id = ?", (ref_id,))
    connection.execute("DELETE FROM refs WHERE ref_id = ?", (ref_id,))
