"""Helpers for syntax nodes that several rules use. Any node may lack any child."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

WRAPPERS: Final = frozenset({"export_statement", "ambient_declaration"})
_BEFORE_THE_HEAD: Final = frozenset({"decorator", "comment"})


def first_named(node: "Node") -> "Node | None":
    """Return the first named child."""
    return node.named_child(0) if node.named_child_count else None


def head_child(node: "Node") -> "Node | None":
    """Return the first child that is not a decorator."""
    child = node.child(0) if node.child_count else None
    while child is not None and child.type in _BEFORE_THE_HEAD:
        child = child.next_sibling
    return child


def outermost_wrapper(node: "Node") -> "Node":
    """Return the `export` or `declare` around a node, or the node itself."""
    while (parent := node.parent) is not None and parent.type in WRAPPERS:
        node = parent
    return node


def declarator_of(node: "Node") -> "Node | None":
    """Return the `a = 1` of `const a = 1` that a node is or, as a name in a pattern, stands in."""
    found: Node | None = node
    while found is not None:
        kind = found.type
        if kind == "variable_declarator":
            return found
        if not kind.endswith(("_pattern", "identifier")):
            return None
        found = found.parent
    return None


def declaration_of(node: "Node") -> "Node | None":
    """Return the whole `const a = 1, b = 2` around a name that it declares."""
    declarator = declarator_of(node)
    return None if declarator is None else declarator.parent


def unquote(text: str) -> str:
    """Return a string literal's content; other text unchanged."""
    is_quoted = len(text) > 1 and text[0] in "'\"`" and text[-1] == text[0]
    return text[1:-1] if is_quoted else text
