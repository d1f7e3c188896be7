"""Exports that are separate from the definition: `export { a }`, `module.exports = { a }`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from cruxe.parse.languages.javascript.nodes import first_named, unquote

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

    Exports = dict[str, tuple[str, ...]]

WHOLE_MODULE = "*"
# The rules call this for every definition and import; the file is read once.
_known: "WeakKeyDictionary[SourceText, Exports]" = WeakKeyDictionary()


def exported_names(source: "SourceText", inside: "Node") -> "Exports":
    """Map each local name to its exported names; `inside` is any node of the file."""
    found = _known.get(source)
    if found is None:
        found = _known[source] = {}
        for local, exported in _exports(_root_of(inside), source):
            found[local] = (*found.get(local, ()), exported)
    return found


def exports_module(node: "Node", source: "SourceText") -> bool:
    """Return whether a node is `module.exports = …`."""
    return exported_as(node, source) == WHOLE_MODULE


def exported_as(node: "Node | None", source: "SourceText") -> str:
    """Return the exported name of an assignment; empty for any other node."""
    if node is None or node.type != "assignment_expression":
        return ""
    target = node.child_by_field_name("left")
    if target is None or target.type != "member_expression":
        return ""
    path = source.text_of(target)
    if path == "module.exports":
        return WHOLE_MODULE
    owner, _, name = path.rpartition(".")
    return name if owner in ("exports", "module.exports") else ""


def _root_of(node: "Node") -> "Node":
    while (parent := node.parent) is not None:
        node = parent
    return node


def _exports(root: "Node", source: "SourceText") -> Iterator[tuple[str, str]]:
    for statement in root.named_children:
        if statement.type == "export_statement":
            yield from _stated(statement, source)
        elif statement.type == "expression_statement":
            yield from _assigned(first_named(statement), source)


def _stated(statement: "Node", source: "SourceText") -> Iterator[tuple[str, str]]:
    """Yield the pairs of `export { a as b }`, `export default a`, `export = a`."""
    if statement.child_by_field_name("source") is not None:
        return
    for child in statement.named_children:
        if child.type == "identifier":
            yield source.text_of(child), "default"
        elif child.type == "export_clause":
            yield from specifiers(child, source)


def specifiers(clause: "Node", source: "SourceText") -> Iterator[tuple[str, str]]:
    """Yield the pairs of `{ a as b, c }`: (`a`, `b`), (`c`, `c`)."""
    for specifier in clause.named_children:
        name = specifier.child_by_field_name("name")
        if name is not None:
            alias = specifier.child_by_field_name("alias") or name
            yield unquote(source.text_of(name)), unquote(source.text_of(alias))


def _assigned(node: "Node | None", source: "SourceText") -> Iterator[tuple[str, str]]:
    """Yield the pairs of `exports.a = b`, `module.exports = { a, b: c }` and the like."""
    exported = ""
    while node is not None and node.type == "assignment_expression":
        exported = exported_as(node, source) or exported
        node = node.child_by_field_name("right")
    if not exported or node is None:
        return
    if node.type == "identifier":
        yield source.text_of(node), "default" if exported == WHOLE_MODULE else exported
    elif node.type == "object" and exported == WHOLE_MODULE:
        yield from _collected(node, source)


def _collected(literal: "Node", source: "SourceText") -> Iterator[tuple[str, str]]:
    for member in literal.named_children:
        key, value = member.child_by_field_name("key"), member.child_by_field_name("value")
        if member.type == "shorthand_property_identifier":
            yield source.text_of(member), source.text_of(member)
        elif key is not None and value is not None and value.type == "identifier":
            yield source.text_of(value), unquote(source.text_of(key))
