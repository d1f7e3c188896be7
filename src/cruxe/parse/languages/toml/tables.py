"""The tables of a TOML file and their keys: which are symbols, and their names."""

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import NO_SYMBOL, SymbolKind
from cruxe.parse.language import fold_value
from cruxe.parse.languages.json.naming import MAX_KEYS, MAX_PLAIN_ENTRIES, kind_of_value
from cruxe.parse.languages.json.quotes import unquoted
from cruxe.parse.languages.toml.reading import ELEMENT, KEY, TABLE
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from cruxe.parse.languages.toml.reading import Item
    from cruxe.parse.text_places import Draft

# An array of tables with more elements is data.
_MAX_ELEMENTS: Final = 40
_PLAIN: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_PART: Final = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s.\"']+")
_INHERITED: Final = "workspace"
_SEPARATOR: Final = "."
_MODULE: Final = SymbolKind.MODULE


class _Table:
    """A table with its keys; the first of a file has no header."""

    __slots__ = (
        *("head", "keys", "line_end", "line_start", "mark"),
        *("name", "ordinal", "outer", "path", "prefix"),
    )

    def __init__(self, mark: int, head: str, line: int) -> None:
        self.mark = mark
        self.head = fold_white_space(head)
        self.line_start = line
        self.line_end = line  # of the last key, since comments after it belong to the next table
        self.keys: list[Item] = []
        self.path: list[str] = []
        self.outer: _Table | None = None  # the table whose dotted name is a prefix of this one's
        self.name = ""
        self.prefix = ""  # prefix of the qualified names inside
        self.ordinal = NO_SYMBOL


def drafts_of(items: "list[Item]", prefix: str) -> "list[Draft]":
    """Return the symbols of a file, without records, and without keys where there are too many."""
    top, *tables = _by_table(items)
    top.prefix = prefix
    tables = _without_records(tables)[:MAX_KEYS]
    _nest(tables, top)
    # The keys of elements are fields of records; a table with more keys is data.
    with_keys = [
        each
        for each in (top, *tables)
        if each.mark == TABLE and len(each.keys) <= MAX_PLAIN_ENTRIES
    ]
    if sum(len(each.keys) for each in with_keys) + len(tables) > MAX_KEYS:
        with_keys = []
    drafts: list[Draft] = []
    for table in (top, *tables):
        if table.outer is not None:
            _draft_table(table, table.outer, drafts)
        if table in with_keys:
            _draft_keys(table, drafts)
    return drafts


def _by_table(items: "list[Item]") -> list[_Table]:
    table = _Table(TABLE, "", 0)
    tables = [table]
    for item in items:
        mark, name, _, line, line_end = item
        if mark == KEY:
            table.keys.append(item)
            table.line_end = line_end
        else:
            table = _Table(mark, name, line)
            tables.append(table)
    return tables


def _without_records(tables: list[_Table]) -> list[_Table]:
    """Drop the elements of long arrays of tables."""
    if len(tables) <= _MAX_ELEMENTS:
        return tables
    counts = Counter(table.head for table in tables)
    return [each for each in tables if counts[each.head] <= _MAX_ELEMENTS or each.mark == TABLE]


def _nest(tables: list[_Table], top: _Table) -> None:
    """Extend each table over the following ones whose dotted names begin with its own."""
    opened: list[_Table] = []
    for table in tables:
        table.path = path = _parts(table.head)
        while opened and not _begins_with(path, opened[-1].path):
            opened.pop()
        table.outer = opened[-1] if opened else top
        for around in opened:
            around.line_end = table.line_end
        opened.append(table)


def _begins_with(path: list[str], outer: list[str]) -> bool:
    return len(path) > len(outer) and path[: len(outer)] == outer


def _parts(name: str) -> list[str]:
    """Return the parts of a dotted name, without quotes."""
    if _PLAIN.fullmatch(name):
        return name.split(_SEPARATOR)
    return [unquoted(part) for part in _PART.findall(name)] or [name]


def _draft_table(table: _Table, outer: _Table, drafts: "list[Draft]") -> None:
    names = table.path[len(outer.path) :]
    if table.mark == ELEMENT and (given := _given_name(table.keys)):
        names.append(given)
    table.name = name = names[-1].strip()
    scope = outer.prefix + "".join(f"{each}{_SEPARATOR}" for each in names[:-1])
    table.ordinal, table.prefix = outer.ordinal, outer.prefix
    if not name:
        return
    signature = f"[{table.head}]"
    if table.mark == ELEMENT:
        signature = f"[{signature}]" if table.head.endswith(name) else f"[{signature}] {name}"
    table.ordinal, table.prefix = len(drafts), f"{scope}{name}{_SEPARATOR}"
    line, line_end = table.line_start, table.line_end
    drafts.append((name, scope, _MODULE, outer.ordinal, line, line_end, line, signature))


def _given_name(keys: "list[Item]") -> str:
    """Return the value of `name` in an element."""
    for _, name, pair, _, _ in keys:
        if unquoted(name) == "name":
            return unquoted(pair.partition("=")[2])
    return ""


def _draft_keys(table: _Table, drafts: "list[Draft]") -> None:
    kind, parent, prefix = kind_of_value(table.name), table.ordinal, table.prefix
    for _, name, pair, line, line_end in table.keys:
        scope = prefix
        if not name.isidentifier():
            names = _key_parts(name)
            name = names[-1].strip()  # noqa: PLW2901 - what was read becomes what it says
            scope = prefix + "".join(f"{each}{_SEPARATOR}" for each in names[:-1])
        if name:
            signature = fold_value(pair)
            drafts.append((name, scope, kind, parent, line, line_end, line, signature))


def _key_parts(name: str) -> list[str]:
    """Return the parts of a key; `serde.workspace = true` only gives the source of `serde`."""
    names = _parts(name)
    return names[:-1] if len(names) > 1 and names[-1] == _INHERITED else names
