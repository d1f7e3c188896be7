"""Refs and their maps from paths to file versions, packed into columns ordered by path.

A path is found by bisection; the columns are unpacked only to read the whole map. In the database
a map is four values, however many files a ref has.
"""

import sqlite3
import time
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import repeat
from typing import Final, NamedTuple, cast

from cruxe.model.identity import VersionKey
from cruxe.model.source import NAMED_SIZE, NO_SIZE, SYMLINK_SIZE, FileStat, Head, SkipReason
from cruxe.model.stored import (
    STAMP_NUMBERS,
    MapEdit,
    PackedStamps,
    RefFile,
    RefRow,
    RefState,
    pack_numbers,
    pack_stamps,
    unpack_numbers,
)
from cruxe.store.local.checksums import row_checksum
from cruxe.store.local.database import corrupt

# Sorted paths compress to a tenth; higher levels gain little.
_COMPRESSION: Final = 1
_NO_KEY: Final = (1 << 64) - 1
_NO_STAMPS: Final = FileStat(size=NO_SIZE, mtime_ns=0, ctime_ns=0, inode=0)
_WITHOUT_STAT: Final = (NO_SIZE, SYMLINK_SIZE)
# By code; the codes are part of the schema.
SKIP_REASONS: Final = (None, *SkipReason)
_REASON_CODES: Final[Mapping[SkipReason | None, int]] = {
    reason: code for code, reason in enumerate(SKIP_REASONS)
}
# Reasons that may follow from the name: if the file has no version, its content does not matter.
_KNOWN_BY_NAME: Final = frozenset(
    {
        SkipReason.BINARY,
        SkipReason.GENERATED,
        SkipReason.IGNORED,
        SkipReason.MINIFIED,
        SkipReason.SECRET,
    }
)


class MapColumns(NamedTuple):
    """A map as it is stored."""

    paths: bytes  # sorted, each followed by NUL, compressed
    version_keys: bytes
    skip_reasons: bytes  # one byte each
    stamps: bytes  # empty unless the ref is a working tree


class RefMap:
    """A packed map; rows are unpacked on demand."""

    def __init__(self, columns: MapColumns) -> None:
        """Read columns made by `pack_map`; raises if they are damaged."""
        self.columns = columns
        self.skip_reasons = columns.skip_reasons
        try:
            self.keys = unpack_numbers("Q", columns.version_keys)
            numbers = unpack_numbers("q", columns.stamps)
            self.stamps = PackedStamps(zlib.decompress(columns.paths), numbers)
        except (zlib.error, ValueError) as error:
            raise corrupt("the map of a ref cannot be read") from error
        count = self.stamps.listing.count(b"\0")
        is_whole = count == len(self.keys) == len(self.skip_reasons)
        if not is_whole or len(numbers) not in (0, count * STAMP_NUMBERS):
            raise corrupt("the map of a ref is not whole")

    @cached_property
    def paths(self) -> list[bytes]:
        """The paths, sorted."""
        return self.stamps.split_paths()

    def find(self, path: str) -> RefFile | None:
        """Return the row of a path, or None."""
        return self.find_all([path]).get(path)

    def find_all(self, paths: Iterable[str]) -> dict[str, RefFile]:
        """Return the rows of some paths; unknown paths are left out."""
        indexes = {path: index for path in paths if (index := self._index_of(path)) is not None}
        has_stamps = bool(self.stamps.numbers)
        stats = self.stamps.at_each(indexes.values()) if has_stamps else repeat(_NO_STAMPS)
        found = zip(indexes.items(), stats, strict=False)
        return {path: self._row(index, stat) for (path, index), stat in found}

    def _index_of(self, path: str) -> int | None:
        name = path.encode("utf-8", "surrogatepass")
        index = bisect_left(self.paths, name)
        return index if self.paths[index : index + 1] == [name] else None

    def _row(self, index: int, stat: FileStat) -> RefFile:
        key = VersionKey(self.keys[index])
        return RefFile(
            None if key == _NO_KEY else key,
            SKIP_REASONS[self.skip_reasons[index]],
            None if stat.size in _WITHOUT_STAT else stat,
        )

    def files(self) -> dict[str, RefFile]:
        """Return all rows."""
        names = self._names()
        stats = self.stamps.rows() if self.stamps.numbers else repeat(_NO_STAMPS, len(names))
        # One row for each file of the tree: constants are looked up outside of the loop.
        make, file_class, stat_class = tuple[object].__new__, RefFile, FileStat
        reasons, without_key, without_stat = SKIP_REASONS, _NO_KEY, _WITHOUT_STAT
        return {
            name: make(
                file_class,
                (
                    None if key == without_key else key,
                    reasons[reason],
                    None if stat[0] in without_stat else make(stat_class, stat),
                ),
            )
            for name, key, reason, stat in zip(
                names, self.keys, self.skip_reasons, stats, strict=True
            )
        }

    @cached_property
    def version_keys(self) -> frozenset[VersionKey]:
        """The versions that some path holds, those without content included."""
        keys = cast("frozenset[VersionKey]", frozenset(self.keys))
        return keys - {_NO_KEY} if _NO_KEY in keys else keys

    def paths_by_key(self) -> dict[VersionKey, str]:
        """Return the paths of the versions with content."""
        names = self._names()
        rows = zip(names, self.keys, self.skip_reasons, strict=True)
        found = {key: name for name, key, reason in rows if not reason}
        return cast("dict[VersionKey, str]", found)

    def skipped(self) -> dict[str, SkipReason]:
        """Return the paths without content, by path, each with its reason."""
        if self.skip_reasons.count(0) == len(self.skip_reasons):
            return {}
        pairs = zip(self._names(), self.skip_reasons, strict=True)
        found = {name: SKIP_REASONS[code] for name, code in pairs if code}
        return {name: reason for name, reason in found.items() if reason is not None}

    def content_keys(self) -> set[VersionKey]:
        """Return the versions with content."""
        pairs = zip(self.keys, self.skip_reasons, strict=True)
        return {VersionKey(key) for key, reason in pairs if not reason and key != _NO_KEY}

    def _names(self) -> list[str]:
        return self.stamps.listing.decode().split("\0")[:-1]


