"""Documentation attributes: `@doc`, `@typedoc` and `@moduledoc` with a string or a sigil."""

from typing import TYPE_CHECKING

from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText


def doc_string(attribute: "Node | None") -> "Node | None":
    """Return the string that an attribute holds, if it holds one."""
    value = _value(attribute)
    return value if value is not None and value.type in ("string", "sigil") else None


def is_hidden(attribute: "Node | None", source: "SourceText") -> bool:
    """Return whether the attribute is `false`, which hides the definition."""
    value = _value(attribute)
    return value is not None and source.text_of(value) == "false"


def is_metadata(attribute: "Node") -> bool:
    """Return whether it adds to an earlier attribute, as `@doc since: "1.2"` does."""
    value = _value(attribute)
    return value is not None and value.type == "keywords"


def doc_text(node: "Node", source: "SourceText") -> str:
    """Return the text between the quotes; a heredoc is dedented by its closing quotes."""
    start = node.child_by_field_name("quoted_start")
    end = node.child_by_field_name("quoted_end")
    if start is None or end is None:
        return ""
    text = source.text_between(start.end_byte, end.start_byte)
    lines = text.split("\n")
    margin = lines[-1]
    if len(lines) > 1 and not margin.strip():
        lines = [line.removeprefix(margin) for line in lines]
    return "\n".join([line.rstrip() for line in lines]).strip()[:MAX_DOC_CHARACTERS].rstrip()


def _value(attribute: "Node | None") -> "Node | None":
    call = None if attribute is None else attribute.child_by_field_name("operand")
    arguments = call.named_child(1) if call is not None and call.named_child_count > 1 else None
    return arguments.named_child(0) if arguments and arguments.named_child_count else None
