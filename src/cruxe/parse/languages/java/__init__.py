"""Java: packages by clause, visibility by modifier, Javadoc."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_VALUE_CHARACTERS,
    Definition,
    Language,
    Rules,
    trim_signature,
)
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source import SourceText

_BY_MODIFIER: Final = {
    "public": Visibility.PUBLIC,
    "protected": Visibility.PROTECTED,
    "private": Visibility.PRIVATE,
}
# What has no modifier of its own and is seen by whoever sees the type around it.
_OPEN_NODES: Final = frozenset({"enum_constant", "formal_parameter", "spread_parameter"})
_ANNOTATIONS: Final = ("annotation", "marker_annotation")
_VALUES: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
# Longer heads are cut; a value may be a whole anonymous class.
_MAX_HEAD_BYTES: Final = 2000


class JavaRules(Rules):
    """What the queries cannot say of Java."""

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """The package clause."""
        for child in root.named_children:
            if child.type == "package_declaration":
                return _dotted_name(child, source)
        return ""

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """A `static final` field is a constant."""
        kind = super().kind(definition, source)
        if kind is SymbolKind.VARIABLE and {"static", "final"} <= _modifiers(definition.node):
            return SymbolKind.CONSTANT
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """By modifier; without one the package sees it, and all see what an interface holds."""
        del source
        node, parent = definition.node, definition.enclosing_type
        for modifier in _modifiers(node) & _BY_MODIFIER.keys():
            return _BY_MODIFIER[modifier]
        if node.type in _OPEN_NODES or node.type == "module_declaration":
            return Visibility.PUBLIC
        if parent is not None and parent.kind is SymbolKind.INTERFACE:
            return Visibility.PUBLIC
        is_constructor = node.type == "constructor_declaration"
        if is_constructor and parent is not None and parent.kind is SymbolKind.ENUM:
            return Visibility.PRIVATE
        return Visibility.INTERNAL

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """The head without annotations, body and semicolon."""
        node = definition.node
        body = node.child_by_field_name("body")
        end = node.end_byte if body is None else body.start_byte
        words, start = _keywords(node)
        text = source.text_between(start, min(end, start + _MAX_HEAD_BYTES))
        head = f"{words} {text.rstrip().removesuffix(';')}"
        if definition.kind in _VALUES:
            return fold_white_space(head)[:MAX_VALUE_CHARACTERS]
        return trim_signature(head)

    def is_doc_comment(self, comment: str) -> bool:
        """Javadoc, in its old form and in Markdown."""
        return comment.startswith(("/**", "///"))

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """`import a.B;`, `import a.*;`, `import static a.B.c;` and a module's `requires`."""
        line = node.start_point[0] + 1
        if node.type == "requires_module_directive":
            module = node.child_by_field_name("module")
            if module is not None:
                words = source.text_between(node.start_byte, module.start_byte).split()
                yield Import(source.text_of(module), "", "", line, "transitive" in words)
            return
        path = _dotted_name(node, source)
        if any(child.type == "asterisk" for child in node.children):
            yield Import(path, "*", "", line)
        elif path:
            module_path, _, member = path.rpartition(".")
            yield Import(module_path, member, member, line)


def _dotted_name(node: "Node", source: "SourceText") -> str:
    for child in node.named_children:
        if child.type in ("scoped_identifier", "identifier"):
            return "".join(source.text_of(child).split())
    return ""


def _modifiers(node: "Node") -> set[str]:
    first = node.child(0)
    if first is None or first.type != "modifiers":
        return set()
    return {child.type for child in first.children}


def _keywords(node: "Node") -> tuple[str, int]:
    """The modifiers without annotations, and where the rest of the head starts."""
    first = node.child(0)
    if first is not None and first.type == "modifiers":
        words = [child.type for child in first.children if not child.is_named]
        return " ".join(words), first.end_byte
    while first is not None and first.type in _ANNOTATIONS:  # a module's stand bare
        first = first.next_sibling
    return "", node.start_byte if first is None else first.start_byte


LANGUAGE = Language(
    name="java",
    extensions=(".java",),
    grammar="tree_sitter_java:language",
    rules=JavaRules(),
)
