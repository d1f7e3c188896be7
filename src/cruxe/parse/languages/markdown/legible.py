"""Markdown with fewer tokens: words run together where only the blocks around them matter.

The grammar makes a token of every word and punctuation mark, which takes most of its time.
Offsets and lines do not change; names and paragraphs are read from the original text.
"""

import re
from typing import Final

# A line of text: its margin, the mark of a list item or a quotation, a word, and the rest.
_LINE: Final = re.compile(rb"(\n[ ]*+(?:(?:[-*+>]|\d{1,9}[.)])[ ])?[A-Za-z])([^\n]++)")
# Characters that never affect blocks inside a line. Others may: `|` separates cells, `-->` ends a
# comment, a quote closes the title of a link.
_JOINED: Final = bytes(ord("x") if byte in b" ,.;#@*_=+&%" else byte for byte in range(256))
# A definition whose target is on the next line: one long word there would be a target.
_OPEN_DEFINITION: Final = re.compile(rb"\]:[ \t]*+\r?\n")
_TARGET: Final = re.compile(rb"\]\([^\s()<>\[\]|\\`]++\)")


def with_long_words(data: bytes) -> bytes:
    """Return the text with punctuation inside lines and link targets replaced by letters."""
    if _OPEN_DEFINITION.search(data):
        return data
    return _TARGET.sub(_filled, _LINE.sub(_joined, data))


def _joined(line: re.Match[bytes]) -> bytes:
    return line[1] + line[2].translate(_JOINED)


def _filled(target: re.Match[bytes]) -> bytes:
    return b"](" + b"x" * (len(target[0]) - 3) + b")"
