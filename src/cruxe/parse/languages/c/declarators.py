"""C and C++ declarators: the name inside them, what they declare and what range they take."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import Definition

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source import SourceText

DECLARATIONS: Final = frozenset(
    {"declaration", "field_declaration", "function_definition", "type_definition"}
)
_NAMES: Final = frozenset(
    {
        "destructor_name",
        "field_identifier",
        "identifier",
        "operator_cast",
        "operator_name",
        "primitive_type",
        "qualified_identifier",
        "template_function",
        "template_method",
        "type_identifier",
    }
)
_TRANSPARENT: Final = ("parenthesized_declarator", "attributed_declarator")
# A name stands this deep only in text that is not a declaration.
_MAX_DEPTH: Final = 12


class Declared(NamedTuple):
    """What a declarator declares."""

    name: "Node"
    is_function: bool


def settle_declarator(definition: Definition, declaration: "Node") -> bool:
    """Put the name and kind of what a declarator declares into its definition.

    False where the definition is none: it has no name, or another range is offered for it.
    """
    declarator = definition.captures["name"][0]
    if not _is_own_range(definition, declaration, declarator):
        return False
    declared = resolve_declarator(declarator)
    if declared is None:
        return False
    definition.captures["declarator"] = [declarator]
    definition.captures["name"] = [declared.name]
    if declaration.type == "type_definition":
        _settle_type_kind(definition, declaration)
    elif declared.is_function:
        definition.kind = SymbolKind.FUNCTION
    return True


def resolve_declarator(declarator: "Node") -> Declared | None:
    """Follow a declarator to its name; nothing where it has none, as in a syntax error.

    The declarator next to the name decides: `*f(int)` declares a function, `(*f)(int)` a pointer.
    """
    node: Node | None = declarator
    nearest = ""
    for _ in range(_MAX_DEPTH):
        if node is None:
            return None
        kind = node.type
        if kind in _NAMES:
            return Declared(node, nearest == "function_declarator" or _is_conversion(node))
        if kind not in _TRANSPARENT:
            nearest = kind
        node = node.child_by_field_name("declarator") or _inner_declarator(node)
    return None


def declaration_of(definition: Definition) -> "Node":
    """The whole declaration, also where the definition is only one declarator of it."""
    node = definition.node
    if node.type not in DECLARATIONS and node.parent and node == definition.capture("declarator"):
        return node.parent
    return node


def specifiers_of(definition: Definition, source: "SourceText") -> bytes:
    """What a declaration says of one name before it; type and neighbours left out."""
    name, declarator = definition.capture("name"), definition.capture("declarator")
    if name is None or declarator is None:
        return b""
    declaration = declaration_of(definition)
    first = declaration.child_by_field_name("declarator") or declarator
    type_node = declaration.child_by_field_name("type") or first
    start, data = min(definition.start_byte, declaration.start_byte), source.data
    return b" ".join(
        (
            data[start : type_node.start_byte],
            data[type_node.end_byte : first.start_byte],
            data[declarator.start_byte : name.start_byte],
        )
    )


def _is_own_range(definition: Definition, declaration: "Node", declarator: "Node") -> bool:
    """Settle which of the ranges that a query offers for a declarator is the symbol's.

    Behind a tagged type it is the declarator; else the first declarator takes the whole
    declaration, so that the members of an unnamed type stand inside what has a name.
    """
    is_whole = definition.node == declaration
    type_node = declaration.child_by_field_name("type")
    if type_node is None or type_node.child_by_field_name("body") is None:
        return is_whole
    if type_node.child_by_field_name("name") is not None:
        return not is_whole
    return is_whole == (declaration.child_by_field_name("declarator") == declarator)


def _settle_type_kind(definition: Definition, declaration: "Node") -> None:
    """`typedef struct { … } name;` names the type itself."""
    type_node = declaration.child_by_field_name("type")
    if definition.node != declaration or type_node is None:
        return
    if type_node.child_by_field_name("body") is not None:
        is_enum = type_node.type == "enum_specifier"
        definition.kind = SymbolKind.ENUM if is_enum else SymbolKind.STRUCT


def _is_conversion(name: "Node") -> bool:
    """Whether a name is that of a conversion operator, which has no declarator around it."""
    inner: Node | None = name
    while inner is not None and inner.type == "qualified_identifier":
        inner = inner.child_by_field_name("name")
    return inner is not None and inner.type == "operator_cast"


def _inner_declarator(node: "Node") -> "Node | None":
    for child in node.named_children:
        if child.type in _NAMES or child.type.endswith("_declarator"):
            return child
    return None
