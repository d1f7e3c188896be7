"""What Zig's imports bind: the constant that an `@import` is assigned to."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_DECLARATIONS: Final = ("variable_declaration", "using_namespace_declaration")
# From the import to its declaration: members, or the block and call of `@cImport({ … })`.
_MAX_STEPS: Final = 8


def binding_of(node: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield the binding of `const b = @import("a").b`, `usingnamespace …` or `@cInclude("a.h")`."""
    module = _argument(node, source)
    if not module:
        return
    line = node.start_point[0] + 1
    declaration, member = _destination(node, source)
    if declaration is None:
        yield Import(module=module, name=member, alias="", line=line)
        return
    first = declaration.child(0)
    is_public = first is not None and first.type == "pub"
    if declaration.type == "using_namespace_declaration":
        yield Import(module=module, name="*", alias="", line=line, is_reexport=is_public)
    else:
        yield Import(
            module=module,
            name=member,
            alias=_bound_name(declaration, source),
            line=line,
            is_reexport=is_public,
        )


def _destination(node: "Node", source: "SourceText") -> "tuple[Node | None, str]":
    """Return the declaration that an import is assigned to, and the member it selects."""
    is_of_c = source.data.startswith(b"@cInclude", node.start_byte)
    members: list[str] = []
    outer = node.parent
    for _ in range(_MAX_STEPS):
        if outer is None or outer.type in _DECLARATIONS:
            return outer, ".".join(members)
        if outer.type == "field_expression":
            member = outer.child_by_field_name("member")
            members.append("" if member is None else source.text_of(member))
        elif not is_of_c:
            break
        outer = outer.parent
    return None, ".".join(members)


def _argument(node: "Node", source: "SourceText") -> str:
    """Return the string that an import names."""
    arguments = node.child(1)
    text = "" if arguments is None else source.text_of(arguments).strip("() \n")
    return text.strip('"') if text.startswith('"') else ""


def _bound_name(declaration: "Node", source: "SourceText") -> str:
    for child in declaration.children:
        if child.type == "identifier":
            name = source.text_of(child)
            return "" if name == "_" else name.removeprefix("@").strip('"')
        if child.type == "=":
            break
    return ""
