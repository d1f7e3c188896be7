"""What queries cannot express about TypeScript: access modifiers and namespaces."""

from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind, Visibility
from cruxe.parse.language import Definition
from cruxe.parse.languages.javascript.nodes import head_child
from cruxe.parse.languages.javascript.rules import JavaScriptRules

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CONSTANT: Final = SymbolKind.CONSTANT
_MODULE: Final = SymbolKind.MODULE
_VARIABLE: Final = SymbolKind.VARIABLE
_INTERNAL: Final = Visibility.INTERNAL
_PUBLIC: Final = Visibility.PUBLIC
_ACCESS: Final = {"private": Visibility.PRIVATE, "protected": Visibility.PROTECTED}
_PARAMETERS: Final = frozenset({"required_parameter", "optional_parameter"})
_FIELDS: Final = _PARAMETERS | {"public_field_definition"}


class TypeScriptRules(JavaScriptRules):
    """Members have access modifiers; an ambient namespace exports all its members."""

    members = JavaScriptRules.members | {
        *_FIELDS,
        "method_signature",
        "abstract_method_signature",
        "property_signature",
        "enum_assignment",
        "property_identifier",
        "string",
    }

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name as in JavaScript; a parameter property belongs to the class."""
        constructor = definition.parent
        if definition.node_type in _PARAMETERS and constructor is not None:
            definition.parent = constructor.parent
        return super().name(definition, source)

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make a static readonly field a constant."""
        kind = super().kind(definition, source)
        if definition.node_type == "public_field_definition" and kind is _VARIABLE:
            words = {child.type for child in definition.node.children}
            return _CONSTANT if {"static", "readonly"} <= words else kind
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by the member's modifier, else as in JavaScript."""
        found = super().visibility(definition, source)
        if found is _PUBLIC and definition.node_type in self.members:
            return _access(definition.node, source)
        if found is not _PUBLIC and _namespace_of(definition) is not None:
            return _PUBLIC if _is_ambient(definition, source) else _INTERNAL
        return found


def _access(node: "Node", source: "SourceText") -> Visibility:
    word = head_child(node)
    if word is None or word.type != "accessibility_modifier":
        return _PUBLIC
    return _ACCESS.get(source.text_of(word), _PUBLIC)


def _namespace_of(definition: Definition) -> Definition | None:
    parent = definition.parent
    is_namespace = parent is not None and parent.kind is _MODULE
    return parent if is_namespace else None


def _is_ambient(definition: Definition, source: "SourceText") -> bool:
    if source.path.endswith((".d.ts", ".d.mts", ".d.cts")):
        return True
    outer = _namespace_of(definition)
    while outer is not None and outer.start_node.type != "ambient_declaration":
        outer = _namespace_of(outer)
    return outer is not None
