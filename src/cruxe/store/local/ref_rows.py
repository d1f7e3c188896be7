"""Rows of `refs` and `ref_versions`: refs, their packed maps, the versions they hold."""

import sqlite3
import time
from collections.abc import Iterable, Mapping

from cruxe.model.identity import VersionKey
from cruxe.model.refs import RefFile, RefRow, RefState
from cruxe.store.local.ref_maps import MapColumns, RefMap, pack_map

_COLUMNS = (
    "ref_id, name, root, branch, commit_id, settings, file_count, skipped_count, indexed_at_ns"
)


def find_ref(connection: sqlite3.Connection, name: str) -> RefRow | None:
    """Return a published ref by name, or None."""
    row = connection.execute(f"SELECT {_COLUMNS} FROM refs WHERE name = ?", (name,)).fetchone()
    return None if row is None else RefRow._make(row)


def list_refs(connection: sqlite3.Connection) -> list[RefRow]:
    """Return all published refs, by name."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM refs ORDER BY name").fetchall()
    return [*map(RefRow._make, rows)]


def read_columns(connection: sqlite3.Connection, ref_id: int) -> MapColumns:
    """Return a ref's packed map."""
    query = f"SELECT {', '.join(MapColumns._fields)} FROM refs WHERE ref_id = ?"
    return MapColumns._make(connection.execute(query, (ref_id,)).fetchone())


def read_map(connection: sqlite3.Connection, ref_id: int) -> dict[str, RefFile]:
    """Return a ref's whole map."""
    return RefMap(read_columns(connection, ref_id)).files()


def write_map(connection: sqlite3.Connection, ref: RefState, files: Mapping[str, RefFile]) -> bool:
    """Insert or replace a ref and its map; return whether readers see a difference.

    Other stamps on the same content are no difference.
    """
    existing = find_ref(connection, ref.name)
    before = None if existing is None else read_columns(connection, existing.ref_id)
    columns = pack_map(files, has_stamps=ref.root is not None)
    skipped = len(files) - columns.skip_reasons.count(0)
    values = ref._asdict() | columns._asdict()
    values |= {
        "file_count": len(files) - skipped,
        "skipped_count": skipped,
        # Strictly rising even if the clock is set back: it identifies the map.
        "indexed_at_ns": max(time.time_ns(), 0 if existing is None else existing.indexed_at_ns + 1),
    }
    marks = ", ".join("?" for _ in values)
    updates = ", ".join(f"{name} = excluded.{name}" for name in values)
    cursor = connection.execute(
        f"INSERT INTO refs ({', '.join(values)}) VALUES ({marks})"
        f" ON CONFLICT (name) DO UPDATE SET {updates} RETURNING ref_id",
        [*values.values()],
    )
    ((ref_id,),) = cursor.fetchall()
    held = set[VersionKey]() if before is None else RefMap(before).content_keys()
    holds = {key for file in files.values() if (key := file.content_key) is not None}
    move_versions(connection, ref_id, held - holds, holds - held)
    is_same_state = existing is not None and (existing.branch, existing.commit_id) == (
        ref.branch,
        ref.commit_id,
    )
    return not is_same_state or before is None or before[:-1] != columns[:-1]


def move_versions(
    connection: sqlite3.Connection,
    ref_id: int,
    gone: Iterable[VersionKey],
    added: Iterable[VersionKey],
) -> None:
    """Delete and insert the versions with content that a ref holds."""
    delete = "DELETE FROM ref_versions WHERE ref_id = ? AND version_key = ?"
    connection.executemany(delete, [(ref_id, key) for key in gone])
    insert = "INSERT OR IGNORE INTO ref_versions VALUES (?, ?)"
    connection.executemany(insert, [(ref_id, key) for key in sorted(added)])


def delete_ref(connection: sqlite3.Connection, ref_id: int) -> None:
    """Delete a ref; its versions stay until they are collected."""
    connection.execute("DELETE FROM ref_versions WHERE ref_id = ?", (ref_id,))
    connection.execute("DELETE FROM ref_vectors WHERE ref_id = ?", (ref_id,))
    connection.execute("DELETE FROM refs WHERE ref_id = ?", (ref_id,))
