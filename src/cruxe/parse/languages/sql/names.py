"""Names in SQL: quoted in the manner of any dialect, with the schema before them."""

import re
from typing import Final

# No dialect allows longer names.
_QUOTED: Final = rb"\"[^\"\n]{1,128}\"|`[^`\n]{1,128}`|\[[^\[\]\n]{1,128}\]"
PART: Final = rb"(?:%b|[\w$@#\x80-\xff]+)" % _QUOTED
NAME: Final = rb"%b(?:[ \t]*\.[ \t]*%b){0,3}" % (PART, PART)
_LAST_PART: Final = re.compile(rb"(?:[ \t]*\.[ \t]*)?(%b)\Z" % PART)
_OPENING_QUOTES: Final = b'"`['
_QUOTES: Final = '"`[] \t'

Span = tuple[int, int]


def split_span(data: bytes, span: Span) -> tuple[Span, Span | None]:
    """Return the last part of a name, and the part before its dot or None."""
    start, end = span
    last = _LAST_PART.search(data[start:end])
    if last is None or last.start() == 0:
        return inside_quotes(data, span), None
    return inside_quotes(data, (start + last.start(1), end)), (start, start + last.start())


def inside_quotes(data: bytes, span: Span) -> Span:
    """Return the span of a name without its quotes."""
    start, end = span
    return (start + 1, end - 1) if data[start : start + 1] in _OPENING_QUOTES else span


def unquoted_name(text: str) -> str:
    """Return the parts of a name without quotes, joined by dots."""
    return ".".join([part.strip(_QUOTES) for part in text.split(".")])
