"""Haddock and plain comments of Haskell: what they document, and their text."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.parse.language import Definition

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

# `-- ^` documents the code before it; `-- *` and `-- $` are headings and named texts.
_ELSEWHERE: Final = re.compile(r"(?:--+|\{-)\s*(?:\^|\*|\$\w|\#)")
_MARKER: Final = re.compile(r"^(--+|\{-)[ \t]*[|^][ \t]?")
_BLOCK: Final = re.compile(r"\{-+(.*?)-*\}?$", re.DOTALL)
_MEMBER_KINDS: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
_MEMBERS: Final = frozenset({"field", "data_constructor", "gadt_constructor"})


def is_documentation(comment: str) -> bool:
    """Return whether a comment documents the definition below it."""
    return _ELSEWHERE.match(comment) is None


def trailing_doc(definition: Definition) -> "Node | None":
    """Return the `-- ^` comment after a constructor or a field."""
    if definition.kind not in _MEMBER_KINDS:
        return None
    node = definition.node
    if node.type not in _MEMBERS:
        return None
    behind = node.next_sibling
    if behind is not None and behind.type == ",":
        behind = behind.next_sibling
    if behind is None or behind.type != "haddock":
        return None
    return behind if b"^" in (behind.text or b"")[:6] else None


def continues_doc_before(definition: Definition, source: "SourceText", comments: list[str]) -> bool:
    """Return whether the comments above continue the `-- ^` of the previous field."""
    if definition.node_type not in _MEMBERS:
        return False
    line_count = sum(comment.count("\n") + 1 for comment in comments)
    starts, line = source.line_starts, definition.line_start - line_count - 1
    return line >= 1 and b"-- ^" in source.data[starts[line - 1] : starts[line]]


def plain_text(comments: list[str]) -> str:
    """Return comments as prose."""
    if not comments:
        return ""
    plain: list[str] = []
    for comment in comments:
        text = _MARKER.sub(r"\1 ", comment)
        block = _BLOCK.match(text)
        plain.append(text if block is None else block[1])
    return strip_comment_markers(plain)
