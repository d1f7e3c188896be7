"""Rows of `vector_spans` and `ref_vectors`: which rows of the vector files a version or ref has.

The files are append-only. The rows of a version are contiguous: those of its chunks in order, then
one for its docs.
"""

import sqlite3
import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple
from zlib import crc32

from cruxe.model.identity import VersionKey
from cruxe.model.stored import Vectors
from cruxe.store.local.checksums import row_checksum
from cruxe.store.local.database import corrupt

# With more keys one scan of all versions is cheaper than a lookup of each.
_FEW_KEYS: Final = 200


class VectorSpan(NamedTuple):
    """The rows of a version."""

    version_key: VersionKey
    first_row: int
    row_count: int
    checksum: int  # of these numbers, and of the rows and codes


def span_of(
    version_key: VersionKey, first_row: int, row_count: int, vectors: Vectors
) -> VectorSpan:
    """Return the span of a version's vectors."""
    numbers = row_checksum(version_key, first_row, row_count)
    checksum = crc32(vectors.codes, crc32(vectors.rows, numbers))
    return VectorSpan._make((version_key, first_row, row_count, checksum))


class PackedSpans(NamedTuple):
    """The spans of a ref in columns of 64-bit numbers, ordered by first row."""

    keys: "array[int]"
    first_rows: "array[int]"
    row_counts: "array[int]"


def write_spans(connection: sqlite3.Connection, spans: Iterable[VectorSpan]) -> None:
    """Insert the spans of versions."""
    connection.executemany("INSERT OR REPLACE INTO vector_spans VALUES (?, ?, ?, ?)", spans)


def read_spans(connection: sqlite3.Connection) -> list[VectorSpan]:
    """Return the spans of all versions, by version."""
    rows = connection.execute("SELECT * FROM vector_spans ORDER BY version_key")
    return [*map(VectorSpan._make, rows)]


def versions_without(connection: sqlite3.Connection, keys: Collection[int]) -> set[int]:
    """Return which of some versions have content and no vectors."""
    lacking = (
        "SELECT version_key FROM file_versions"
        " WHERE version_key NOT IN (SELECT version_key FROM vector_spans)"
    )
    if len(keys) > _FEW_KEYS:
        return {key for (key,) in connection.execute(lacking)}.intersection(keys)
    query = f"{lacking} AND version_key = ?"
    return {key for key in keys if connection.execute(query, (key,)).fetchone() is not None}


def pack_ref(connection: sqlite3.Connection, ref_id: int) -> None:
    """Pack the spans of a ref for readers, unless a version lacks vectors."""
    rows = connection.execute(
        "SELECT version_key, first_row, row_count FROM ref_versions"
        " JOIN file_versions USING (version_key) LEFT JOIN vector_spans USING (version_key)"
        " WHERE ref_id = ? ORDER BY first_row",
        (ref_id,),
    ).fetchall()
    connection.execute("DELETE FROM ref_vectors WHERE ref_id = ?", (ref_id,))
    if all(first_row is not None for _, first_row, _ in rows):
        numbers = array("Q", [number for row in rows for number in row])
        packed = _swapped(numbers).tobytes()
        values = (ref_id, packed, row_checksum(ref_id, packed))
        connection.execute("INSERT INTO ref_vectors VALUES (?, ?, ?)", values)


def repack_ref(
    connection: sqlite3.Connection,
    ref_id: int,
    gone: Iterable[VersionKey],
    added: Iterable[VersionKey],
) -> None:
    """Update the packed spans of a ref that lost some versions and gained others."""
    numbers = _read_numbers(connection, ref_id)
    spans = [span for key in added for span in _spans_with_content(connection, key)]
    complete = [(key, first, count) for key, first, count in spans if first is not None]
    if numbers is None or len(complete) < len(spans):
        pack_ref(connection, ref_id)
        return
    for key in gone:
        keys = numbers[::3]
        if key in keys:
            offset = 3 * keys.index(key)
            del numbers[offset : offset + 3]
    for span in complete:
        offset = 3 * bisect_left(numbers[1::3], span[1])
        if numbers[offset : offset + 3] != array("Q", span):
            numbers[offset:offset] = array("Q", span)
    packed = _swapped(numbers).tobytes()
    update = "UPDATE ref_vectors SET spans = ?, checksum = ? WHERE ref_id = ?"
    connection.execute(update, (packed, row_checksum(ref_id, packed), ref_id))


def _spans_with_content(
    connection: sqlite3.Connection, key: VersionKey
) -> list[tuple[int, int | None, int]]:
    """Return the span of a version with content; its row is None if it lacks vectors."""
    query = (
        "SELECT version_key, first_row, row_count FROM file_versions"
        " LEFT JOIN vector_spans USING (version_key) WHERE version_key = ?"
    )
    return connection.execute(query, (key,)).fetchall()


def has_packed(connection: sqlite3.Connection, ref_id: int) -> bool:
    """Return whether all versions of a ref have vectors."""
    query = "SELECT 1 FROM ref_vectors WHERE ref_id = ?"
    return connection.execute(query, (ref_id,)).fetchone() is not None


def read_packed(connection: sqlite3.Connection, ref_id: int) -> PackedSpans | None:
    """Return a ref's spans, or None if some of its versions lack vectors."""
    numbers = _read_numbers(connection, ref_id)
    return None if numbers is None else PackedSpans(numbers[0::3], numbers[1::3], numbers[2::3])


def _read_numbers(connection: sqlite3.Connection, ref_id: int) -> "array[int] | None":
    query = "SELECT spans, checksum FROM ref_vectors WHERE ref_id = ?"
    row = connection.execute(query, (ref_id,)).fetchone()
    if row is None:
        return None
    packed, checksum = row
    if row_checksum(ref_id, packed) != checksum:
        raise corrupt("the list of a ref's vectors has changed")
    return _swapped(array("Q", packed))


def _swapped(numbers: "array[int]") -> "array[int]":
    """Convert numbers to or from little-endian."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def delete_spans(connection: sqlite3.Connection, keys: Iterable[VersionKey]) -> None:
    """Delete the spans of some versions."""
    delete = "DELETE FROM vector_spans WHERE version_key = ?"
    connection.executemany(delete, [(key,) for key in keys])


def delete_all(connection: sqlite3.Connection) -> None:
    """Delete all spans: vectors of different models cannot be compared."""
    connection.execute("DELETE FROM vector_spans")
    connection.execute("DELETE FROM ref_vectors")
