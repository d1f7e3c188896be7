"""The paragraph that opens a section."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS
from cruxe.parse.languages.asciidoc.reading import DOCUMENT, SECTION

if TYPE_CHECKING:
    from cruxe.parse.language import Definition
    from cruxe.parse.source_text import SourceText

_BLOCK: Final = re.compile(rb"^[ \t]*\S[^\n]*(?:\n[ \t]*\S[^\n]*)*", re.MULTILINE)
_UNDERLINE: Final = re.compile(rb"(?:=+|-+|~+|\^+|\++)[ \t]*\r?(?:\n|$)")
_HEADING: Final = re.compile(
    rb"^(?:={1,6}|#{1,6})[ \t]|\A[^\n]+\n(?:=+|-+|~+|\^+|\++)[ \t]*\r?$", re.MULTILINE
)
_DELIMITER: Final = re.compile(
    rb"^(?:--|-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|`{3,}[^`\n]*|[|,:!]={3,})[ \t]*\r?$",
    re.MULTILINE,
)
_MACRO_LINE: Final = re.compile(
    rb"^(?:(?:ifn?def|ifeval|endif|include)::|//)[^\n]*\n?", re.MULTILINE
)
# Literal text, attributes, captions, lists, tables, macros and admonitions: not paragraphs.
_OTHER: Final = re.compile(
    rb"[\s\[:.|*+]|-[ \t]|'{3}|[\w-]+::\S|\d+\.[ \t]|[^\n]*::[ \t]*\r?(?:\n|$)|[A-Z]{3,}:[ \t]"
)
# After this many other blocks, no paragraph is taken as the summary.
_MAX_BLOCKS: Final = 8


def opening_paragraph(definition: "Definition", source: "SourceText") -> str:
    """Return the first paragraph between the heading and the next one, or an empty string."""
    node, name = definition.node, definition.capture("name")
    start = source.data.find(b"\n", name.end_byte) + 1 if name is not None else 0
    if not start or node.type not in (SECTION, DOCUMENT):
        return ""
    is_inside = False  # of a delimited block
    blocks = _BLOCK.finditer(source.data, start, max(node.end_byte, start))
    for _, block in zip(range(_MAX_BLOCKS), blocks, strict=False):
        text = block[0]
        if block.start() == start:
            if node.type == DOCUMENT:
                continue  # author, revision and attributes directly follow the title
            if (underline := _UNDERLINE.match(text)) is not None:
                text = text[underline.end() :]
        if not is_inside:
            if _HEADING.search(text):
                return ""
            if paragraph := _paragraph(text):
                return paragraph.decode("utf-8", "replace")[:MAX_DOC_CHARACTERS]
        is_inside ^= len(_DELIMITER.findall(text)) % 2 == 1
    return ""


def _paragraph(block: bytes) -> bytes:
    """Return the text of a block up to a delimiter; empty if it is no paragraph."""
    text = _MACRO_LINE.sub(b"", block)
    if (delimiter := _DELIMITER.search(text)) is not None:
        text = text[: delimiter.start()].rstrip()
    return b"" if not text or _OTHER.match(text) else text
