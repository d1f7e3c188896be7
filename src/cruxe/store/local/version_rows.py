"""Rows of `file_versions`, `verdicts` and `symbols`; they are immutable."""

import sqlite3
from collections.abc import Iterable
from itertools import accumulate, chain
from typing import Final

from cruxe.model.identity import BlobId, VersionKey
from cruxe.model.source import SkipReason
from cruxe.store.local import redaction_rows, trigram_rows
from cruxe.store.local.checksums import Value, row_checksum, version_checksum
from cruxe.store.records import SymbolRow, VersionRecord

_SymbolRows = list[SymbolRow]


_INSERT_VERSION: Final = f"INSERT INTO file_versions VALUES ({', '.join('?' * 15)})"
_INSERT_SYMBOL: Final = f"INSERT INTO symbols VALUES (NULL, {', '.join('?' * 13)})"


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


def verdicts(connection: sqlite3.Connection) -> dict[int, SkipReason | None]:
    """Return all stored versions, each with the reason why its content is skipped, or None."""
    keys = connection.execute("SELECT version_key FROM file_versions")
    found: dict[int, SkipReason | None] = dict.fromkeys(chain.from_iterable(keys))
    rows = connection.execute("SELECT version_key, reason FROM verdicts")
    return found | {key: SkipReason(reason) for key, reason in rows}


def blob_ids(connection: sqlite3.Connection, keys: Iterable[int]) -> dict[int, BlobId]:
    """Return git's names for the bytes of some versions."""
    wanted = set(keys)
    rows = connection.execute("SELECT version_key, blob_id FROM file_versions")
    return {key: BlobId(blob.hex()) for key, blob in rows if key in wanted} if wanted else {}


def language_counts(connection: sqlite3.Connection, ref_id: int) -> dict[str, int]:
    """Return how many files of each language a ref holds."""
    query = (
        "SELECT language, count(*) FROM ref_versions JOIN file_versions USING (version_key)"
        " WHERE ref_id = ? GROUP BY 1 ORDER BY 1"
    )
    return dict(connection.execute(query, (ref_id,)).fetchall())


def document_count(connection: sqlite3.Connection, ref_id: int) -> int:
    """Return how many documents the versions of a ref have."""
    query = (
        "SELECT coalesce(sum(document_count), 0) FROM ref_versions"
        " JOIN file_versions USING (version_key) WHERE ref_id = ?"
    )
    return int(connection.execute(query, (ref_id,)).fetchone()[0])


def write_versions(
    connection: sqlite3.Connection, versions: Iterable[tuple[VersionRecord, int]]
) -> None:
    """Insert versions, each with the number of its documents; existing ones are left alone."""
    stored = StoredVersions(connection)
    unknown = [each for each in versions if each[0].version_key not in stored]
    unknown.sort(key=lambda pair: pair[0].version_key)
    new = [each for each in unknown if each[0].skip_reason is None]
    connection.executemany(
        "INSERT INTO verdicts VALUES (?, ?, ?)",
        (
            verdict_row(record.version_key, record.skip_reason)
            for record, _ in unknown
            if record.skip_reason is not None
        ),
    )
    redaction_rows.write(connection, ((each.version_key, each.redacted_count) for each, _ in new))
    ((first,),) = connection.execute("SELECT coalesce(max(place), 0) + 1 FROM symbols").fetchall()
    firsts = accumulate((record.symbol_count for record, _ in new), initial=first)
    # Only one file is decoded at a time.
    for (record, document_count), first_symbol in zip(new, firsts, strict=False):
        symbols = _decoded(record.symbols)
        row = _version_row(record, document_count, first_symbol)
        connection.execute(_INSERT_VERSION, (*row, version_checksum(row, symbols)))
        # A NULL rowid becomes the next free one.
        connection.executemany(_INSERT_SYMBOL, symbols)
    sets = [(record.version_key, record.trigrams) for record, _ in new if record.trigrams]
    trigram_rows.write_sets(connection, sets)


def verdict_row(key: int, reason: str) -> tuple[int, str, int]:
    """Return a row of `verdicts`."""
    plain = str(reason)
    return key, plain, row_checksum(key, plain)


def delete_versions(connection: sqlite3.Connection, keys: Iterable[VersionKey]) -> None:
    """Delete versions with their symbols, and verdicts."""
    rows = [(key,) for key in keys]
    own = "(SELECT {} FROM file_versions WHERE version_key = ?1)"
    first, end = own.format("first_symbol"), own.format("first_symbol + symbol_count")
    connection.executemany(f"DELETE FROM symbols WHERE place >= {first} AND place < {end}", rows)
    connection.executemany("DELETE FROM file_versions WHERE version_key = ?", rows)
    connection.executemany("DELETE FROM verdicts WHERE version_key = ?", rows)
    redaction_rows.delete(connection, rows)


def _version_row(
    record: VersionRecord, document_count: int, first_symbol: int
) -> tuple[Value, ...]:
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


def _decoded(packed: bytes) -> _SymbolRows:
    from msgspec.msgpack import Decoder

    return Decoder(_SymbolRows).decode(packed) if packed else []
