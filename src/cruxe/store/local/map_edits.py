"""Replaces a few rows of a ref's packed map without unpacking the rest.

The result is the same as that of writing the whole map.
"""

import sqlite3
import time
from collections.abc import Mapping

from cruxe.model.identity import VersionKey
from cruxe.model.refs import MapEdit, RefFile
from cruxe.store.local import vector_rows
from cruxe.store.local.ref_maps import RefMap, edit_columns
from cruxe.store.local.ref_rows import move_versions


def edit_map(connection: sqlite3.Connection, ref_id: int, ref_map: RefMap, edit: MapEdit) -> bool:
    """Replace some rows of a working tree's map; return whether readers see a difference."""
    before = ref_map.columns
    columns = edit_columns(ref_map, edit.before.keys() - edit.after.keys(), edit.after)
    skipped = _skipped(edit.after) - _skipped(edit.before)
    indexed = len(edit.after) - len(edit.before) - skipped
    if columns.paths is not before.paths:
        connection.execute("UPDATE refs SET paths = ? WHERE ref_id = ?", (columns.paths, ref_id))
    # SQLite overwrites a value of the same length in place, and writes only changed pages.
    connection.execute(
        "UPDATE refs SET file_count = file_count + ?, skipped_count = skipped_count + ?,"
        " indexed_at_ns = max(indexed_at_ns + 1, ?), version_keys = ?, skip_reasons = ?,"
        " stamps = ? WHERE ref_id = ?",
        (indexed, skipped, time.time_ns(), *columns[1:], ref_id),
    )
    gone, added = _gone_keys(connection, edit), _added_keys(edit)
    move_versions(connection, ref_id, gone, added)
    vector_rows.repack_ref(connection, ref_id, gone, added)
    return before[:-1] != columns[:-1]


def _gone_keys(connection: sqlite3.Connection, edit: MapEdit) -> list[VersionKey]:
    """Return the versions with content that no path holds any more."""
    gone: list[VersionKey] = []
    for path, file in edit.before.items():
        key = file.content_key
        if key is None or (path in edit.after and edit.after[path].content_key == key):
            continue
        query = "SELECT path FROM file_versions WHERE version_key = ?"
        row = connection.execute(query, (key,)).fetchone()
        # After a collision of keys the key belongs to another path, which still holds it.
        if row is None or row[0] == path:
            gone.append(key)
    return gone


def _added_keys(edit: MapEdit) -> list[VersionKey]:
    keys = {path: file.content_key for path, file in edit.before.items()}
    added = ((path, file.content_key) for path, file in edit.after.items())
    return [key for path, key in added if key is not None and key != keys.get(path)]


def _skipped(files: Mapping[str, RefFile]) -> int:
    return sum(file.skip_reason is not None for file in files.values())
