"""The entries of definitions: columns of tables, fields of types, values of enumerations."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cruxe.parse.languages.sql.names import NAME, PART, Span
from cruxe.parse.languages.sql.statements import Statement, statement_end

# Quoted names are skipped.
_PUNCTUATION: Final = re.compile(rb"\"[^\"\n]*\"|`[^`\n]*`|([(),;])")
_COLUMN: Final = re.compile(PART)
# First words of entries that are no columns.
_NO_COLUMN: Final = frozenset(
    b"check constraint exclude foreign fulltext index key like partition period primary select"
    b" spatial unique".split()
)
# `KEY name (column)` is an index, `key text` a column.
_KEY_COLUMN: Final = re.compile(
    rb"(?:key|index)\s+(?:(?:var)?char|text|(?:big|small|tiny)?int|uuid|bytea|jsonb?|blob|bool"
    rb"|date|time|double|real|num|dec|string)"
)
_ENUM: Final = re.compile(rb"\s*as\s+enum\s*\(")
_FIELDS: Final = re.compile(rb"\s*(?:(?:as|is)\s+(?:object\s*|table\s*)?)?\(")
_LITERAL: Final = re.compile(rb"'((?:[^']|'')+)'")
_ALTER: Final = re.compile(
    rb"alter(?<!\walter)\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(%b)" % NAME
)
_ADDITION: Final = re.compile(rb"add\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?\(?(%b)\s" % PART)


class Entry(NamedTuple):
    """A column, a field or a value, by offsets."""

    start: int
    end: int
    name: Span


def columns_of(statement: Statement, outline: bytes) -> Iterator[Entry]:
    """Yield the columns of a table or the fields of a type."""
    opening = _FIELDS.match(outline, statement.name[1], statement.end)
    if statement.word in (b"table", b"type") and opening is not None:
        for span in _entries(outline, opening.end(), statement.end):
            found = _COLUMN.match(outline, *span)
            if found is not None and (
                found[0] not in _NO_COLUMN or _KEY_COLUMN.match(outline, *span)
            ):
                yield Entry(*span, found.span())


def values_of(statement: Statement, outline: bytes, data: bytes) -> list[Entry]:
    """Return the values of an enumeration; empty for any other type."""
    opening = _ENUM.match(outline, statement.name[1], statement.end)
    if statement.word != b"type" or opening is None:
        return []
    literals = _LITERAL.finditer(data, opening.end(), statement.end)
    return [Entry(*found.span(), found.span(1)) for found in literals]


def added_columns(outline: bytes) -> Iterator[tuple[Span, Entry]]:
    """Yield the columns that `ALTER TABLE` adds, each with the table's name."""
    tables = list(_ALTER.finditer(outline))
    limits = [*(table.start() for table in tables[1:]), len(outline)]
    for table, limit in zip(tables, limits, strict=False):
        end = statement_end(outline, table.end(), limit)
        for span in _entries(outline, table.end(), end):
            found = _ADDITION.match(outline, *span)
            if found is not None and found[1] not in _NO_COLUMN:
                yield table.span(1), Entry(*span, found.span(1))


def _entries(outline: bytes, start: int, end: int) -> Iterator[Span]:
    """Yield the items of a comma-separated list, up to its closing parenthesis."""
    depth, begin = 0, start
    for found in _PUNCTUATION.finditer(outline, start, end):
        mark = found[1]
        if mark is None:
            continue
        if mark == b"(":
            depth += 1
        elif mark == b")" and depth:
            depth -= 1
        elif mark != b"," or not depth:
            yield _trimmed(outline, begin, found.start())
            begin = found.end()
            if mark != b",":
                return
    yield _trimmed(outline, begin, end)


def _trimmed(outline: bytes, start: int, end: int) -> Span:
    text = outline[start:end]
    start += len(text) - len(text.lstrip())
    return start, max(start, end - len(text) + len(text.rstrip()))
