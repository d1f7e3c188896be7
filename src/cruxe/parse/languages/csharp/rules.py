"""What queries cannot express about C#."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    Definition,
    Rules,
    fold_value,
    head_between,
    trim_signature,
    value_between,
)
from cruxe.parse.languages.csharp.docs import readable_doc
from cruxe.parse.languages.csharp.imports import bindings_of
from cruxe.parse.languages.csharp.legible import legible_head, legible_text
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CLASS: Final = SymbolKind.CLASS
_CONSTANT: Final = SymbolKind.CONSTANT
_FUNCTION: Final = SymbolKind.FUNCTION
_INTERFACE: Final = SymbolKind.INTERFACE
_STRUCT: Final = SymbolKind.STRUCT
_VARIABLE: Final = SymbolKind.VARIABLE
_INTERNAL: Final = Visibility.INTERNAL
_PRIVATE: Final = Visibility.PRIVATE
_PUBLIC: Final = Visibility.PUBLIC
# `protected internal` and `private protected` count as protected.
_BY_MODIFIER: Final = (
    ("public", Visibility.PUBLIC),
    ("protected", Visibility.PROTECTED),
    ("internal", Visibility.INTERNAL),
    ("file", Visibility.INTERNAL),
    ("private", Visibility.PRIVATE),
)
_OPEN_NODES: Final = frozenset({"enum_member_declaration", "parameter", "identifier"})
_WITH_ACCESSORS: Final = frozenset(
    {"event_declaration", "indexer_declaration", "property_declaration"}
)
_NOT_IN_HEAD: Final = frozenset({"attribute_list", "comment"})
_VALUES: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
# Directives and comments in a head.
_UNPLAIN: Final = re.compile(rb"[#/]")
_MAX_ACCESSORS_BYTES: Final = 120


class CSharpRules(Rules):
    """Namespaces, operators, modifiers, heads and XML docs."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text without directives and other text that breaks the grammar."""
        return legible_text(source.data)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Extend a file-scoped namespace to the end of the file, and docs over `#if`."""
        end_byte, end_line = len(source.data), source.line_count
        for definition in reversed(definitions):
            if definition.kind is None and definition.node_type.startswith("file_scoped"):
                start, line = definition.start_byte, definition.line_start
                definition.end_byte, definition.line_end = end_byte, max(line, end_line)
                end_byte, end_line = start, line - 1
        if b"#if" in source.data:
            for definition in definitions:
                _reach_over_directives(definition, source)

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name; a namespace is a container only, so that it is not taken for a type."""
        name = super().name(definition, source)
        if definition.kind is None:
            definition.container = "".join(name.split())
            return ""
        if "special" in definition.captures:
            return _special_name(definition.node, name, source)
        return name.removeprefix("@")

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make `const` and `static readonly` constants; a record may be a struct."""
        kind = definition.kind
        assert kind is not None
        if kind is _VARIABLE:
            words = _modifiers(definition, source)
            is_constant = "const" in words or {"static", "readonly"} <= words
            return _CONSTANT if is_constant else kind
        if kind is _CLASS and definition.node_type == "record_declaration":
            before = definition.captures["name"][0].prev_sibling
            return _STRUCT if before is not None and before.type == "struct" else kind
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by modifier; the default is private in types, else internal."""
        if definition.kind in _VALUES and definition.node_type in _OPEN_NODES:
            return _PUBLIC
        words = _modifiers(definition, source)
        for word, visibility in _BY_MODIFIER:
            if word in words:
                return visibility
        parent = definition.parent
        if parent is None or parent.kind is None:
            is_function = definition.kind is _FUNCTION
            return _PRIVATE if is_function else _INTERNAL
        is_open = parent.kind is _INTERFACE
        return _PUBLIC if is_open else _PRIVATE

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head without attributes and body; accessors without a body are kept."""
        start, end = _head_start(definition, source), _head_end(definition, source)
        end = min(end, start + MAX_HEAD_BYTES)
        if _UNPLAIN.search(source.data, start, end) is None:
            end -= source.data.endswith(b";", start, end)
            is_value = definition.kind in _VALUES
            return (value_between if is_value else head_between)(source, start, end)
        text = source.text_between(start, end).rstrip()
        head = legible_head(text).rstrip().removesuffix(";")
        if definition.kind in _VALUES:
            return fold_value(head)
        return trim_signature(head)

    def is_doc_comment(self, comment: str) -> bool:
        """Return True for exactly three slashes or two stars."""
        return comment.startswith(("///", "/**")) and not comment.startswith(("////", "/***"))

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the XML doc comment as readable text."""
        del definition, source
        return readable_doc(above) if above else ""

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return what `using` and `extern alias` bind."""
        return bindings_of(node, source)


def _special_name(node: "Node", written: str, source: "SourceText") -> str:
    """Return the name of an operator, indexer or finalizer, which has no name node."""
    kind = node.type
    if kind == "indexer_declaration":
        return "this[]"
    if kind == "destructor_declaration":
        return f"~{written}"
    if kind == "operator_declaration":
        return f"operator {written}" if written.isalpha() else f"operator{written}"
    target = node.child_by_field_name("type")
    return "operator" if target is None else f"operator {fold_white_space(source.text_of(target))}"


def _reach_over_directives(definition: Definition, source: "SourceText") -> None:
    """Start below a doc comment if only directives and inactive code are in between."""
    line, is_other_branch = definition.line_start - 1, False
    while line > 0:
        text = _line(source, line)
        if text.startswith(b"#if"):
            is_other_branch = False
        elif text.startswith(b"#el"):
            is_other_branch = True
        elif not is_other_branch or b";" in text or b"}" in text:
            break  # the comment belongs to a whole member in the other branch
        line -= 1
    if 0 < line < definition.line_start - 1 and _line(source, line).startswith(b"///"):
        definition.line_start = line + 1


def _line(source: "SourceText", number: int) -> bytes:
    starts, data = source.line_starts, source.data
    end = starts[number] if number < len(starts) else len(data)
    return data[starts[number - 1] : end].strip()


def _modifiers(definition: Definition, source: "SourceText") -> set[str]:
    """Return the words before the name; they may include the type, which does no harm."""
    return set(source.text_between(_head_start(definition, source), definition.name_start).split())


def _head_start(definition: Definition, source: "SourceText") -> int:
    """Return where the head starts after attributes; a `params` parameter has no node."""
    node, start = definition.node, definition.start_byte
    if source.data.startswith(b"[", start):
        first = node.child(0) if node.child_count else None
        while first is not None and first.type in _NOT_IN_HEAD:
            first = first.next_sibling
        return start if first is None else first.start_byte
    before = node.prev_named_sibling if definition.node_type == "identifier" else None
    return start if before is None else before.start_byte


def _head_end(definition: Definition, source: "SourceText") -> int:
    """Return where the head ends: before the body, or after accessors without a body."""
    node, end, kind = definition.node, definition.end_byte, definition.node_type
    if kind == "constructor_declaration":
        parameters = node.child_by_field_name("parameters")
        return end if parameters is None else parameters.end_byte
    if kind not in _WITH_ACCESSORS:
        body = None if definition.kind in _VALUES else node.child_by_field_name("body")
        return end if body is None else body.start_byte
    accessors = node.child_by_field_name("accessors")
    if accessors is None:
        value = node.child_by_field_name("value")
        return end if value is None else value.start_byte
    text = source.data[accessors.start_byte : accessors.end_byte]
    is_plain = len(text) <= _MAX_ACCESSORS_BYTES and b"=>" not in text and text.count(b"{") == 1
    return accessors.end_byte if is_plain else accessors.start_byte
