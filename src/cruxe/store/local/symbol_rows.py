"""Symbols read in batches: of whole versions, of some lines, around other symbols, of chunks.

Each function is one statement, however much is asked for. What is asked for comes as JSON, so that
the text of a statement never changes and the connection keeps it compiled.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import ChunkName, ChunkSpan, LineSpan, Neighbours, StoredChunk
from cruxe.model.symbols import ROLE_OF_KIND, SymbolKind, Visibility

_Row = tuple[int, *tuple[str | int | None, ...]]
_COLUMNS: Final = ", ".join(StoredSymbol._fields)
# The subquery numbers what is asked for; CROSS JOIN keeps it the outer loop.
_SELECT: Final = f"""
SELECT number, {_COLUMNS}
FROM (SELECT key AS number,
             json_extract(value, '$[0]') AS asked_key,
             json_extract(value, '$[1]') AS asked_ordinal,
             json_extract(value, '$[2]') AS first_line,
             json_extract(value, '$[3]') AS last_line
      FROM json_each(?1))
CROSS JOIN stored_symbols
WHERE version_key = asked_key AND {{}} ORDER BY number, ordinal
"""
_OF_VERSIONS: Final = f"""
SELECT version_key, {_COLUMNS}
FROM (SELECT key AS number, value AS asked_key FROM json_each(?1)) CROSS JOIN stored_symbols
WHERE version_key = asked_key ORDER BY number, ordinal
"""
_NAMED_WITHIN: Final = _SELECT.format("name_line BETWEEN first_line AND last_line")
_OF_CHUNKS: Final = _SELECT.format(
    "(place = first_symbol + asked_ordinal OR line_start >= first_line AND line_end <= last_line)"
)
# Here the third value is the ordinal of the parent.
_AROUND: Final = _SELECT.format(
    "(place = first_symbol + first_line OR parent IS first_line"
    " AND place != first_symbol + asked_ordinal"
    " AND place BETWEEN first_symbol + asked_ordinal - ?2 AND first_symbol + asked_ordinal + ?2)"
)


def symbols_of(
    connection: sqlite3.Connection, keys: Iterable[VersionKey]
) -> Iterator[tuple[VersionKey, list[StoredSymbol]]]:
    """Read all symbols of some versions, in file order; versions without symbols are left out."""
    rows = connection.execute(_OF_VERSIONS, (str([*keys]),))
    for key, group in groupby(rows, itemgetter(0)):
        yield VersionKey(key), [StoredSymbol._make(row[1:]) for row in group]


def named_within(connection: sqlite3.Connection, spans: Iterable[LineSpan]) -> list[StoredSymbol]:
    """Read the symbols whose names are in some lines, span by span."""
    asked = [[key, 0, first, last] for key, first, last in spans]
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


def _by_number(rows: Iterable[_Row]) -> dict[int, list[StoredSymbol]]:
    found: dict[int, list[StoredSymbol]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(StoredSymbol._make(row[1:]))
    return found


# Stores have the names in their views: whoever adds or changes one raises `SCHEMA_VERSION`.
KIND_CODES: Final = {kind: code for code, kind in enumerate(SymbolKind)}
VISIBILITY_CODES: Final = {visibility: code for code, visibility in enumerate(Visibility)}


def kind_sql(code: str) -> str:
    """A kind's name as an SQL expression."""
    return _case(code, {number: kind.value for kind, number in KIND_CODES.items()})


def role_sql(code: str) -> str:
    """The role of a kind as an SQL expression."""
    return _case(code, {number: ROLE_OF_KIND[kind].value for kind, number in KIND_CODES.items()})


def visibility_sql(code: str) -> str:
    """A visibility's name as an SQL expression."""
    return _case(code, {number: each.value for each, number in VISIBILITY_CODES.items()})


def _case(code: str, names: Mapping[int, str]) -> str:
    whens = (f"WHEN {number} THEN '{name}'" for number, name in names.items())
    return f"CASE {code} {' '.join(whens)} END"
