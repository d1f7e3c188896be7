"""Imports: `alias`, `import`, `require` and `use`, with what each binds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cruxe.model.symbols import Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText


def imports_of(call: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield what one directive binds; `alias A.{B, C}` binds several modules."""
    target = call.child_by_field_name("target")
    arguments = call.named_child(1) if call.named_child_count > 1 else None
    if target is None or arguments is None or not arguments.named_child_count:
        return
    word, line = source.text_of(target), call.start_point[0] + 1
    options = _options(arguments, source)
    for module in _modules(arguments.named_child(0), source):
        if word == "import":
            for name in _imported(options.get("only"), source):
                yield Import(module=module, name=name, alias="" if name == "*" else name, line=line)
        else:
            yield Import(
                module=module,
                name="",
                alias=_alias(word, module, options.get("as"), source),
                line=line,
            )


def _modules(node: "Node | None", source: "SourceText") -> Iterator[str]:
    if node is None:
        return
    group = node.child_by_field_name("right") if node.type == "dot" else None
    left = node.child_by_field_name("left") if node.type == "dot" else None
    if group is None or left is None or group.type != "tuple":
        yield source.text_of(node)
        return
    prefix = source.text_of(left)
    for member in group.named_children:
        if member.type == "alias":
            yield f"{prefix}.{source.text_of(member)}"


def _options(arguments: "Node", source: "SourceText") -> "dict[str, Node]":
    last = arguments.named_child(arguments.named_child_count - 1)
    found: dict[str, Node] = {}
    for pair in last.named_children if last is not None and last.type == "keywords" else ():
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            found[source.text_of(key).rstrip(": \t\n")] = value
    return found


def _imported(only: "Node | None", source: "SourceText") -> list[str]:
    """Return the functions named by `only:`, or `*` without such a list."""
    if only is None or only.type != "list":
        return ["*"]
    keys = [
        key
        for keywords in only.named_children
        for pair in keywords.named_children
        if (key := pair.child_by_field_name("key")) is not None
    ]
    return [source.text_of(key).rstrip(": \t\n").strip('"') for key in keys]


def _alias(word: str, module: str, renamed: "Node | None", source: "SourceText") -> str:
    if renamed is not None and word != "use":
        return source.text_of(renamed)
    last = module.rpartition(".")[2]
    return last if word == "alias" and last != "__MODULE__" else ""
