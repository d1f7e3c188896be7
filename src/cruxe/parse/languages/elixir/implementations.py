"""Names of `defimpl`: a module named after the protocol and the type."""

from typing import TYPE_CHECKING

from cruxe.parse.language import Definition

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText


def place(definition: Definition, source: "SourceText") -> str:
    """Name an implementation as the compiler does, `Protocol.Type`, whatever encloses it."""
    protocol = definition.capture("protocol")
    path = "" if protocol is None else source.text_of(protocol)
    subject = _subject(definition.node, source)
    if subject in ("", "__MODULE__"):
        subject = _around(definition)
    if "(" in subject:  # `unquote(type)`: not known here
        return ""
    definition.parent = None
    definition.container, _, name = f"{path}.{subject}".strip(".").rpartition(".")
    return name


def _subject(call: "Node", source: "SourceText") -> str:
    """Return the type that `for:` names, the first of several."""
    arguments = call.named_child(1) if call.named_child_count > 1 else None
    for keywords in arguments.named_children if arguments is not None else ():
        for pair in keywords.named_children if keywords.type == "keywords" else ():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is None or value is None or not source.text_of(key).startswith("for:"):
                continue
            if value.type == "list" and value.named_child_count:
                value = value.named_child(0)
            return "" if value is None else source.text_of(value)
    return ""


def _around(definition: Definition) -> str:
    parts: list[str] = []
    around = definition.parent
    while around is not None:
        parts[:0] = [part for part in (around.container, around.name) if part]
        around = around.parent
    return ".".join(parts)
