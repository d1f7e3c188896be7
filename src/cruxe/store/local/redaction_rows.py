"""Rows of `redactions`: the versions with secrets, which answers must not show."""

import sqlite3
from collections.abc import Container, Iterable

from cruxe.model.identity import VersionKey
from cruxe.store.local.checksums import row_checksum
from cruxe.store.local.database import corrupt


def write(connection: sqlite3.Connection, counts: Iterable[tuple[VersionKey, int]]) -> None:
    """Insert the versions that have secrets, each with their number."""
    connection.executemany(
        "INSERT INTO redactions VALUES (?, ?, ?)",
        ((key, count, row_checksum(key, count)) for key, count in counts if count),
    )


def read(
    connection: sqlite3.Connection, live: Container[VersionKey] | None = None
) -> dict[VersionKey, int]:
    """Return the live versions with secrets, or all; raise if a row is not as it was written."""
    rows = connection.execute("SELECT * FROM redactions ORDER BY version_key").fetchall()
    if any(row_checksum(key, count) != checksum for key, count, checksum in rows):
        raise corrupt("the list of files with secrets has changed")
    return {VersionKey(key): count for key, count, _ in rows if live is None or key in live}


def delete(connection: sqlite3.Connection, keys: list[tuple[VersionKey]]) -> None:
    """Delete the rows of versions."""
    connection.executemany("DELETE FROM redactions WHERE version_key = ?", keys)