def pack_map(files: Mapping[str, RefFile], *, has_stamps: bool) -> MapColumns:
    """Pack a map, with or without the stamps of its files."""
    paths = sorted(files)
    in_order = [files[path] for path in paths]
    return MapColumns(
        paths=zlib.compress(_joined(path.encode() for path in paths), _COMPRESSION),
        version_keys=pack_numbers(array("Q", [*map(_packed_key, in_order)])),
        skip_reasons=bytes([_REASON_CODES[file.skip_reason] for file in in_order]),
        stamps=pack_stamps(map(_stamps_to_expect, in_order)) if has_stamps else b"",
    )


def edit_columns(
    ref_map: RefMap, gone: Collection[str], files: Mapping[str, RefFile]
) -> MapColumns:
    """Remove some paths from a working tree's map, and insert or replace others."""
    paths, keys, numbers = [*ref_map.paths], ref_map.keys[:], ref_map.stamps.numbers[:]
    reasons, has_same_paths = bytearray(ref_map.skip_reasons), not gone
    for path in gone:
        name = path.encode()
        index = bisect_left(paths, name)
        assert paths[index] == name
        del paths[index], keys[index], reasons[index]
        del numbers[index * STAMP_NUMBERS : (index + 1) * STAMP_NUMBERS]
    for path, file in files.items():
        name = path.encode()
        index = end = bisect_left(paths, name)
        if paths[index : index + 1] == [name]:
            end += 1
        else:
            has_same_paths = False
        paths[index:end] = [name]
        keys[index:end] = array("Q", (_packed_key(file),))
        reasons[index:end] = bytes((_REASON_CODES[file.skip_reason],))
        stamps = array("q", _stamps_to_expect(file))
        numbers[index * STAMP_NUMBERS : end * STAMP_NUMBERS] = stamps
    joined = ref_map.columns.paths
    if not has_same_paths:
        joined = zlib.compress(_joined(paths), _COMPRESSION)
    return MapColumns(
        paths=joined,
        version_keys=pack_numbers(keys),
        skip_reasons=bytes(reasons),
        stamps=pack_numbers(numbers),
    )


def _joined(paths: Iterator[bytes] | list[bytes]) -> bytes:
    return b"".join([path + b"\0" for path in paths])


def _packed_key(file: RefFile) -> int:
    return _NO_KEY if file.version_key is None else file.version_key


