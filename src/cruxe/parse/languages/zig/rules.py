"""What queries cannot express about Zig."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS, strip_comment_markers
from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    MAX_SIGNATURE_CHARACTERS,
    MAX_VALUE_CHARACTERS,
    Definition,
    Rules,
    trim_signature,
)
from cruxe.parse.languages.zig.imports import binding_of
from cruxe.parse.languages.zig.legible import legible_text
from cruxe.text.lines import fold_head

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CALLABLE: Final = (SymbolKind.FUNCTION, SymbolKind.METHOD)
_FIELDS: Final = ("container_field", "assignment_expression")
_VISIBLE: Final = ("pub", "export")
# More slashes make a plain comment.
_DOC: Final = re.compile(r"///(?!/)")
_INNER_DOC: Final = b"//!"
# A quote after the slashes may mean that they are in a string.
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))//[^\n\"]*$", re.MULTILINE)
# Only a type starts like this after the `=` of a constant.
_TYPE_VALUE: Final = re.compile(rb"[?*]|\[[*:\w]*\](?!\w*\{)|@This\(|@Type\(|fn ?\(|anyerror\b")
# Values that may be a type; they are if the name is in title case.
_DOUBTFUL_VALUES: Final = frozenset(
    {
        "binary_expression",
        "builtin_function",
        "call_expression",
        "comptime_expression",
        "field_expression",
        "identifier",
        "if_expression",
        "labeled_type_expression",
        "switch_expression",
    }
)


class ZigRules(Rules):
    """Names, kinds, heads and docs of Zig."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text with the prefixes of types blanked."""
        return legible_text(source.data)

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the folder of `src` and the path below it, without a file that is a struct."""
        *folders, file = source.path.split("/")
        if "src" in folders:
            place = len(folders) - 1 - folders[::-1].index("src")
            folders = [*folders[max(0, place - 1) : place], *folders[place + 1 :]]
        if root.type != "source_file" or not _is_struct(source, root):
            folders.append(file.rpartition(".")[0])
        return ".".join(folders)

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name without quotes; empty for imports and members of local types."""
        node = definition.node
        if node.type == "source_file":
            return _stem(source) if _is_struct(source, node) else ""
        name = super().name(definition, source)
        if name == "_" or (node.type in _FIELDS and _is_local(definition)):
            return ""
        if node.type == "variable_declaration":
            is_value = definition.kind is SymbolKind.CONSTANT
            if is_value and (_is_local(definition) or _stands_for_another(definition, source)):
                return ""
        return name.removeprefix("@").strip('"') if name.endswith('"') else name

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make functions of types methods; a constant may hold a type."""
        kind, parent = definition.kind, definition.parent
        assert kind is not None
        if kind is SymbolKind.FUNCTION:
            is_of_type = parent is not None and parent.name and _holds_members(parent)
            return SymbolKind.METHOD if is_of_type and not definition.container else kind
        if kind is SymbolKind.CONSTANT and definition.node_type == "variable_declaration":
            return _kind_of_value(definition, source)
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Make `pub`, `export` and fields public, other declarations internal or private."""
        del source
        node = definition.node
        if node.type in ("variable_declaration", "function_declaration"):
            first = node.child(0)
            if first is None or first.type not in _VISIBLE:
                return Visibility.PRIVATE if _is_local(definition) else Visibility.INTERNAL
        elif node.type == "test_declaration":
            return Visibility.INTERNAL
        return Visibility.PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head: without the body, the members of a type, or a long value."""
        node = definition.node
        if node.type == "source_file":
            return f"const {definition.name} = struct"
        body = _body_start(definition)
        end = node.end_byte if body is None else body
        start = node.start_byte
        text = source.text_between(start, min(end, start + MAX_HEAD_BYTES)).rstrip()
        if "//" in text:
            text = _COMMENT.sub("", text)
        if body is not None:
            return trim_signature(text)
        limit = MAX_VALUE_CHARACTERS if definition.kind not in _CALLABLE else None
        return fold_head(text.rstrip(";"))[: limit or MAX_SIGNATURE_CHARACTERS]

    def is_doc_comment(self, comment: str) -> bool:
        """Return True for exactly three slashes."""
        return _DOC.match(comment) is not None

    def doc_node(self, definition: Definition) -> "Node | None":
        """Return the first `//!` line of a container."""
        container = definition.capture("value") or definition.node
        if container is definition.node and container.type != "source_file":
            return None
        for child in container.children[:8]:
            if child.type == "comment":
                return child if (child.text or b"").startswith(_INNER_DOC) else None
        return None

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the comment above, then the container's own."""
        outer = super().doc(definition, source, above)
        node, inner = definition.inner_doc, list[str]()
        while node is not None and node.type == "comment":
            text = source.text_of(node)
            if not text.startswith("//!"):
                break
            inner.append(text)
            node = node.next_sibling
        return "\n".join(filter(None, (outer, strip_comment_markers(inner))))[:MAX_DOC_CHARACTERS]

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return what `@import` and `@cInclude` bind."""
        return binding_of(node, source)


def _stem(source: "SourceText") -> str:
    return source.path.rpartition("/")[2].rpartition(".")[0]


def _is_struct(source: "SourceText", root: "Node") -> bool:
    """Return whether a file is a type, not a namespace: by its name, else by its fields."""
    if not source.path.endswith(".zig"):
        return False
    if _stem(source)[:1].isupper():
        return True
    # After an error a stray token may look like a field.
    return not root.has_error and any(child.type == "container_field" for child in root.children)


def _is_local(definition: Definition) -> bool:
    """Return whether it is local to a function that does not return it as a type."""
    parent = definition.parent
    if parent is None:
        return False
    if parent.kind in _CALLABLE:
        return not _makes_type(parent)
    # An unnamed field belongs to a local type.
    return not parent.name and parent.node.type in _FIELDS


def _makes_type(function: Definition) -> bool:
    result = function.node.child_by_field_name("type")
    return result is not None and result.text == b"type"


def _holds_members(definition: Definition) -> bool:
    """Return whether a function inside belongs to a type: itself, a returned or a field's one."""
    if definition.kind in _CALLABLE:
        return _makes_type(definition)
    return definition.kind is not SymbolKind.CONSTANT


