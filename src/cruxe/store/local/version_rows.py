"""Rows of `file_versions`, `verdicts`, `redactions` and `symbols`; they are immutable."""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain

from cruxe.model.identity import VersionKey
from cruxe.store.local import trigram_rows
from cruxe.store.records import SymbolRow, VersionRecord


class StoredVersions:
    """The keys of a store's versions; each test of membership is a query."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Wrap an open database."""
        self._connection = connection

    def __contains__(self, key: object) -> bool:
        """Return whether a version is stored and needs no parsing."""
        query = (
            "SELECT 1 FROM file_versions WHERE version_key = ?1"
            " UNION ALL SELECT 1 FROM verdicts WHERE version_key = ?1"
        )
        return self._connection.execute(query, (key,)).fetchone() is not None


def write_versions(
    connection: sqlite3.Connection, versions: Iterable[tuple[VersionRecord, int]]
) -> None:
    """Insert versions, each with the number of its documents; existing ones are left alone."""
    stored = StoredVersions(connection)
    unknown = [each for each in versions if each[0].version_key not in stored]
    unknown.sort(key=lambda pair: pair[0].version_key)
    new = [each for each in unknown if each[0].skip_reason is None]
    connection.executemany(
        "INSERT INTO verdicts VALUES (?, ?)",
        (
            (record.version_key, record.skip_reason)
            for record, _ in unknown
            if record.skip_reason is not None
        ),
    )
    connection.executemany(
        "INSERT INTO redactions VALUES (?, ?)",
        ((each.version_key, each.redacted_count) for each, _ in new if each.redacted_count),
    )
    ((first,),) = connection.execute("SELECT coalesce(max(place), 0) + 1 FROM symbols").fetchall()
    firsts = accumulate((record.symbol_count for record, _ in new), initial=first)
    connection.executemany(
        "INSERT INTO file_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_version_row(*each, first) for each, first in zip(new, firsts, strict=False)),
    )
    sets = [(record.version_key, record.trigrams) for record, _ in new if record.trigrams]
    trigram_rows.write_sets(connection, sets)
    # A NULL rowid becomes the next free one.
    connection.executemany(
        "INSERT INTO symbols VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _symbol_rows(record.symbols for record, _ in new),
    )


def delete_versions(connection: sqlite3.Connection, keys: Iterable[VersionKey]) -> None:
    """Delete versions with their symbols, and verdicts."""
    rows = [(key,) for key in keys]
    own = "(SELECT {} FROM file_versions WHERE version_key = ?1)"
    first, end = own.format("first_symbol"), own.format("first_symbol + symbol_count")
    connection.executemany(f"DELETE FROM symbols WHERE place >= {first} AND place < {end}", rows)
    connection.executemany("DELETE FROM file_versions WHERE version_key = ?", rows)
    connection.executemany("DELETE FROM verdicts WHERE version_key = ?", rows)
    connection.executemany("DELETE FROM redactions WHERE version_key = ?", rows)


def _version_row(
    record: VersionRecord, document_count: int, first_symbol: int
) -> tuple[object, ...]:
    return (
        record.version_key,
        record.path,
        bytes.fromhex(record.blob_id),
        record.size_bytes,
        record.language,
        record.line_count,
        record.symbol_count,
        document_count,
        first_symbol,
        record.scopes.decode(),
        record.chunks.decode(),
        record.sites.decode(),
        record.imports.decode(),
        record.problems.decode(),
    )


def _symbol_rows(packed: Iterable[bytes]) -> Iterator[SymbolRow]:
    """Yield the rows of file after file; only one file is decoded at a time."""
    from msgspec.msgpack import Decoder

    return chain.from_iterable(map(Decoder(list[SymbolRow]).decode, filter(None, packed)))
