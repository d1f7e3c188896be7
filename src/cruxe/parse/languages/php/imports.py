"""What PHP's `use` declarations bind, and the files it includes."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

# A literal path, relative to the file's folder if it uses `__DIR__`.
_INCLUDED: Final = re.compile(
    r"^\w+\s*+\(?\s*+(?:(__DIR__|dirname\(__FILE__\))\s*+\.\s*+)?(['\"])([^'\"$]+)\2\s*+\)?$",
    re.IGNORECASE,
)
_PATHS: Final = frozenset({"name", "namespace_name", "qualified_name"})


def bindings_of(node: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield the names of one `use`, in the order written, or the file of an `include`."""
    if node.type != "namespace_use_declaration":
        yield from _included(node, source)
        return
    group = node.child_by_field_name("body")
    prefix = ""
    if group is not None:
        start = next((child for child in node.named_children if child.type in _PATHS), None)
        prefix = "" if start is None else f"{source.text_of(start)}\\"
    for clause in (node if group is None else group).named_children:
        if clause.type == "namespace_use_clause":
            yield _clause(clause, prefix, source)


def _clause(clause: "Node", prefix: str, source: "SourceText") -> Import:
    alias_node = clause.child_by_field_name("alias")
    target = next((child for child in clause.named_children if child.type in _PATHS), None)
    path = prefix + ("" if target is None else source.text_of(target).strip("\\"))
    module, _, name = path.rpartition("\\")
    alias = name if alias_node is None else source.text_of(alias_node)
    line = clause.start_point[0] + 1
    return (
        Import(module=module, name=name, alias=alias, line=line)
        if module
        else Import(module=name, name="", alias=alias, line=line)
    )


def _included(node: "Node", source: "SourceText") -> Iterator[Import]:
    found = _INCLUDED.match(source.text_of(node))
    if found:
        folder = "." if found[1] and found[3].startswith("/") else ""
        yield Import(module=folder + found[3], name="*", alias="", line=node.start_point[0] + 1)
