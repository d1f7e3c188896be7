"""What `require` binds in Lua."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import
from cruxe.parse.language import Definition

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_ASSIGNMENT_PARTS: Final = ["variable_list", "expression_list"]
# The usual text after a name, recognised without the tree.
_PLAIN_REQUIRE: Final = re.compile(
    rb"[ \t]*=[ \t]*require[ \t]*\(?[ \t]*(?:\"[^\"\n]*\"|'[^'\n]*')[ \t]*\)?(?:\.\w+)?$"
)


def imports_of(node: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield the name that one call of `require` binds; none for a computed module."""
    module = _module_of(node, source)
    if not module:
        return
    value, member = node, ""
    holder = node.parent
    if holder is not None and holder.type == "dot_index_expression":
        field = holder.child_by_field_name("field")
        value, member = holder, "" if field is None else source.text_of(field)
        holder = holder.parent
    target = _target_of(value, holder, 1 if _is_protected(node, source) else 0)
    line = node.start_point[0] + 1
    if target is None:
        is_passed_on = _is_returned(holder) and value is node
        yield Import(
            module=module,
            name="*" if is_passed_on else "",
            alias="",
            line=line,
            is_reexport=is_passed_on,
        )
    elif target.type == "identifier":
        yield Import(module=module, name=member, alias=source.text_of(target), line=line)
    else:
        field = target.child_by_field_name("field")
        alias = "" if field is None else source.text_of(field)
        yield Import(module=module, name=member, alias=alias, line=line, is_reexport=True)


def binds_module(definition: Definition, source: "SourceText") -> bool:
    """Return whether a variable only names a module or a member of one."""
    start, end = definition.start_byte, definition.end_byte
    if source.data.find(b"require", start, min(end, start + 300)) < 0:
        return False
    node, name = definition.node, definition.capture("name")
    if name is not None and _PLAIN_REQUIRE.match(source.data, name.end_byte, end):
        return True
    if node.type == "variable_declaration" and node.named_child_count:
        node = node.named_child(0) or node
    lists = node.named_children
    if name is None or [each.type for each in lists] != _ASSIGNMENT_PARTS:
        return False
    targets, values = (each.named_children for each in lists)
    return _binds_module_to(name, targets, values, source)


def _binds_module_to(
    name: "Node", targets: "list[Node]", values: "list[Node]", source: "SourceText"
) -> bool:
    place = sum(target.end_byte < name.end_byte for target in targets)
    value = values[min(place, len(values) - 1)] if values else None
    if value is not None and value.type == "dot_index_expression":
        value = value.child_by_field_name("table")
    if value is None or value.type != "function_call":
        return False
    return bool(_module_of(value, source)) and _called_name(value, source) in (
        ("pcall",) if place >= len(values) else ("require",)
    )


def _called_name(node: "Node", source: "SourceText") -> str:
    name = node.child_by_field_name("name")
    return "" if name is None else source.text_of(name)


def _is_protected(node: "Node", source: "SourceText") -> bool:
    return _called_name(node, source) == "pcall"


def _module_of(node: "Node", source: "SourceText") -> str:
    """Return the last argument if it is a plain string, else an empty string."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not arguments.named_child_count:
        return ""
    string = arguments.named_child(arguments.named_child_count - 1)
    if string is None or string.type != "string":
        return ""
    content = string.child_by_field_name("content")
    return "" if content is None else source.text_of(content)


def _target_of(value: "Node", holder: "Node | None", offset: int) -> "Node | None":
    """Return the target of a value: the name at its index in the list, plus `offset`."""
    if holder is None or holder.type != "expression_list":
        return None
    assignment = holder.parent
    if assignment is None or assignment.type != "assignment_statement":
        return None
    targets = assignment.named_child(0)
    if targets is None:
        return None
    place = sum(each.end_byte < value.end_byte for each in holder.named_children) + offset
    names = targets.children_by_field_name("name")
    return names[place] if place < len(names) else None


def _is_returned(holder: "Node | None") -> bool:
    if holder is None or holder.type != "expression_list":
        return False
    statement = holder.parent
    if statement is None or statement.type != "return_statement":
        return False
    return statement.parent is not None and statement.parent.type == "chunk"
