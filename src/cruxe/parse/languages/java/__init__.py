"""Java: packages by clause, visibility by modifier, Javadoc."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    Definition,
    Language,
    Rules,
    first_of_type,
    fold_value,
    head_between,
    trim_signature,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CONSTANT: Final = SymbolKind.CONSTANT
_ENUM: Final = SymbolKind.ENUM
_INTERFACE: Final = SymbolKind.INTERFACE
_INTERNAL: Final = Visibility.INTERNAL
_PRIVATE: Final = Visibility.PRIVATE
_PUBLIC: Final = Visibility.PUBLIC
_BY_MODIFIER: Final = {
    b"public": Visibility.PUBLIC,
    b"protected": Visibility.PROTECTED,
    b"private": Visibility.PRIVATE,
}
# These have no modifier and are as visible as the type around them.
_OPEN_NODES: Final = frozenset(
    {"enum_constant", "formal_parameter", "module_declaration", "spread_parameter"}
)
_ANNOTATIONS: Final = ("annotation", "marker_annotation")
_VARIABLE: Final = SymbolKind.VARIABLE
_VALUES: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
_STATIC_FINAL: Final = frozenset({b"static", b"final"})
_PLAIN_IMPORT: Final = re.compile(r"import (?:static )?([\w.]+)\.(\w+);", re.ASCII)
# `String[] names() default {};`
_WITH_DEFAULT: Final = "annotation_type_element_declaration"
# Leading annotations, without strings that contain brackets.
_IN_FRONT: Final = rb"(?:@(?!interface\b)[\w.]++(?>\([^()@{}/]*+\)|)\s++|(?!))*+"
# Words and types before a name, and a whole head: text without comments and values can
# be read without the tree.
_PLAIN_START: Final = re.compile(_IN_FRONT + rb"([\w\s<>,.?&\[\]-]*+)")
_PLAIN_HEAD: Final = re.compile(_IN_FRONT + rb"([\w\s<>,.?&\[\]()-]*+)(?=[{;])")


class JavaRules(Rules):
    """What queries cannot express about Java."""

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the name in the package clause."""
        clause = first_of_type(root, "package_declaration")
        return "" if clause is None else _dotted_name(clause, source)

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make a `static final` field a constant."""
        kind = super().kind(definition, source)
        if kind is _VARIABLE and _STATIC_FINAL.issubset(_modifiers(definition, source)):
            return _CONSTANT
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by modifier; the default is internal, in an interface public."""
        for modifier in _modifiers(definition, source):
            if modifier in _BY_MODIFIER:
                return _BY_MODIFIER[modifier]
        node_type, parent = definition.node_type, definition.enclosing_type
        if node_type in _OPEN_NODES:
            return _PUBLIC
        if parent is not None and parent.kind is _INTERFACE:
            return _PUBLIC
        is_constructor = node_type == "constructor_declaration"
        if is_constructor and parent is not None and parent.kind is _ENUM:
            return _PRIVATE
        return _INTERNAL

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head without annotations, body and semicolon."""
        node, is_value = definition.node, definition.kind in _VALUES
        if not (is_value or node.has_error or definition.node_type == _WITH_DEFAULT):
            start = definition.node_start
            end = min(definition.end_byte, start + MAX_HEAD_BYTES)
            if plain := _PLAIN_HEAD.match(source.data, start, end):
                return head_between(source, *plain.span(1))
        body = node.child_by_field_name("body")
        end = node.end_byte if body is None else body.start_byte
        words, start = _keywords(node)
        text = source.text_between(start, min(end, start + MAX_HEAD_BYTES))
        head = f"{words} {text.rstrip().removesuffix(';')}"
        return fold_value(head) if is_value else trim_signature(head)

    def is_doc_comment(self, comment: str) -> bool:
        """Return True for Javadoc, in the old form or in Markdown."""
        return comment.startswith(("/**", "///"))

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the imports of `import a.*;`, `import static a.B.c;` and a module's `requires`."""
        line = node.start_point[0] + 1
        if plain := _PLAIN_IMPORT.fullmatch(source.text_of(node)):
            yield Import(module=plain[1], name=plain[2], alias=plain[2], line=line)
            return
        if node.type == "requires_module_directive":
            module = node.child_by_field_name("module")
            if module is not None:
                words = source.text_between(node.start_byte, module.start_byte).split()
                yield Import(
                    module=source.text_of(module),
                    name="",
                    alias="",
                    line=line,
                    is_reexport="transitive" in words,
                )
            return
        path = _dotted_name(node, source)
        if any(child.type == "asterisk" for child in node.children):
            yield Import(module=path, name="*", alias="", line=line)
        elif path:
            module_path, _, member = path.rpartition(".")
            yield Import(module=module_path, name=member, alias=member, line=line)


def _dotted_name(node: "Node", source: "SourceText") -> str:
    for child in node.named_children:
        if child.type in ("scoped_identifier", "identifier"):
            return "".join(source.text_of(child).split())
    return ""


def _modifiers(definition: Definition, source: "SourceText") -> Iterable[bytes]:
    """Return the modifiers of a definition; if its head is plain, also its type."""
    start = definition.node_start
    plain = _PLAIN_START.fullmatch(source.data, start, max(start, definition.name_start))
    if plain is not None:
        return plain[1].split()
    first = definition.node.child(0)
    if first is None or first.type != "modifiers":
        return ()
    return [child.type.encode() for child in first.children]


def _keywords(node: "Node") -> tuple[str, int]:
    """Return the modifiers without annotations, and where the rest of the head starts."""
    first = node.child(0)
    if first is not None and first.type == "modifiers":
        words = [child.type for child in first.children if not child.is_named]
        return " ".join(words), first.end_byte
    while first is not None and first.type in _ANNOTATIONS:  # unwrapped before a module
        first = first.next_sibling
    return "", node.start_byte if first is None else first.start_byte


LANGUAGE = Language(
    name="java",
    extensions=(".java",),
    grammar="tree_sitter_java:language",
    rules=JavaRules(),
)
