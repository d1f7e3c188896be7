"""File versions and their symbols in the database; they belong to content and never change."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final

from cruxe.index.records import VersionRecord
from cruxe.model.symbols import NO_SYMBOL, ROLE_OF_KIND, SymbolKind, SymbolRole, Visibility
from cruxe.text.spelling import fold_name

# sqlite3 asks its adapters about every value of a type that it does not know by itself.
_PLAIN: Final = {
    member: member.value for names in (SymbolKind, SymbolRole, Visibility) for member in names
}


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
    connection: sqlite3.Connection, versions: Sequence[tuple[VersionRecord, int]]
) -> None:
    """Write versions, each with the number of its documents; one that is there stays as it is."""
    connection.executemany(
        "INSERT OR IGNORE INTO file_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_version_row(record, count) for record, count in versions),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (row for record, _ in versions for row in _symbol_rows(record)),
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
        len(record.symbols),
        document_count,
        record.chunks.decode(),
        record.sites.decode(),
        record.imports.decode(),
        record.problems.decode(),
    )


def _symbol_rows(record: VersionRecord) -> Iterator[tuple[object, ...]]:
    for ordinal, symbol in enumerate(record.symbols):
        yield (
            record.version_key,
            ordinal,
            symbol.name,
            fold_name(symbol.name),
            symbol.qualified_name,
            _PLAIN[symbol.kind],
            _PLAIN[ROLE_OF_KIND[symbol.kind]],
            _PLAIN[symbol.visibility],
            None if symbol.parent == NO_SYMBOL else symbol.parent,
            symbol.line_start,
            symbol.line_end,
            symbol.name_line,
            symbol.signature,
            symbol.doc,
            bytes.fromhex(symbol.stable_id),
        )
