"""Markdown with fewer tokens: words run together where only the blocks around them matter.

The grammar makes a token of every word and every mark between words, and most of its time goes
there. Offsets and lines stay what they are; names and paragraphs are read from the text itself.
"""

import re
from typing import Final

# A line of text: its margin, the mark of a list item or a quotation, a word, and the rest.
_LINE: Final = re.compile(rb"(\n[ ]*+(?:(?:[-*+>]|\d{1,9}[.)])[ ])?[A-Za-z])([^\n]++)")
# Marks that say nothing of blocks inside a line. Others may: `|` parts cells, `-->` ends a
# comment, a quote closes the title of a link.
_JOINED: Final = bytes(ord("x") if byte in b" ,.;#@*_=+&%" else byte for byte in range(256))
# A definition whose target is on the next line: one long word there would be a target.
_OPEN_DEFINITION: Final = re.compile(rb"\]:[ \t]*+\r?\n")
_TARGET: Final = re.compile(rb"\]\([^\s()<>\[\]|\\`]++\)")


def with_long_words(data: bytes) -> bytes:
    """The text with the marks inside of lines and the targets of links made letters."""
    if _OPEN_DEFINITION.search(data):
        return data
    return _TARGET.sub(_filled, _LINE.sub(_joined, data))


def _joined(line: re.Match[bytes]) -> bytes:
    return line[1] + line[2].translate(_JOINED)


def _filled(target: re.Match[bytes]) -> bytes:
    return b"](" + b"x" * (len(target[0]) - 3) + b")"
