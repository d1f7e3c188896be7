"""C and C++ declarators: the name inside them, what they declare and which range they cover."""

from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import Definition

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

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
_CONVERSIONS: Final = frozenset({"operator_cast", "qualified_identifier"})
_TRANSPARENT: Final = ("parenthesized_declarator", "attributed_declarator")
_FUNCTION: Final = SymbolKind.FUNCTION
# Only text that is not a declaration nests a name deeper.
_MAX_DEPTH: Final = 12


def settle_declarator(definition: Definition, declaration: "Node") -> bool:
    """Set the definition's name and kind from its declarator.

    Return False if it is no definition: it has no name, or the query matched a better range.
    """
    captures = definition.captures
    declarator = captures["name"][0]
    type_node = declaration.child_by_field_name("type")
    body = None if type_node is None else type_node.child_by_field_name("body")
    if not _is_own_range(definition, declaration, type_node if body is not None else None):
        return False
    declared = resolve_declarator(declarator)
    if declared is None:
        return False
    # Cached as a capture, because the rules use it often.
    captures["declaration"] = [declaration]
    captures["declarator"] = [declarator]
    name, is_function = declared
    captures["name"] = [name]
    if type_node is not None:
        captures["type"] = [type_node]
    is_whole = definition.node is declaration
    kind = definition.node_type if is_whole else declaration.type
    if kind == "type_definition":
        if body is not None and type_node is not None and is_whole:
            is_enum = type_node.type == "enum_specifier"
            definition.kind = SymbolKind.ENUM if is_enum else SymbolKind.STRUCT
    elif is_function:
        definition.kind = _FUNCTION
    return True


def resolve_declarator(declarator: "Node") -> "tuple[Node, bool] | None":
    """Return a declarator's name node and whether it declares a function.

    None if it has no name, as in a syntax error. The declarator next to the name decides:
    `*f(int)` declares a function, `(*f)(int)` a pointer.
    """
    node: Node | None = declarator
    nearest = ""
    for _ in range(_MAX_DEPTH):
        if node is None:
            return None
        kind = node.type
        if kind in _NAMES:
            is_function = nearest == "function_declarator"
            return node, is_function or (kind in _CONVERSIONS and _is_conversion(node))
        if kind not in _TRANSPARENT:
            nearest = kind
        node = node.child_by_field_name("declarator") or _inner_declarator(node)
    return None


def declaration_of(definition: Definition) -> "Node":
    """Return the whole declaration, even if the definition is only one of its declarators."""
    kept = definition.captures.get("declaration")
    return kept[0] if kept else definition.node


def specifiers_of(definition: Definition, source: "SourceText", word: bytes) -> bytes:
    """Return the specifiers before a name, without the type and other declarators.

    Empty if `word` is not in the text, which needs no tree access.
    """
    captures = definition.captures
    if "declaration" not in captures:
        return b""
    declaration, declarator = captures["declaration"][0], captures["declarator"][0]
    start, data = min(definition.start_byte, declaration.start_byte), source.data
    name_start = captures["name"][0].start_byte
    if data.find(word, start, name_start) < 0:
        return b""
    first = declaration.child_by_field_name("declarator") or declarator
    type_node = captures["type"][0] if "type" in captures else first
    return b"%b %b %b" % (
        data[start : type_node.start_byte],
        data[type_node.end_byte : first.start_byte],
        data[declarator.start_byte : name_start],
    )


def _is_own_range(definition: Definition, declaration: "Node", tagged_type: "Node | None") -> bool:
    """Return whether this match has the symbol's range, of all ranges a query matches.

    After a tagged type with a body it is the declarator. Otherwise the first declarator takes the
    whole declaration, so that the members of an unnamed type stand inside what has a name.
    """
    is_whole = definition.node is declaration
    if tagged_type is None:
        return is_whole
    if tagged_type.child_by_field_name("name") is not None:
        return not is_whole
    first = declaration.child_by_field_name("declarator")
    return is_whole == (first == definition.captures["name"][0])


def _is_conversion(name: "Node") -> bool:
    """Return whether a name is a conversion operator, which has no declarator around it."""
    inner: Node | None = name
    while inner is not None and inner.type == "qualified_identifier":
        inner = inner.child_by_field_name("name")
    return inner is not None and inner.type == "operator_cast"


def _inner_declarator(node: "Node") -> "Node | None":
    for child in node.named_children:
        if child.type in _NAMES or child.type.endswith("_declarator"):
            return child
    return None
