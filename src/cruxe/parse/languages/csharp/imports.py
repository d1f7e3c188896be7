"""What C#'s `using` directives and `extern alias` bind."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cruxe.model.symbols import Import
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText


def bindings_of(node: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield what a directive binds: all names of a namespace or type, or one alias.

    A `global using` holds for the whole project, so it counts as re-exported.
    """
    line = node.start_point[0] + 1
    alias_node = node.child_by_field_name("name")
    alias = "" if alias_node is None else source.text_of(alias_node)
    if node.type == "extern_alias_directive":
        yield Import(module=alias, name="", alias=alias, line=line)
        return
    targets = [child for child in node.named_children if child.type != "comment"]
    target = targets[-1] if targets else None
    if target is None or target == alias_node:
        return
    first = node.child(0)
    is_global = first is not None and first.type == "global"
    if alias_node is None:
        yield Import(
            module=_path(target, source), name="*", alias="", line=line, is_reexport=is_global
        )
        return
    qualifier = target.child_by_field_name("qualifier")
    name = target.child_by_field_name("name")
    if qualifier is None or name is None:
        yield Import(
            module=_path(target, source), name="", alias=alias, line=line, is_reexport=is_global
        )
    else:
        type_name = source.text_of(name).partition("<")[0]
        yield Import(
            module=_path(qualifier, source),
            name=type_name,
            alias=alias,
            line=line,
            is_reexport=is_global,
        )


def _path(node: "Node", source: "SourceText") -> str:
    return fold_white_space(source.text_of(node))