def _stamps_to_expect(file: RefFile) -> FileStat:
    """Return the stamps that an unchanged file has, or a marker if none need comparing."""
    if file.stat is None:
        is_symlink = file.skip_reason is SkipReason.SYMLINK
        return _NO_STAMPS._replace(size=SYMLINK_SIZE) if is_symlink else _NO_STAMPS
    if file.version_key is None and file.skip_reason in _KNOWN_BY_NAME:
        return _NO_STAMPS._replace(size=NAMED_SIZE)
    return file.stat


_COLUMNS = (
    "ref_id, name, root, branch, commit_id, settings, file_count, skipped_count, indexed_at_ns"
)


def find_ref(connection: sqlite3.Connection, name: str) -> RefRow | None:
    """Return a published ref by name, or None."""
    rows = _read_refs(connection, "WHERE name = ?", name)
    return rows[0] if rows else None


def list_refs(connection: sqlite3.Connection) -> list[RefRow]:
    """Return all published refs, by name."""
    return _read_refs(connection, "ORDER BY name")


def _read_refs(connection: sqlite3.Connection, clause: str, *asked: str) -> list[RefRow]:
    query = f"SELECT {_COLUMNS}, map_checksum, checksum FROM refs {clause}"
    rows: list[RefRow] = []
    for *row, map_checksum, checksum in connection.execute(query, asked):
        if row_checksum(*row, map_checksum) != checksum:
            raise corrupt("the row of a ref has changed")
        rows.append(RefRow._make(row))
    return rows


def read_columns(connection: sqlite3.Connection, ref_id: int) -> MapColumns:
    """Return a ref's packed map; raise if it is not as it was written."""
    query = f"SELECT {', '.join(MapColumns._fields)}, map_checksum FROM refs WHERE ref_id = ?"
    *columns, checksum = connection.execute(query, (ref_id,)).fetchone()
    if row_checksum(*columns) != checksum:
        raise corrupt("the map of a ref has changed")
    return MapColumns._make(columns)


def seal_row(connection: sqlite3.Connection, ref_id: int, columns: MapColumns) -> None:
    """Store the checksums of a ref whose other columns are written."""
    map_checksum = row_checksum(*columns)
    query = f"SELECT {_COLUMNS} FROM refs WHERE ref_id = ?"
    checksum = row_checksum(*connection.execute(query, (ref_id,)).fetchone(), map_checksum)
    update = "UPDATE refs SET map_checksum = ?, checksum = ? WHERE ref_id = ?"
    connection.execute(update, (map_checksum, checksum, ref_id))


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
        "map_checksum": 0,
        "checksum": 0,
    }
    marks = ", ".join("?" for _ in values)
    updates = ", ".join(f"{name} = excluded.{name}" for name in values)
    cursor = connection.execute(
        f"INSERT INTO refs ({', '.join(values)}) VALUES ({marks})"
        f" ON CONFLICT (name) DO UPDATE SET {updates} RETURNING ref_id",
        [*values.values()],
    )
    ((ref_id,),) = cursor.fetchall()
    seal_row(connection, ref_id, columns)
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


def edit_map(connection: sqlite3.Connection, ref_id: int, ref_map: RefMap, edit: MapEdit) -> bool:
    """Replace some rows of a working tree's map; return whether readers see a difference."""
    from cruxe.store.local import vector_rows

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
    has_moved = edit.head is not None and _move_head(connection, ref_id, edit.head)
    seal_row(connection, ref_id, columns)
    return has_moved or before[:-1] != columns[:-1]


def forget(connection: sqlite3.Connection, ref_id: int, keys: Collection[VersionKey]) -> bool:
    """Remove the paths of some versions from a ref's map; return whether it had any."""
    ref_map = RefMap(read_columns(connection, ref_id))
    gone = {path: file for path, file in ref_map.files().items() if file.version_key in keys}
    if gone:
        edit_map(connection, ref_id, ref_map, MapEdit(gone, {}))
    return bool(gone)


def _move_head(connection: sqlite3.Connection, ref_id: int, head: Head) -> bool:
    """Store what a working tree has checked out; return whether that is another state."""
    moved = connection.execute(
        "UPDATE refs SET branch = ?, commit_id = ?"
        " WHERE ref_id = ? AND (branch, commit_id) IS NOT (?, ?)",
        (*head, ref_id, *head),
    )
    return moved.rowcount > 0


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
