"""Refs in the database: what a ref is, its map, and the versions that it holds."""

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
    """A published ref by name."""
    row = connection.execute(f"SELECT {_COLUMNS} FROM refs WHERE name = ?", (name,)).fetchone()
    return None if row is None else RefRow(*row)


def list_refs(connection: sqlite3.Connection) -> list[RefRow]:
    """All published refs, by name."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM refs ORDER BY name").fetchall()
    return [RefRow(*row) for row in rows]


def read_columns(connection: sqlite3.Connection, ref_id: int) -> MapColumns:
    """A ref's map as it is stored."""
    query = f"SELECT {', '.join(MapColumns._fields)} FROM refs WHERE ref_id = ?"
    return MapColumns(*connection.execute(query, (ref_id,)).fetchone())


def read_map(connection: sqlite3.Connection, ref_id: int) -> dict[str, RefFile]:
    """A ref's whole map."""
    return RefMap(read_columns(connection, ref_id)).files()


def write_map(connection: sqlite3.Connection, ref: RefState, files: Mapping[str, RefFile]) -> bool:
    """Replace a ref and its map.

    Gives whether readers see a difference: another stamp on the same content is none.
    """
    existing = find_ref(connection, ref.name)
    before = None if existing is None else read_columns(connection, existing.ref_id)
    columns = pack_map(files, has_stamps=ref.root is not None)
    skipped = len(files) - columns.skip_reasons.count(0)
    values = ref._asdict() | columns._asdict()
    values |= {
        "file_count": len(files) - skipped,
        "skipped_count": skipped,
        # Rising, whatever the clock does: it tells one map from the next.
        "indexed_at_ns": max(time.time_ns(), 0 if existing is None else existing.indexed_at_ns + 1),
    }
    places = ", ".join("?" for _ in values)
    updates = ", ".join(f"{name} = excluded.{name}" for name in values)
    cursor = connection.execute(
        f"INSERT INTO refs ({', '.join(values)}) VALUES ({places})"
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
    """Note which versions with content a ref holds no more, and which it holds from now on."""
    delete = "DELETE FROM ref_versions WHERE ref_id = ? AND version_key = ?"
    connection.executemany(delete, [(ref_id, key) for key in gone])
    insert = "INSERT OR IGNORE INTO ref_versions VALUES (?, ?)"
    connection.executemany(insert, [(ref_id, key) for key in sorted(added)])


def delete_ref(connection: sqlite3.Connection, ref_id: int) -> None:
    """Forget a ref; its versions stay until they are collected."""
    connection.execute("DELETE FROM ref_versions WHERE ref_id = ?", (ref_id,))
    connection.execute("DELETE FROM ref_vectors WHERE ref_id = ?", (ref_id,))
    connection.execute("DELETE FROM refs WHERE ref_id = ?", (ref_id,))
