"""Kinds of Python's classes and assignments: enums, protocols, constants, aliases, functions."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import Definition

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CLASS: Final = SymbolKind.CLASS
_CONSTANT: Final = SymbolKind.CONSTANT
_ENUM: Final = SymbolKind.ENUM
_FUNCTION: Final = SymbolKind.FUNCTION
_INTERFACE: Final = SymbolKind.INTERFACE
_METHOD: Final = SymbolKind.METHOD
_TYPE_ALIAS: Final = SymbolKind.TYPE_ALIAS
_VARIABLE: Final = SymbolKind.VARIABLE
_ENUM_BASE: Final = re.compile(
    r"(?<![\w=])(?:\w*Enum|Flag|IntFlag|Choices|TextChoices|IntegerChoices)\s*[,)]"
)
_PROTOCOL_BASE: Final = re.compile(r"(?<![\w=])Protocol\s*[\[,)]")
_TYPE_MAKERS: Final = frozenset(
    {"TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "TypeAliasType"}
)
_CLASS_MAKERS: Final = frozenset({"namedtuple", "NamedTuple", "TypedDict", "make_dataclass"})
_ENUM_MAKERS: Final = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_GENERIC_TYPES: Final = frozenset(
    {"Annotated", "Callable", "Dict", "FrozenSet", "Iterable", "Iterator", "List", "Literal"}
    | {"Mapping", "Optional", "Sequence", "Set", "Tuple", "Type", "Union"}
    | {"dict", "frozenset", "list", "set", "tuple", "type"}
)
_CLASS_NAME: Final = re.compile(r"_*[A-Z]\w*[a-z]\w*")


def kind_of_class(definition: Definition, source: "SourceText") -> SymbolKind:
    """Return enum or protocol by the bases, else class."""
    bases = definition.node.child_by_field_name("superclasses")
    if bases is None:
        return _CLASS
    text = source.text_of(bases)
    if ("Enum" in text or "Flag" in text or "Choices" in text) and _ENUM_BASE.search(text):
        return _ENUM
    return _INTERFACE if "Protocol" in text and _PROTOCOL_BASE.search(text) else _CLASS


def kind_of_variable(definition: Definition, source: "SourceText") -> SymbolKind:
    """Return constant, type alias, class or function by name, annotation and value."""
    node = definition.node
    value = node.child_by_field_name("right")
    around = definition.enclosing_type
    if around is not None and around.kind is _ENUM and not _is_private(definition.name):
        return _CONSTANT if value is not None else _VARIABLE
    if value is not None and value.type == "lambda":
        return _FUNCTION if around is None else _METHOD
    if (annotated := _annotated_kind(node, source)) is not None:
        return annotated
    if value is not None and (assigned := _assigned_kind(definition.name, value, source)):
        return assigned
    return _CONSTANT if definition.name.isupper() else _VARIABLE


def _is_private(name: str) -> bool:
    return name.startswith("_")


def _annotated_kind(node: "Node", source: "SourceText") -> SymbolKind | None:
    annotation = node.child_by_field_name("type")
    if annotation is None:
        return None
    head = source.text_of(annotation).partition("[")[0].rpartition(".")[2]
    if head == "TypeAlias":
        return _TYPE_ALIAS
    return _CONSTANT if head == "Final" else None


def _assigned_kind(name: str, value: "Node", source: "SourceText") -> SymbolKind | None:
    if value.type == "call":
        return _made_kind(_last_name(value.child_by_field_name("function"), source))
    if value.type == "subscript":
        generic = _last_name(value.child_by_field_name("value"), source)
        return _TYPE_ALIAS if generic in _GENERIC_TYPES else None
    if value.type in ("identifier", "attribute") and _CLASS_NAME.fullmatch(name):
        is_class = _CLASS_NAME.fullmatch(_last_name(value, source))
        return _TYPE_ALIAS if is_class else None
    return None


def _made_kind(maker: str) -> SymbolKind | None:
    if maker in _TYPE_MAKERS:
        return _TYPE_ALIAS
    if maker in _CLASS_MAKERS:
        return _CLASS
    return _ENUM if maker in _ENUM_MAKERS else None


def _last_name(node: "Node | None", source: "SourceText") -> str:
    if node is not None and node.type == "attribute":
        node = node.child_by_field_name("attribute")
    return source.text_of(node) if node is not None and node.type == "identifier" else ""
