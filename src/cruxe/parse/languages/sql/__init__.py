"""SQL of any dialect: tables and their columns, views, functions, types and mentions."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.parse.language import (
    MAX_SIGNATURE_CHARACTERS,
    Definition,
    Language,
    Rules,
    fold_value,
)
from cruxe.parse.languages.sql.names import unquoted_name
from cruxe.parse.languages.sql.reading import COLUMN, QUERY, VALUE, read_sql
from cruxe.text.lines import fold_head, fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

# The head of a definition ends where its columns, query or body begin.
_CALLABLE_BODY: Final = re.compile(
    r"\bAS\s*(?=[$'])|\bAS\s*\n|\bBEGIN\b|\$\w*\$|\bIS\s|;", re.IGNORECASE
)
_BODIES: Final = {
    "table": re.compile(r"\(|\bAS\b|;", re.IGNORECASE),
    "view": re.compile(r"\bAS\b|;", re.IGNORECASE),
    "type": re.compile(r"\(|;"),
    **dict.fromkeys(
        ("function", "procedure", "proc", "trigger", "event", "package"), _CALLABLE_BODY
    ),
}
_MAX_HEAD_BYTES: Final = 4000
_COMMENT: Final = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_QUERY_NAME: Final = re.compile(r"(?:--|/\*)[ \t]*:?name\b")
_LEADING_COMMENTS: Final = re.compile(r"[^\n]*\n((?:[ \t]*--[^\n]*\n)*)")
_REMARK: Final = re.compile(
    rb"\bCOMMENT\s+ON\s+(?:MATERIALIZED\s+)?\w+\s+([^\s(']+)(?:\s*\([^()]*\))?\s+IS\s+'((?:[^']|'')*)'",
    re.IGNORECASE,
)


class SqlRules(Rules):
    """Rules for SQL."""

    def read(self, source: "SourceText") -> "list[Match]":
        """Return all matches; there is no grammar."""
        return list(read_sql(source))

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Attach definitions to their schema, and added columns to their table."""
        for definition in definitions:
            if schema := definition.capture("schema"):
                definition.container = unquoted_name(source.text_of(schema))

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name; a value with its doubled quotes unescaped."""
        name = super().name(definition, source)
        return name.replace("''", "'") if definition.node.type == VALUE else name

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Return the statement's kind: a function in a schema is no method."""
        del source
        assert definition.kind is not None
        return definition.kind

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the statement up to its columns, query or body; a column whole."""
        text = _COMMENT.sub(" ", _head(definition, source))
        node_type = definition.node.type
        if node_type in (COLUMN, VALUE):
            return fold_value(text)
        body = _BODIES.get(node_type)
        if body is not None and (found := body.search(text)):
            text = text[: found.start()]
        return fold_head(text).rstrip(";").rstrip()[:MAX_SIGNATURE_CHARACTERS]

    def is_doc_comment(self, comment: str) -> bool:
        """Return True unless the comment names a query."""
        return _QUERY_NAME.match(comment) is None

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the comment above, else `COMMENT ON`; for a query the text after its name."""
        if definition.node.type == QUERY:
            lines = _LEADING_COMMENTS.match(_head(definition, source))
            return "" if lines is None else strip_comment_markers([lines[1]])
        text = super().doc(definition, source, above)
        return text or _remarks(source.data).get(definition.qualified_name.lower(), "")

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the extension of `CREATE EXTENSION pgcrypto`."""
        name = unquoted_name(source.text_of(node).split()[-1])
        return [Import(module=name, name="", alias="", line=node.start_point[0] + 1)]


def _head(definition: Definition, source: "SourceText") -> str:
    start = definition.start_byte
    return source.text_between(start, min(definition.end_byte, start + _MAX_HEAD_BYTES))


@lru_cache(maxsize=1)  # called for each definition of a file in turn
def _remarks(data: bytes) -> dict[str, str]:
    if b"comment" not in data.lower():
        return {}
    found = (each.groups() for each in _REMARK.finditer(data))
    return {
        unquoted_name(name.decode("utf-8", "replace")).lower(): fold_white_space(
            text.decode("utf-8", "replace").replace("''", "'")
        )
        for name, text in found
    }


LANGUAGE = Language(
    name="sql",
    extensions=(".sql", ".ddl", ".dml", ".pgsql", ".psql", ".mysql", ".plsql", ".pks", ".pkb"),
    rules=SqlRules(),
)
