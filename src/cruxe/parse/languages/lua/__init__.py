"""Lua: tables as modules and classes, `local`, `require`, LuaLS annotations."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    Definition,
    Language,
    Rules,
    fold_value,
    trim_signature,
)
from cruxe.parse.languages.lua import annotations
from cruxe.parse.languages.lua.imports import binds_module, imports_of
from cruxe.parse.languages.lua.legible import legible_text
from cruxe.parse.languages.lua.tables import TableFacts, table_facts
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_SOURCE_FOLDERS: Final = ("src/", "lib/")
# A module constant is six times as fast as an enum member lookup.
_CLASS: Final = SymbolKind.CLASS
_CONSTANT: Final = SymbolKind.CONSTANT
_FUNCTION: Final = SymbolKind.FUNCTION
_METHOD: Final = SymbolKind.METHOD
_MODULE: Final = SymbolKind.MODULE
_VARIABLE: Final = SymbolKind.VARIABLE
_PUBLIC: Final = Visibility.PUBLIC
_PRIVATE: Final = Visibility.PRIVATE
_VALUES: Final = (_VARIABLE, _CONSTANT)
_CALLABLE: Final = (_FUNCTION, _METHOD)
_LINE_FEED: Final = 10
# Comments for tools, not for readers.
_DIRECTIVE: Final = re.compile(
    r"--+\s*(?:luacheck|stylua|selene|luacov|#?(?:end)?region\b|@diagnostic|@format|@meta|!)"
)
_BLOCK: Final = re.compile(r"--\[(=*)\[(.*?)(?:\]\1\])?$", re.DOTALL)
_COMMENT: Final = re.compile(r"--\[(=*)\[.*?\]\1\]|--[^\n]*", re.DOTALL)
_CONSTANT_MARK: Final = re.compile(rb"[ \t]*<const>")
_NAMELESS: Final = ("_G", "_ENV", "self")


class LuaRules(Rules):
    """What queries cannot express about Lua."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text without unclosed strings."""
        return legible_text(source.data)

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the dotted path for `require`: below a folder `lua`, without `init`."""
        del root
        path = source.path.rpartition(".")[0] or source.path
        for folder in _SOURCE_FOLDERS:
            path = path.removeprefix(folder)
        parts = path.split("/")
        if "lua" in parts[:-1]:
            parts = parts[parts.index("lua") + 1 :]
        if parts[-1] == "init":
            parts.pop()
        return ".".join(parts)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Set the extent of annotated types; keep only the first assignment of a variable."""
        annotations.settle(definitions, source)
        _part_statements(definitions, source)
        seen: set[str] = set()
        kept: list[Definition] = []
        for definition in definitions:
            if definition.kind in _VALUES and definition.node_type != "field":
                target = _target_text(definition, source)
                if target in seen:
                    continue
                seen.add(target)
            kept.append(definition)
        definitions[:] = kept

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name; the module's own table is not part of its members' names."""
        if definition.node_type == "comment":
            return annotations.name_of(definition, source)
        name = super().name(definition, source)
        if definition.kind is not None and _is_no_definition(definition, name, source):
            return ""
        if containers := definition.captures.pop("container", None):
            table = fold_white_space(source.text_of(containers[0])).replace(":", ".")
            definition.container = _beyond_module(table, table_facts(source.data))
        return name

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Return module, class or enum by how the file uses the table."""
        node_type, kind = definition.node_type, definition.kind
        if node_type == "comment":
            return annotations.kind_of(definition, source)
        if kind is _VARIABLE:
            return self._kind_of_variable(definition, source)
        if kind is _FUNCTION and node_type == "field":
            return _METHOD if definition.parent is not None else _FUNCTION
        if kind is _FUNCTION and definition.container:
            is_class = definition.container.rpartition(".")[2] in table_facts(source.data).classes
            return _METHOD if is_class else _FUNCTION
        return super().kind(definition, source)

    def _kind_of_variable(self, definition: Definition, source: "SourceText") -> SymbolKind:
        name, facts = definition.name, table_facts(source.data)
        if name in facts.classes and not definition.container:
            return _CLASS
        if name == facts.module and not definition.container:
            # Members belong to the module: `util.trim`, not `util.M.trim`.
            definition.inner_prefix = definition.scope
            return _MODULE
        is_marked = facts.has_constants and _is_marked_constant(definition, source)
        is_constant = name.isupper() or is_marked
        return _CONSTANT if is_constant else _VARIABLE

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by comment, else by `local` and leading underscores."""
        node_type, name = definition.node_type, definition.name
        if node_type == "comment":
            return annotations.visibility_of(definition, source)
        facts = table_facts(source.data)
        said = annotations.visibility_above(definition, source) if facts.has_access_tags else None
        if said is not None:
            return said
        if name.startswith("_") and not name.startswith("__"):
            return _PRIVATE
        if _is_inside_function(definition):
            return _PRIVATE
        is_local = source.data.startswith(b"local", definition.start_byte)
        if not is_local or node_type == "field":
            return _PUBLIC
        is_given = name == facts.module or name in facts.returned
        return _PUBLIC if is_given else _PRIVATE

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head from `local` to the parameters; a value is cut short."""
        if definition.node_type == "comment":
            return annotations.signature_of(definition, source)
        node, value = definition.node, definition.capture("value")
        holder = node if value is None else value
        parameters = holder.child_by_field_name("parameters")
        start = node.start_byte
        if parameters is None:
            text = source.text_between(start, min(node.end_byte, start + MAX_HEAD_BYTES))
            return fold_value(_without_comments(text))
        return trim_signature(_without_comments(source.text_between(start, parameters.end_byte)))

    def is_doc_comment(self, comment: str) -> bool:
        """Return True unless the comment defines a type."""
        return not annotations.defines(comment)

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the comments above without tool directives; annotations stay as written."""
        del definition, source
        if not above:
            return ""
        prose = [comment for comment in above if not _DIRECTIVE.match(comment)]
        return strip_comment_markers([_without_brackets(comment) for comment in prose])

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return what `require` binds, also through `pcall`."""
        return imports_of(node, source)