def _stands_for_another(definition: Definition, source: "SourceText") -> bool:
    """Return whether a constant is an import, or the file itself under the file's name."""
    node, parent = definition.node, definition.parent
    value = node.child(node.child_count - 2)  # the last child is the semicolon
    if value is None or value.type not in ("builtin_function", "field_expression"):
        return False
    data, start = source.data, value.start_byte
    if data.startswith(b"@This()", start):
        name = definition.capture("name")
        is_of_file = parent is not None and parent.node.type == "source_file"
        return is_of_file and name is not None and source.text_of(name) == _stem(source)
    return data.startswith((b"@import(", b"@cImport("), start)


def _kind_of_value(definition: Definition, source: "SourceText") -> SymbolKind:
    node, name = definition.node, definition.capture("name")
    before = source.data[node.start_byte : name.start_byte] if name is not None else b""
    if before.rstrip().endswith(b"var"):
        return SymbolKind.VARIABLE
    type_node = node.child_by_field_name("type")
    if type_node is not None:
        is_type = type_node.text == b"type"
        return SymbolKind.TYPE_ALIAS if is_type else SymbolKind.CONSTANT
    value = node.child(node.child_count - 2)
    if value is None:
        return SymbolKind.CONSTANT
    is_doubtful = value.type in _DOUBTFUL_VALUES and _is_title_case(definition.name)
    if is_doubtful or _TYPE_VALUE.match(source.data, value.start_byte):
        return SymbolKind.TYPE_ALIAS
    return SymbolKind.CONSTANT


def _is_title_case(name: str) -> bool:
    return name[:1].isupper() and "_" not in name and (len(name) == 1 or not name.isupper())


def _body_start(definition: Definition) -> int | None:
    """Return where the head ends: at a function's block, or at the brace of a type."""
    node, value = definition.node, definition.capture("value")
    if value is not None:
        brace = next((child for child in value.children[:8] if child.type == "{"), None)
        return None if brace is None else brace.start_byte
    body = node.child_by_field_name("body")
    if body is None and node.type == "test_declaration":
        body = node.child(node.child_count - 1)
    return None if body is None else body.start_byte
