"""Imports: files that are required, and constants that are loaded when first used."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cruxe.model.symbols import Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText


def imports_of(call: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield the literal path or constant of a call of `require` and the like."""
    method = call.child_by_field_name("method")
    arguments = call.child_by_field_name("arguments")
    if method is None or arguments is None:
        return
    values = [_literal(each, source) for each in arguments.named_children]
    word, line = source.text_of(method), call.start_point[0] + 1
    if word == "autoload":
        if values and values[0]:
            module = values[1] if len(values) > 1 else ""
            yield Import(
                module=module, name=values[0], alias=values[0], line=line, is_reexport=True
            )
    elif values and values[0] and call.child_by_field_name("receiver") is None:
        yield Import(
            module=_path(values[0], is_relative=word == "require_relative"),
            name="",
            alias="",
            line=line,
        )


def _literal(node: "Node", source: "SourceText") -> str:
    if node.type == "simple_symbol":
        return source.text_of(node).removeprefix(":")
    if node.type != "string" or node.named_child_count != 1:
        return ""
    content = node.named_child(0)
    if content is None or content.type != "string_content":
        return ""
    return source.text_of(content)


def _path(written: str, *, is_relative: bool) -> str:
    """Return the path as written; a relative one starts with a dot."""
    return f"./{written}" if is_relative and not written.startswith(".") else written
