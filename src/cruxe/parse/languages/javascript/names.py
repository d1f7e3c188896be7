"""Names of definitions; also decides which query matches are no definitions."""

from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import Definition
from cruxe.parse.languages.javascript.exports import exports_module
from cruxe.parse.languages.javascript.imports import module_call
from cruxe.parse.languages.javascript.nodes import declarator_of, first_named, unquote
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_FUNCTION: Final = SymbolKind.FUNCTION
DEFAULT_EXPORT: Final = "default"
_VARIABLE: Final = SymbolKind.VARIABLE
_EXPRESSIONS: Final = frozenset({"function_expression", "generator_function", "class"})
_NAMING: Final = frozenset({"variable_declarator", "field_definition", "public_field_definition"})


def name_of(definition: Definition, source: "SourceText") -> str:
    """Return the definition's name; empty if it is named elsewhere or defines nothing."""
    name, node = definition.capture("name"), definition.node
    if name is None:
        return DEFAULT_EXPORT
    if definition.kind is not None and _is_no_definition(definition, source):
        return ""
    if definition.node_type == "assignment_expression" and exports_module(node, source):
        return DEFAULT_EXPORT
    text = source.text_of(name)
    if text.isidentifier():
        return text
    if name.type == "member_expression":
        name = name.child_by_field_name("property") or name
    return _plain_name(fold_white_space(source.text_of(_bound_name(name))))


def _is_no_definition(definition: Definition, source: "SourceText") -> bool:
    node, node_type = definition.node, definition.node_type
    if node_type in _EXPRESSIONS:
        return _is_inside_namesake(definition, source) or _is_named_outside(node, source)
    if node_type == "pair":
        return _is_passed_to_call(node)
    if definition.kind is _VARIABLE:
        return _is_local(definition) or _is_import(node, source)
    value = definition.capture("value")
    is_named = value is not None and value.child_by_field_name("name") is not None
    return is_named and exports_module(node, source)


def _is_inside_namesake(definition: Definition, source: "SourceText") -> bool:
    """Return whether it repeats a name: `const Row = memo(function Row() {})` is one symbol."""
    name, parent = definition.capture("name"), definition.parent
    return name is not None and parent is not None and parent.name == source.text_of(name)


def _is_named_outside(node: "Node", source: "SourceText") -> bool:
    """Return whether `const a = function b() {}` and the like give the expression another name."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "pair":
        return not _is_passed_to_call(parent)
    if parent.type != "assignment_expression":
        return parent.type in _NAMING
    target = parent.child_by_field_name("left")
    is_computed = target is None or target.type not in ("identifier", "member_expression")
    return not is_computed and not exports_module(parent, source)


def _is_passed_to_call(pair: "Node") -> bool:
    """Return whether a property is in an option object of a call: `get({ done: () => 1 })`."""
    node = pair.parent
    while node is not None and node.type in ("object", "pair"):
        node = node.parent
    if node is None or node.type != "arguments":
        return False
    while node is not None and not node.type.endswith(("_block", "_body", "function")):
        node = node.parent
    return node is not None


def _is_local(definition: Definition) -> bool:
    """Return whether a syntax error made a local variable look like a top-level one."""
    parent = definition.parent
    is_variable = definition.node_type == "variable_declarator"
    return is_variable and parent is not None and parent.kind is _FUNCTION


def _is_import(node: "Node", source: "SourceText") -> bool:
    """Return whether it only binds a module: `a = require("a")`, `exports.a = require("a")`."""
    holder = declarator_of(node) or node
    value = holder.child_by_field_name("value") or holder.child_by_field_name("right")
    return module_call(value, source) is not None


def _bound_name(node: "Node") -> "Node":
    """Return the name that a part of a destructuring pattern binds: `b` of `a: b = 1`."""
    inner: Node | None = node
    while inner is not None and inner.type.endswith("_pattern"):
        node = inner
        inner = (
            node.child_by_field_name("value")
            or node.child_by_field_name("left")
            or (first_named(node) if node.type == "rest_pattern" else None)
        )
    return node if inner is None else inner


def _plain_name(text: str) -> str:
    """Return `a` of `a`, `"a"` and `["a"]`; other computed names as written."""
    inner = text.removeprefix("[").removesuffix("]")
    return text if unquote(inner) == inner else unquote(inner)
