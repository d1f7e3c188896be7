"""Rust: modules from paths, impl blocks as scopes of their type, doc comments, `pub`."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS, strip_comment_markers
from cruxe.parse.language import (
    Definition,
    Language,
    Rules,
    fold_value,
    trim_signature,
)
from cruxe.parse.languages.rust import macro_items
from cruxe.parse.languages.rust.uses import bindings_of
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_TRAIT: Final = SymbolKind.TRAIT
_INTERNAL: Final = Visibility.INTERNAL
_PRIVATE: Final = Visibility.PRIVATE
_PUBLIC: Final = Visibility.PUBLIC
_ROOT_FILES: Final = ("lib", "main", "mod")
_OTHER_TARGETS: Final = ("tests", "benches", "examples")
_MAX_TYPE_CHARACTERS: Final = 80
# An outer doc comment has exactly three slashes or two stars.
_OUTER_DOC: Final = re.compile(r"///(?!/)|/\*\*(?![*/])")
_INNER_DOC: Final = (b"//!", b"/*!")
_DOC_ATTRIBUTE: Final = re.compile(r'#\[doc\s*=\s*(r?#*)"(.*)"#*\]$', re.DOTALL)
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# Strings in their values may look like comments.
_VALUES: Final = frozenset({"const_item", "static_item"})
_COMMENTS: Final = ("line_comment", "block_comment")
# The field of a type expression that holds an impl block's type.
_INNER_TYPE: Final = {
    "generic_type": "type",
    "scoped_type_identifier": "name",
    "reference_type": "type",
    "pointer_type": "type",
    "dynamic_type": "trait",
}


class RustRules(Rules):
    """What queries cannot express about Rust."""

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the crate's folder, then the modules by the path below `src`."""
        del root
        *folders, file = source.path.split("/")
        stem = file.rpartition(".")[0]
        parts = _crate_and_modules(folders)
        if stem not in _ROOT_FILES:
            parts.append(stem)
        return "::".join(part.replace("-", "_") for part in parts)

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name; an impl block has the name of its type."""
        if definition.kind is None:
            return _implemented_type(definition.capture("name"), source)
        if macro_items.is_macro_item(definition):
            return macro_items.settle(definition, source)
        _reach_attributes(definition, source)
        name = super().name(definition, source)
        return "" if name == "_" else name.removeprefix("r#")

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by `pub` and its restrictions, else that of the trait or enum."""
        if definition.node.type == "macro_definition":
            exported = b"macro_export" in _attributes_text(definition, source)
            return _PUBLIC if exported else _INTERNAL
        modifier = macro_items.visibility_text(definition, source)
        if modifier is None:
            first = definition.node.child(0)
            has_modifier = first is not None and first.type == "visibility_modifier"
            modifier = source.text_of(first) if first is not None and has_modifier else ""
        return _visibility_of(modifier) if modifier else self._inherited(definition, source)

    def _inherited(self, definition: Definition, source: "SourceText") -> Visibility:
        parent = definition.parent
        if parent is None:
            return _PRIVATE
        if parent.kind is None:
            trait = parent.node.child_by_field_name("trait")
            return _PRIVATE if trait is None else _PUBLIC
        if parent.kind is _TRAIT or _is_of_enum(definition):
            return self.visibility(parent, source)
        return _PRIVATE

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head without its body; a tuple struct and an enum member whole."""
        if macro_items.is_macro_item(definition):
            return macro_items.signature(definition, source)
        node = definition.node
        if node.type == "macro_definition":
            return f"macro_rules! {definition.name}"
        body = node.child_by_field_name("body")
        is_whole = node.type == "enum_variant" or (
            body is not None and body.type == "ordered_field_declaration_list"
        )
        end = node.end_byte if body is None or is_whole else body.start_byte
        text = source.text_between(node.start_byte, min(end, node.start_byte + 2000))
        if node.type in _VALUES:
            return fold_value(text).rstrip(";")
        return trim_signature(_COMMENT.sub("", text) if "/" in text else text).rstrip(";,")

    def is_doc_comment(self, comment: str) -> bool:
        """Return True for outer doc comments; inner ones belong to the enclosing item."""
        return _OUTER_DOC.match(comment) is not None

    def doc_node(self, definition: Definition) -> "Node | None":
        """Return the first inner doc comment of the body."""
        body = definition.node.child_by_field_name("body")
        # `named_child` raises if there is none.
        node = body.named_child(0) if body is not None and body.named_child_count else None
        return node if node is not None and _is_inner_doc(node) else None

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return outer doc comments, those among the attributes, then inner doc comments."""
        if not above and definition.inner_doc is None and not _has_attributes(definition):
            return ""  # the usual case
        parts = [strip_comment_markers(above)] if above else []
        if _has_attributes(definition):
            parts.extend(_docs_among_attributes(definition, source))
        if definition.inner_doc is not None:
            inner = [source.text_of(node) for node in _inner_docs(definition.inner_doc)]
            parts.append(strip_comment_markers(inner))
        return "\n".join(part for part in parts if part)[:MAX_DOC_CHARACTERS]

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return what `use`, `extern crate` and `mod x;` bind."""
        return bindings_of(node, source)


def _crate_and_modules(folders: list[str]) -> list[str]:
    """Return the folder of the crate and the modules below it, without `src`."""
    if "src" in folders:
        source = len(folders) - 1 - folders[::-1].index("src")
        return [*folders[max(0, source - 1) : source], *folders[source + 1 :]]
    for target in _OTHER_TARGETS:
        if target in folders:
            return folders[max(0, folders.index(target) - 1) :]
    return list(folders)


def _implemented_type(node: "Node | None", source: "SourceText") -> str:
    while node is not None and (field := _INNER_TYPE.get(node.type)):
        node = node.child_by_field_name(field)
    return "" if node is None else fold_white_space(source.text_of(node))[:_MAX_TYPE_CHARACTERS]


def _visibility_of(modifier: str) -> Visibility:
    if "(" not in modifier:
        return _INTERNAL if modifier == "crate" else _PUBLIC
    scope = modifier.partition("(")[2].rstrip(") ").removeprefix("in ").strip()
    return _PRIVATE if scope == "self" else _INTERNAL


def _is_of_enum(definition: Definition) -> bool:
    """Return whether it is a member of an enum, or a field of such a member."""
    parent = definition.parent
    return definition.node.type == "enum_variant" or (
        parent is not None and parent.node.type == "enum_variant"
    )


def _attributes_text(definition: Definition, source: "SourceText") -> bytes:
    return source.data[definition.start_byte : definition.node.start_byte]


def _reach_attributes(definition: Definition, source: "SourceText") -> None:
    """Start a definition at its attributes, even if comments are in between."""
    if not _may_have_attributes(source.data, definition.start_byte):
        return
    node = definition.start_node.prev_sibling
    while node is not None:
        if node.type == "attribute_item":
            definition.start_node = node
            definition.start_byte = node.start_byte
            definition.line_start = node.start_point[0] + 1
        elif node.type not in _COMMENTS:
            return
        node = node.prev_sibling


def _may_have_attributes(data: bytes, start: int) -> bool:
    """Return whether an attribute may precede the comments above an offset, by the lines."""
    end = data.rfind(b"\n", 0, start)
    while end > 0:
        line_start = data.rfind(b"\n", 0, end) + 1
        line = data[line_start:end].strip()
        if not line.startswith(b"//"):
            return line.startswith(b"#[") or line.endswith((b"]", b"*/"))
        end = line_start - 1
    return False


def _docs_among_attributes(definition: Definition, source: "SourceText") -> Iterator[str]:
    node: Node | None = definition.start_node
    while node is not None and node.start_byte < definition.node.start_byte:
        text = source.text_of(node)
        if found := _DOC_ATTRIBUTE.match(text):
            yield found[2].strip()
        elif _OUTER_DOC.match(text):
            yield strip_comment_markers([text])
        node = node.next_sibling


def _has_attributes(definition: Definition) -> bool:
    return definition.start_node is not definition.node


def _inner_docs(first: "Node") -> "Iterator[Node]":
    """Yield a doc comment inside a body and those directly after it."""
    node: Node | None = first
    while node is not None and _is_inner_doc(node):
        yield node
        node = node.next_named_sibling


def _is_inner_doc(node: "Node") -> bool:
    if node.type not in _COMMENTS:
        return False
    return (node.text or b"").startswith(_INNER_DOC)


LANGUAGE = Language(
    name="rust",
    extensions=(".rs",),
    interpreters=("rust-script",),
    grammar="tree_sitter_rust:language",
    separator="::",
    leading=frozenset({"attribute_item"}),
    rules=RustRules(),
)
