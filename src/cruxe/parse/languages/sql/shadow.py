"""Copies of SQL text in which strings and comments are blanked.

Offsets and lines do not change, so matches in a copy are read from the original. Copies are in
lower case, because case-sensitive patterns are several times as fast.
"""

import re
from typing import Final, NamedTuple

# Dialects with backslash escapes quote names in backticks.
_BACKTICKS: Final = re.compile(rb"`\w+`\s*[\w(,.]")
_ENGINE: Final = re.compile(rb"engine(?<!\wengine)\s*=")
_COMMENT: Final = rb"--[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+|(?!))*+(?:\*/|\Z)"
# A string that is not closed ends with its line.
_STRING: Final = rb"'[^']*+(?:''[^']*+)*+'|'[^\n]*"
_ESCAPING_STRING: Final = rb"'[^'\\]*+(?:(?:''|\\.)[^'\\]*+|(?!))*+'|'[^\n]*"
# The first character tells what is hidden. All alternatives begin with a literal one, which
# lets the search skip ahead.
_HIDDEN: Final = re.compile(
    rb"%b|e(?<!\we)(?:%b)|%b|\"[^\"\n]*+\"" % (_COMMENT, _ESCAPING_STRING, _STRING), re.DOTALL
)
_HIDDEN_IN_MYSQL: Final = re.compile(
    rb"%b|%b|[\"`][^\"`\n]*[\"`]|^[ \t]*#[^\n]*" % (_COMMENT, _ESCAPING_STRING),
    re.DOTALL | re.MULTILINE,
)
_NAME_QUOTES: Final = (b'"', b"`")
_STRING_STARTS: Final = (b"'", b"e")
_TAG: Final = re.compile(rb"\$(?:[^\W\d]\w*)?\$")
# A client statement: its argument ends statements and is no quote.
_DELIMITER: Final = re.compile(rb"^[ \t]*delimiter\b", re.MULTILINE)
# Rows of data: after `VALUES`, and between `COPY` and its end line.
_FLAT: Final = rb"\([^()]*+\)"
_NESTED: Final = rb"\([^()]*+(?:%b[^()]*+|(?!))*+\)"
_ROW: Final = _NESTED % (_NESTED % _FLAT)
_ROWS: Final = re.compile(rb"values(?<!\wvalues)\s*(?:%b\s*,?\s*|(?!))++" % _ROW)
_COPY: Final = re.compile(rb"stdin(?<!\wstdin)\b[^;\n]*;[^\n]*")
_END_OF_COPY: Final = b"\n\\."
_LINE_FEED: Final = ord("\n")
_BLANKS: Final = bytes(byte if byte == _LINE_FEED else ord(" ") for byte in range(256))
# A string is replaced by quotes, so it stays a value and is no name.
_QUOTES: Final = bytes(byte if byte == _LINE_FEED else ord("'") for byte in range(256))


class Shadow(NamedTuple):
    """Two copies of one text in lower case, and what was removed from both."""

    code: bytes  # without strings and comments
    outline: bytes  # also without quoted bodies of functions
    comments: list[tuple[int, int]]


def shadow_of(data: bytes) -> Shadow:
    """Blank everything that is not SQL."""
    comments: list[tuple[int, int]] = []
    data = _without_copied_rows(data.lower())

    def blot(found: re.Match[bytes]) -> bytes:
        text = found[0]
        if text.startswith(_NAME_QUOTES):
            return text
        if text.startswith(_STRING_STARTS):
            return text.translate(_QUOTES)
        comments.append(found.span())
        return text.translate(_BLANKS)

    code = (_HIDDEN_IN_MYSQL if _is_mysql(data) else _HIDDEN).sub(blot, data)
    if b"insert" in code:
        code = _ROWS.sub(_as_value, code)
    outline = code
    if b"$" in code and not (b"delimiter" in code and _DELIMITER.search(code)):
        outline = _without_bodies(code)
    return Shadow(code, outline, comments)


def _is_mysql(data: bytes) -> bool:
    has_backticks = b"`" in data and _BACKTICKS.search(data) is not None
    return has_backticks or _ENGINE.search(data) is not None


def _without_copied_rows(data: bytes) -> bytes:
    """Blank the rows after `COPY … FROM STDIN;`, which contain no blank line."""
    pieces: list[bytes] = []
    end = 0
    for head in _COPY.finditer(data) if _END_OF_COPY in data else ():
        start = head.end()
        rows_end = data.find(_END_OF_COPY, start)
        if start >= end and rows_end >= 0 and data.find(b"\n\n", start, rows_end) < 0:
            pieces += [data[end:start], data[start:rows_end].translate(_BLANKS)]
            end = rows_end
    return b"".join([*pieces, data[end:]])


def _as_value(found: re.Match[bytes]) -> bytes:
    return found[0].translate(_QUOTES)


def _without_bodies(code: bytes) -> bytes:
    """Blank the text between two equal tags: `$body$ … $body$`."""
    tags = [(found[0], found.start(), found.end()) for found in _TAG.finditer(code)]
    closing: dict[bytes, list[int]] = {}
    for position in range(len(tags) - 1, -1, -1):
        closing.setdefault(tags[position][0], []).append(position)
    pieces: list[bytes] = []
    end = opened = 0
    while opened < len(tags):
        tag, start, _ = tags[opened]
        while closing[tag] and closing[tag][-1] <= opened:
            closing[tag].pop()
        if not closing[tag]:  # an unclosed pair
            opened += 1
            continue
        closed = closing[tag][-1]
        pieces += [code[end:start], code[start : tags[closed][2]].translate(_QUOTES)]
        end, opened = tags[closed][2], closed + 1
    return b"".join([*pieces, code[end:]])
