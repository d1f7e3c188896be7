"""Symbols read in batches: of whole versions, of some lines, around other symbols, of chunks.

Each function is one statement, however much is asked for. What is asked for comes as JSON, so that
the text of a statement never changes and the connection keeps it compiled.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import ChunkName, ChunkSpan, LineSpan, Neighbours, StoredChunk

_Row = tuple[int, *tuple[str | int | None, ...]]
_COLUMNS: Final = ", ".join(StoredSymbol._fields)


def _select(condition: str, *asked: str) -> str:
    """Return a query for symbols; `asked` names the values of each JSON array that it takes.

    Every array has a number. CROSS JOIN makes the arrays the outer loop.
    """
    values = "".join(
        f", json_extract(value, '$[{index}]') AS {name}" for index, name in enumerate(asked)
    )
    return (
        f"SELECT number, {_COLUMNS}"
        f" FROM (SELECT key AS number{values} FROM json_each(?1)) CROSS JOIN stored_symbols"
        f" WHERE version_key = asked_key AND {condition} ORDER BY number, ordinal"
    )


_OF_VERSIONS: Final = _select("TRUE", "asked_key")
_NAMED_WITHIN: Final = _select(
    "name_line BETWEEN first_line AND last_line", "asked_key", "first_line", "last_line"
)
_OF_CHUNKS: Final = _select(
    "(place = first_symbol + shown OR line_start >= first_line AND line_end <= last_line)",
    "asked_key",
    "shown",
    "first_line",
    "last_line",
)
_AROUND: Final = _select(
    "(place = first_symbol + asked_parent OR parent IS asked_parent"
    " AND place != first_symbol + asked_ordinal"
    " AND place BETWEEN first_symbol + asked_ordinal - ?2 AND first_symbol + asked_ordinal + ?2)",
    "asked_key",
    "asked_ordinal",
    "asked_parent",
)


def symbols_of(
    connection: sqlite3.Connection, keys: Iterable[VersionKey]
) -> Iterator[tuple[VersionKey, list[StoredSymbol]]]:
    """Read all symbols of some versions, in file order; versions without symbols are left out."""
    asked = [[key] for key in keys]
    rows: Iterable[_Row] = connection.execute(_OF_VERSIONS, (str(asked),))
    for number, group in groupby(rows, lambda row: row[0]):
        yield asked[number][0], [StoredSymbol._make(row[1:]) for row in group]


def named_within(connection: sqlite3.Connection, spans: Iterable[LineSpan]) -> list[StoredSymbol]:
    """Read the symbols whose names are in some lines, span by span."""
    asked = [[*span] for span in spans]
    return [StoredSymbol._make(row[1:]) for row in connection.execute(_NAMED_WITHIN, (str(asked),))]


def neighbours(
    connection: sqlite3.Connection, symbols: Sequence[StoredSymbol], limit: int
) -> list[Neighbours]:
    """Read the parent and the nearest siblings of each symbol."""
    asked = [
        f"[{each.version_key},{each.ordinal},{'null' if each.parent is None else each.parent}]"
        for each in symbols
    ]
    rows = connection.execute(_AROUND, (f"[{','.join(asked)}]", limit))
    found = _by_number(rows)
    return [_neighbours(each, found.get(n, []), limit) for n, each in enumerate(symbols)]


def _neighbours(symbol: StoredSymbol, found: list[StoredSymbol], limit: int) -> Neighbours:
    parent = next((each for each in found if each.ordinal == symbol.parent), None)
    siblings = [each for each in found if each is not parent]
    siblings.sort(key=lambda each: abs(each.ordinal - symbol.ordinal))
    return Neighbours(parent, tuple(siblings[:limit]))


def chunks_of(
    connection: sqlite3.Connection, chunks: Sequence[tuple[ChunkName, ChunkSpan]]
) -> Iterator[tuple[ChunkName, StoredChunk]]:
    """Read the symbols of some chunks whose lines are known."""
    asked = [
        f"[{key},{'null' if shown is None else shown},{first},{last}]"
        for (key, _), (first, last, shown) in chunks
    ]
    found = _by_number(connection.execute(_OF_CHUNKS, (f"[{','.join(asked)}]",)))
    for number, (name, span) in enumerate(chunks):
        yield name, _stored_chunk(span, found.get(number, []))


def _stored_chunk(span: ChunkSpan, symbols: list[StoredSymbol]) -> StoredChunk:
    first, last, shown = span
    inside = [each for each in symbols if first <= each.line_start and each.line_end <= last]
    return StoredChunk(
        line_start=first,
        line_end=last,
        symbol=next((each for each in symbols if each.ordinal == shown), None),
        inside=tuple(inside),
    )


def counts_of(connection: sqlite3.Connection, ref_ids: Iterable[int]) -> dict[int, int]:
    """Return the number of symbols that each of some refs holds."""
    counts = dict.fromkeys(ref_ids, 0)
    rows = connection.execute(
        "SELECT ref_id, sum(symbol_count) FROM ref_versions"
        " JOIN file_versions USING (version_key)"
        " WHERE ref_id IN (SELECT value FROM json_each(?)) GROUP BY ref_id",
        (str([*counts]),),
    )
    return counts | dict(rows.fetchall())


def _by_number(rows: Iterable[_Row]) -> dict[int, list[StoredSymbol]]:
    found: dict[int, list[StoredSymbol]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(StoredSymbol._make(row[1:]))
    return found
