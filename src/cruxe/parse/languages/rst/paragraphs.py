"""The paragraph that opens a section or the content of a directive."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS
from cruxe.parse.languages.rst.reading import SECTION, TARGET

if TYPE_CHECKING:
    from cruxe.parse.language import Definition
    from cruxe.parse.source_text import SourceText

_BLOCK: Final = re.compile(rb"^(?P<indent>[ \t]*)\S[^\n]*(?:\n[ \t]*\S[^\n]*)*", re.MULTILINE)
# Explicit markup, fields and options, lists, tables, rules, doctests: not paragraphs.
_OTHER: Final = re.compile(
    rb"\s*(?:\.\.\s|__ |:[^:\n]+:(?:\s|$)|[-*+] |\|\s|>>> |\+[-=]|([!-/:-@\[-`{-~])\1{3,}"
    rb"|:$|\(?(?:\d+|#)[.)] )"
)
_TITLE: Final = re.compile(rb"[^\n]*\n([!-/:-@\[-`{-~])\1{2,}[ \t]*\r?(?:\n|$)")
# After this many other blocks, no paragraph is taken as the summary.
_MAX_BLOCKS: Final = 8


def opening_paragraph(definition: "Definition", source: "SourceText") -> str:
    """Return the first paragraph, or an empty string."""
    node, name = definition.node, definition.capture("name")
    if name is None or node.type == TARGET:
        return ""
    is_section = node.type == SECTION
    start = source.data.find(b"\n", name.end_byte) + 1
    if is_section and start:
        start = source.data.find(b"\n", start) + 1  # after the line under the title
    if not start:
        return ""
    margin = b"" if is_section else None
    blocks = _BLOCK.finditer(source.data, start, max(node.end_byte, start))
    for _, block in zip(range(_MAX_BLOCKS), blocks, strict=False):
        if is_section and _TITLE.match(block[0]):
            return ""
        if margin is None and block.start() > start:
            margin = block["indent"]  # the first block after the arguments sets the margin
        if block["indent"] == margin and not _OTHER.match(block[0]):
            text = block[0].decode("utf-8", "replace")[:MAX_DOC_CHARACTERS]
            return f"{text[:-2]}:" if text.endswith("::") else text
    return ""
