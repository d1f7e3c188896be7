"""Find Python docstrings and read their text."""

import ast
import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.language import Definition

_STRINGS: Final = frozenset({"string", "concatenated_string"})
# A literal without escapes can be read without Python's own parser, which is slow.
_SIMPLE: Final = re.compile(
    r"[rRuU]?(?:\"\"\"(.*)\"\"\"|'''(.*)'''|\"([^\"\n]*)\"|'([^'\n]*)')", re.DOTALL
)


def docstring_node(definition: "Definition") -> "Node | None":
    """Return the string that documents a definition: first in its body, or below an assignment."""
    if definition.node_type == "assignment":
        statement = definition.node.parent
        below = None if statement is None else statement.next_sibling
        return _string_of(below)
    body = definition.node.child_by_field_name("body")
    first = None if body is None else _first_named(body)
    while first is not None and first.type == "comment":
        first = first.next_named_sibling
    return _string_of(first)


def docstring_text(literal: str) -> str:
    """Return the value of a string literal without its indentation."""
    simple = None if "\\" in literal else _SIMPLE.fullmatch(literal)
    value = simple[simple.lastindex or 0] if simple else _evaluated(literal)
    return _dedent(value)[:MAX_DOC_CHARACTERS].rstrip()


def _string_of(statement: "Node | None") -> "Node | None":
    if statement is None or statement.type != "expression_statement":
        return None
    inner = _first_named(statement)
    if inner is not None and inner.type == "parenthesized_expression":
        inner = _first_named(inner)
    if inner is None or inner.type not in _STRINGS or _is_interpolated(inner):
        return None
    return inner


def _first_named(node: "Node") -> "Node | None":
    # `named_child` raises if there is none.
    return node.named_child(0) if node.named_child_count else None


def _is_interpolated(node: "Node") -> bool:
    """Return whether it is an f-string or bytes, which are no docstrings."""
    opening = (node.text or b"")[:3].lower().partition(b'"')[0].partition(b"'")[0]
    return b"f" in opening or b"b" in opening


def _evaluated(literal: str) -> str:
    try:
        return str(ast.literal_eval(f"({literal})"))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return literal.lstrip("rRuU").strip("\"'")


def _dedent(text: str) -> str:
    """Remove the indentation that all lines but the first share."""
    if text.isprintable():  # no tabs, and nothing that ends a line
        return text.strip()
    first, *rest = text.expandtabs().strip().splitlines() or [""]
    margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    return "\n".join([first.rstrip(), *(line[margin:].rstrip() for line in rest)])