def _without_brackets(comment: str) -> str:
    found = _BLOCK.match(comment) if comment.startswith("--[") else None
    return comment if found is None else found[2]


def _part_statements(definitions: list[Definition], source: "SourceText") -> None:
    """End a function without `end` at the next unindented statement."""
    open_function: Definition | None = None
    for definition in definitions:
        start = definition.start_byte
        if start and source.data[start - 1] != _LINE_FEED:
            continue
        if open_function is not None and open_function.start_byte < start < open_function.end_byte:
            open_function.end_byte = start
            open_function.line_end = definition.line_start - 1
        is_open = definition.kind in _CALLABLE and definition.node.has_error
        open_function = definition if is_open else None


def _target_text(definition: Definition, source: "SourceText") -> str:
    container, name = definition.capture("container"), definition.capture("name")
    if name is None:
        return ""
    first = name if container is None else container
    return source.text_between(first.start_byte, name.end_byte)


def _is_no_definition(definition: Definition, name: str, source: "SourceText") -> bool:
    if definition.node_type == "field":
        if definition.kind is _CONSTANT:
            return not annotations.is_enum(definition.parent, source)
        return _is_passed_to_call(definition.node)
    if definition.kind is not _VARIABLE:
        return False
    if name in ("_", "__index") or _is_inside_function(definition):
        return True
    if definition.capture("container") and name in table_facts(source.data).passed_on:
        return True
    return binds_module(definition, source)


def _is_passed_to_call(field: "Node") -> bool:
    """Return whether a field is in an option table in a function: `run({ f = function() end })`."""
    node = field.parent
    while node is not None and node.type in ("table_constructor", "field"):
        node = node.parent
    if node is None or node.type != "arguments":
        return False
    while node is not None and not node.type.startswith("function_d"):
        node = node.parent
    return node is not None


def _beyond_module(table: str, facts: TableFacts) -> str:
    """Return `a.b` of `M.a.b` if `M` is the module's table."""
    first, _, rest = table.partition(".")
    is_module = first == facts.module and first not in facts.classes
    return rest if is_module or first in _NAMELESS else table


def _is_marked_constant(definition: Definition, source: "SourceText") -> bool:
    name = definition.capture("name")
    return name is not None and _CONSTANT_MARK.match(source.data, name.end_byte) is not None


def _without_comments(text: str) -> str:
    return _COMMENT.sub("", text) if "--" in text and "\n" in text else text


def _is_inside_function(definition: Definition) -> bool:
    around = definition.parent
    while around is not None and around.kind not in _CALLABLE:
        around = around.parent
    return around is not None


# Global functions of the language; library functions are in tables.
_PREDECLARED: Final = frozenset(
    (
        *("assert", "collectgarbage", "dofile", "error", "getfenv", "getmetatable", "ipairs"),
        *("load", "loadfile", "loadstring", "next", "pairs", "pcall", "print", "rawequal"),
        *("rawget", "rawlen", "rawset", "require", "select", "setfenv", "setmetatable"),
        *("tonumber", "tostring", "type", "unpack", "warn", "xpcall", "self", "_G", "_ENV", "_"),
    )
)

LANGUAGE = Language(
    name="lua",
    extensions=(".lua", ".rockspec"),
    filenames=(".luacheckrc", ".busted"),
    interpreters=("lua", "luajit", "texlua"),
    grammar="tree_sitter_lua:language",
    rules=LuaRules(),
    predeclared=_PREDECLARED,
    binds_its_names=True,
)
