"""File versions and their symbols in the database; they belong to content and never change."""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import chain

from cruxe.index import trigram_rows
from cruxe.index.records import SymbolRow, VersionRecord


class StoredVersions:
    """The versions that a store holds, to be asked for one by one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take an open database."""
        self._connection = connection

    def __contains__(self, key: object) -> bool:
        """Whether a version needs no parsing any more."""
        query = "SELECT 1 FROM file_versions WHERE version_key = ?"
        return self._connection.execute(query, (key,)).fetchone() is not None


def write_versions(
    connection: sqlite3.Connection, versions: Iterable[tuple[VersionRecord, int]]
) -> None:
    """Write versions, each with the number of its documents; one that is there stays as it is."""
    in_order = sorted(versions, key=lambda pair: pair[0].version_key)  # that of both tables
    connection.executemany(
        "INSERT OR IGNORE INTO file_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_version_row(record, count) for record, count in in_order),
    )
    sets = [(record.version_key, record.trigrams) for record, _ in in_order if record.trigrams]
    trigram_rows.write_sets(connection, sets)
    connection.executemany(
        "INSERT OR IGNORE INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _symbol_rows(record.symbols for record, _ in in_order),
    )


def _version_row(record: VersionRecord, document_count: int) -> tuple[object, ...]:
    return (
        record.version_key,
        record.path,
        record.blob_id,
        record.size_bytes,
        record.skip_reason,
        record.language,
        record.line_count,
        record.symbol_count,
        document_count,
        record.chunks.decode(),
        record.sites.decode(),
        record.imports.decode(),
        record.problems.decode(),
    )


def _symbol_rows(packed: Iterable[bytes]) -> Iterator[SymbolRow]:
    """The rows of file after file: no more than one file's are in memory at a time."""
    from msgspec.msgpack import Decoder

    return chain.from_iterable(map(Decoder(list[SymbolRow]).decode, filter(None, packed)))
