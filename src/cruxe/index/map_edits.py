"""A few rows of a ref's map replaced by others: what is packed of the rest stays as it is.

Gives the same rows and the same packed columns as writing the whole map would.
"""

import sqlite3
import time
from collections.abc import Mapping

from cruxe.index import vector_rows
from cruxe.index.packed import edit_keys, edit_stamps
from cruxe.index.ref_rows import RefFile, replace_rows, stamps_to_expect
from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple


class MapEdit(NamedTuple):
    """Rows to be replaced, by path: one that is missing after is gone."""

    before: Mapping[str, RefFile]  # as published
    after: Mapping[str, RefFile]


def edit_map(connection: sqlite3.Connection, ref_id: int, edit: MapEdit) -> bool:
    """Replace some rows of a ref's map; gives whether readers see a difference."""
    has_changed = replace_rows(connection, ref_id, edit.before, edit.after)
    gone, added = _gone_keys(connection, edit), _added_keys(edit)
    # As bytes: of a few strange letters in one path each copy of all would be twice as long.
    query = "SELECT live_keys, CAST(paths AS BLOB), stamps FROM refs WHERE ref_id = ?"
    live_keys, before, stamps = connection.execute(query, (ref_id,)).fetchone()
    paths, stamps = edit_stamps(
        before,
        stamps,
        [path for path in edit.before if path not in edit.after],
        {path: stamps_to_expect(file) for path, file in edit.after.items()},
    )
    live_keys = edit_keys(live_keys, gone, added)
    skipped = _skipped(edit.after) - _skipped(edit.before)
    indexed = len(edit.after) - len(edit.before) - skipped
    if paths is not before:
        update = "UPDATE refs SET paths = CAST(? AS TEXT) WHERE ref_id = ?"
        connection.execute(update, (paths, ref_id))
    # A row that keeps its length is written over in place, and only where it differs.
    connection.execute(
        "UPDATE refs SET file_count = file_count + ?, skipped_count = skipped_count + ?,"
        " indexed_at_ns = ?, live_keys = ?, stamps = ? WHERE ref_id = ?",
        (indexed, skipped, time.time_ns(), live_keys, stamps, ref_id),
    )
    vector_rows.repack_ref(connection, ref_id, gone, added)
    return has_changed


def _gone_keys(connection: sqlite3.Connection, edit: MapEdit) -> list[VersionKey]:
    """The versions that no path holds any more."""
    gone: list[VersionKey] = []
    for path, file in edit.before.items():
        key = file.version_key
        if key is None or (path in edit.after and edit.after[path].version_key == key):
            continue
        query = "SELECT path FROM file_versions WHERE version_key = ?"
        row = connection.execute(query, (key,)).fetchone()
        # By chance a key may be that of another path, which goes on holding it.
        if row is None or row[0] == path:
            gone.append(key)
    return gone


def _added_keys(edit: MapEdit) -> list[VersionKey]:
    keys = {path: file.version_key for path, file in edit.before.items()}
    return [
        file.version_key
        for path, file in edit.after.items()
        if file.version_key is not None and file.version_key != keys.get(path)
    ]


def _skipped(files: Mapping[str, RefFile]) -> int:
    return sum(file.skip_reason is not None for file in files.values())
