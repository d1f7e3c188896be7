"""Checksums of what a store holds, made as it is written.

Readers check the rows that they use, `integrity.py` checks everything. A CRC-32 finds each change
of up to 32 neighbouring bits; it is no protection against someone who means it.
"""

import marshal
import os
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from zlib import crc32

from cruxe.model.identity import VersionKey
from cruxe.store.local.database import JOBS_CHECKSUM, META_CHECKSUM, corrupt

if TYPE_CHECKING:
    from cruxe.store.records import SymbolRow

# The last format whose bytes depend on values alone, not on how often an object is referred to.
_FORMAT: Final = 2
_BLOCK_BYTES: Final = 1 << 20
_SYMBOL_COLUMNS: Final = (
    "version_key",
    "name",
    "name_folded",
    "scope",
    "kind",
    "visibility",
    "parent",
    "line_start",
    "line_end",
    "name_line",
    "signature",
    "doc",
    "stable_id",
)
# Columns of `file_versions`.
_SYMBOL_COUNT: Final = 6
_FIRST_SYMBOL: Final = 8


Value = str | int | bytes | None | tuple["Value", ...] | list["Value"]  # as SQLite gives it


def row_checksum(*values: Value) -> int:
    """Return the checksum of values; a tuple and a list of the same differ."""
    return crc32(marshal.dumps(values, _FORMAT))


def version_checksum(row: tuple[Value, ...], symbols: "list[SymbolRow]") -> int:
    """Return the checksum of a version's row, without its checksum, and of its symbols in order."""
    return row_checksum(row, tuple(symbols))


def check_versions(connection: sqlite3.Connection, keys: Iterable[VersionKey]) -> None:
    """Raise if rows of some versions are not as they were written."""
    for key in keys:
        query = "SELECT * FROM file_versions WHERE version_key = ?"
        for *row, checksum in connection.execute(query, (key,)):
            if version_checksum(tuple(row), _symbols_of(connection, row)) != checksum:
                raise corrupt("the rows of a file have changed")


def _symbols_of(connection: sqlite3.Connection, row: list[Value]) -> "list[SymbolRow]":
    query = f"SELECT {', '.join(_SYMBOL_COLUMNS)} FROM symbols WHERE place >= ? AND place < ? + ?"
    first, count = row[_FIRST_SYMBOL], row[_SYMBOL_COUNT]
    return connection.execute(f"{query} ORDER BY place", (first, first, count)).fetchall()


def file_checksum(path: str) -> int:
    """Return the checksum of a file's bytes."""
    checksum = 0
    with open(path, "rb", buffering=0) as file:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
        while block := file.read(_BLOCK_BYTES):
            checksum = crc32(block, checksum)
    return checksum


def meta_checksum(meta: dict[str, str | int]) -> int:
    """Return the checksum of the rows of `meta`."""
    return row_checksum([(key, meta[key]) for key in sorted(meta) if key != META_CHECKSUM])


def jobs_checksum(connection: sqlite3.Connection) -> int:
    """Return the checksum of all jobs."""
    return row_checksum(connection.execute("SELECT * FROM index_jobs ORDER BY job_id").fetchall())


def seal(connection: sqlite3.Connection) -> None:
    """Within a transaction, as its last step: renew the checksums of jobs and of `meta`."""
    meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    meta[JOBS_CHECKSUM] = jobs_checksum(connection)
    meta[META_CHECKSUM] = meta_checksum(meta)
    connection.executemany(
        "INSERT OR REPLACE INTO meta VALUES (?, ?)",
        [(key, meta[key]) for key in (JOBS_CHECKSUM, META_CHECKSUM)],
    )
