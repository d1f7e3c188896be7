"""Read SQL as matches: definitions, their entries, comments and mentions.

No grammar covers all dialects, and an unknown construct would cost the statements
around it. Here only the statement that is not understood is skipped.
"""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.languages.sql.columns import Entry, added_columns, columns_of, values_of
from cruxe.parse.languages.sql.mentions import mentions
from cruxe.parse.languages.sql.names import Span, inside_quotes, split_span
from cruxe.parse.languages.sql.shadow import shadow_of
from cruxe.parse.languages.sql.statements import Statement, query_end, statements
from cruxe.parse.text_places import matched, place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

COLUMN: Final = "column"
VALUE: Final = "value"
QUERY: Final = "query"
_EXTENSION: Final = re.compile(
    rb"create(?<!\wcreate)\s+extension\s+(?:if\s+not\s+exists\s+)?[^\s;]+"
)
# Several tools name a query in a comment above it.
_NAMED_QUERY: Final = re.compile(rb"(?:--|/\*)[ \t]*(?:name[ \t]*:|:name\b)[ \t]*([\w.-]+)")


def read_sql(source: "SourceText") -> "Iterator[Match]":
    """Yield all matches, each kind in file order."""
    data = source.data
    code, outline, comments = shadow_of(data)
    for statement in statements(outline):
        yield from _defined(statement, source, outline)
    for table, column in added_columns(outline):
        yield _entry("variable", column, source, table)
    yield from _named_queries(source, outline)
    for found in _EXTENSION.finditer(outline):
        yield matched("import", place(source, *found.span()))
    for span in comments:
        yield matched("comment", place(source, *span))
    for kind, span in mentions(code):
        name, schema = split_span(data, span)
        if schema is None:
            yield matched(kind, place(source, *name))
        else:
            yield matched(kind, place(source, *name), qualifier=place(source, *schema))


def _defined(statement: Statement, source: "SourceText", outline: bytes) -> "Iterator[Match]":
    name, schema = split_span(source.data, statement.name)
    values = values_of(statement, outline, source.data)
    kind = SymbolKind.ENUM if values else statement.kind
    captures = {} if schema is None else {"schema": place(source, *schema)}
    whole = place(source, statement.start, statement.end, statement.word.decode())
    yield matched(f"definition.{kind}", whole, name=place(source, *name), **captures)
    for value in values:
        yield _entry("constant", value, source)
    if not values:
        for column in columns_of(statement, outline):
            yield _entry("variable", column, source)


def _named_queries(source: "SourceText", outline: bytes) -> "Iterator[Match]":
    found = [
        query
        for query in _NAMED_QUERY.finditer(source.data)
        if source.is_first_on_line(query.start())
    ]
    limits = [*(query.start() for query in found[1:]), len(outline)]
    for query, limit in zip(found, limits, strict=False):
        end = query_end(outline, query.end(), limit)
        whole = place(source, query.start(), end, QUERY)
        yield matched("definition.function", whole, name=place(source, *query.span(1)))


def _entry(kind: str, entry: Entry, source: "SourceText", table: Span | None = None) -> "Match":
    whole = place(source, entry.start, entry.end, COLUMN if kind == "variable" else VALUE)
    captures = {} if table is None else {"schema": place(source, *table)}
    name = inside_quotes(source.data, entry.name)
    return matched(f"definition.{kind}", whole, name=place(source, *name), **captures)
