"""The heads of Haskell's definitions: type signatures, types up to their constructors."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    MAX_SIGNATURE_CHARACTERS,
    MAX_VALUE_CHARACTERS,
    Definition,
    trim_signature,
)
from cruxe.parse.languages.haskell.signatures import SIGNATURE
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_COMMENT: Final = re.compile(
    r"\{-.*?-\}|(?<![!#$%&*+./<=>?@^|~:\\])--+(?![!#$%&*+./<=>?@^|~:])[^\n]*", re.DOTALL
)
# Fields of nodes that come after the head.
_BODY_FIELDS: Final = {
    "function": ("match",),
    "data_type": ("constructors", "deriving"),
    "newtype": ("deriving",),
    "class": ("declarations",),
    "type_family": ("closed_family", "equations"),
}


def head_of(definition: Definition, source: "SourceText") -> str:
    """Return the signature, folded."""
    node = definition.node
    signature = definition.capture(SIGNATURE)
    if signature is not None:
        return _text(signature, signature.end_byte, source)
    if node.type == "bind":
        start, end = node.start_byte, node.end_byte
        line_end = source.data.find(b"\n", start, end)
        first_line = source.text_between(start, end if line_end < 0 else line_end)
        return fold_white_space(first_line)[:MAX_VALUE_CHARACTERS]
    if node.type in ("constructor", "prefix_id"):  # a record's constructor: its name alone
        node = node.parent or node
    return _text(node, _end_of_head(node), source)


def _end_of_head(node: "Node") -> int:
    for field in _BODY_FIELDS.get(node.type, ()):
        body = node.child_by_field_name(field)
        if body is not None:
            return body.start_byte
    return node.end_byte


def _text(node: "Node", end: int, source: "SourceText") -> str:
    start = node.start_byte
    text = source.text_between(start, min(end, start + MAX_HEAD_BYTES))
    if "--" in text or "{-" in text:
        text = _COMMENT.sub("", text)
    if end != node.end_byte:
        text = trim_signature(text).removesuffix(" where")
    return fold_white_space(text)[:MAX_SIGNATURE_CHARACTERS]
