"""Tables of a TOML file: nested by their dotted names, and ended where their keys end."""

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import Definition, last_line
from cruxe.parse.languages.json.quotes import unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source import SourceText

    Path = list[str]

# More elements of one array of tables are records.
_MAX_ELEMENTS: Final = 40
_ELEMENT: Final = "table_array_element"
_PLAIN: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_PART: Final = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s.\"']+")
_INHERITED: Final = "workspace"
_SEPARATOR: Final = "."


def by_table(definitions: list[Definition]) -> tuple[list[Definition], list[list[Definition]]]:
    """The tables of a file, and the keys outside of all of them, then those of each."""
    tables: list[Definition] = []
    keys: list[list[Definition]] = [[]]
    for definition in definitions:
        if definition.kind is SymbolKind.MODULE:
            tables.append(definition)
            keys.append([])
        else:
            keys[-1].append(definition)
    return tables, keys


def name_key(key: Definition, source: "SourceText") -> None:
    """Name a key by the last part of `a.b.c`; the others come before it.

    `serde.workspace = true` says where `serde` comes from.
    """
    path = path_of(key, source)
    if len(path) > 1 and path[-1] == _INHERITED:
        path.pop()
    *outer, key.name = path
    key.container = _SEPARATOR.join(outer)


def without_records(tables: list[Definition], source: "SourceText") -> list[Definition]:
    """Drop the elements of long arrays of tables."""
    if len(tables) <= _MAX_ELEMENTS:
        return tables
    names = [source.text_of(each.captures["name"][0]) for each in tables]
    counts = Counter(names)
    return [
        each
        for each, name in zip(tables, names, strict=True)
        if counts[name] <= _MAX_ELEMENTS or each.node.type != _ELEMENT
    ]


def nest_tables(
    tables: list[Definition], last_keys: dict[Definition, Definition], source: "SourceText"
) -> None:
    """Name tables, and let each reach over those whose dotted names begin with its own."""
    opened: list[tuple[Path, Definition]] = []
    for table in tables:
        path = path_of(table, source)
        while opened and not _begins_with(path, opened[-1][0]):
            opened.pop()
        inner = path[len(opened[-1][0]) if opened else 0 :]
        if table.node.type == _ELEMENT and (given := _given_name(table.node, source)):
            inner.append(given)
        *outer, table.name = inner
        table.container = _SEPARATOR.join(outer)
        _end_with_last_key(table, last_keys.get(table))
        for _, around in opened:
            around.end_byte, around.line_end = table.end_byte, table.line_end
        opened.append((path, table))


def path_of(definition: Definition, source: "SourceText") -> "Path":
    """The parts of a dotted name, without quotes."""
    text = source.text_of(definition.captures["name"][0])
    if _PLAIN.fullmatch(text):
        return text.split(_SEPARATOR)
    return [unquoted(part) for part in _PART.findall(text)] or [text]


def _begins_with(path: "Path", outer: "Path") -> bool:
    return len(path) > len(outer) and path[: len(outer)] == outer


def _given_name(element: "Node", source: "SourceText") -> str:
    """The value of `name` in an element."""
    for pair in element.named_children[1:]:
        parts = pair.named_children
        if len(parts) > 1 and unquoted(source.text_of(parts[0])) == "name":
            return unquoted(source.text_of(parts[1]))
    return ""


def _end_with_last_key(table: Definition, last_key: Definition | None) -> None:
    """Leave out what follows the last key: comments there are about the next table."""
    if last_key is not None and not table.node.has_error:
        table.end_byte, table.line_end = last_key.end_byte, last_key.line_end
        return
    children = table.node.named_children
    last = next(child for child in reversed(children) if child.type != "comment")
    table.end_byte, table.line_end = last.end_byte, last_line(last)
