"""Statements that define something: their offsets, names and ends."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cruxe.model.symbols import SymbolKind
from cruxe.parse.languages.sql.names import NAME, Span

_KINDS: Final = {
    b"table": SymbolKind.STRUCT,
    b"view": SymbolKind.STRUCT,
    b"type": SymbolKind.STRUCT,
    b"domain": SymbolKind.TYPE_ALIAS,
    b"synonym": SymbolKind.TYPE_ALIAS,
    b"index": SymbolKind.VARIABLE,
    b"sequence": SymbolKind.VARIABLE,
    b"policy": SymbolKind.VARIABLE,
    b"function": SymbolKind.FUNCTION,
    b"procedure": SymbolKind.FUNCTION,
    b"proc": SymbolKind.FUNCTION,
    b"aggregate": SymbolKind.FUNCTION,
    b"trigger": SymbolKind.FUNCTION,
    b"event": SymbolKind.FUNCTION,
    b"schema": SymbolKind.MODULE,
    b"database": SymbolKind.MODULE,
    b"package": SymbolKind.MODULE,
}
_KIND_WORDS: Final = rb"(?:%b)\b" % b"|".join(_KINDS)
# Words allowed between `CREATE` and the kind of object, in any dialect. Other words
# there make another statement: `CREATE PUBLICATION all FOR TABLE teas`.
_MODIFIERS: Final = (
    rb"(?:(?:or|replace|alter|global|local|temp|temporary|unlogged|external|foreign|virtual|unique"
    rb"|(?:non)?clustered|columnstore|fulltext|spatial|bitmap|materialized|recursive|constraint"
    rb"|(?:non)?editionable|aggregate|public|private|default|no|force|transient|dynamic|secure"
    rb"|multiset|set|volatile|sql|security|definer|invoker|\w+\s*=\s*\S+)\s+)*"
)
_CREATE: Final = re.compile(
    rb"create(?<!\wcreate)\s+%b(%b)\s+(?:body\s+)?(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?"
    rb"(?!(?:on|authorization|trigger)\b)(%b)" % (_MODIFIERS, _KIND_WORDS, NAME)
)
_CALLABLE: Final = frozenset({b"function", b"procedure", b"proc", b"trigger", b"event", b"package"})
# A statement ends at its semicolon, or before a word that can only begin another.
_END: Final = re.compile(
    rb";|^[ \t]*(?:go|/)[ \t]*\r?$|^delimiter\b|^(?=(?:create|alter|insert|drop)\s)", re.MULTILINE
)
_BLOCK: Final = re.compile(
    rb"\b(?:begin|case)\b|\bend\b(?:[ \t]+(?:if|loop|while|repeat|for)\b)?"
    rb"|^[ \t]*go[ \t]*\r?$|^create\s|;",
    re.MULTILINE,
)


class Statement(NamedTuple):
    """One `CREATE` statement, by offsets."""

    kind: SymbolKind
    word: bytes  # `table`
    start: int
    end: int
    name: Span


def statements(outline: bytes) -> Iterator[Statement]:
    """Yield all `CREATE` statements in file order."""
    position = 0
    while found := _CREATE.search(outline, position):
        word, position = found[1], found.end()
        if word == b"schema":  # it may contain further statements
            line_end = outline.find(b"\n", position)
            end = statement_end(outline, position, line_end if line_end > 0 else len(outline))
        else:
            end = _block_end(outline, position) if word in _CALLABLE else 0
            position = end = end or statement_end(outline, position, len(outline))
        yield Statement(
            kind=_KINDS[word], word=word, start=found.start(), end=end, name=found.span(2)
        )


def statement_end(outline: bytes, start: int, limit: int) -> int:
    """Return the offset past a statement's semicolon, or its last character before a limit."""
    found = _END.search(outline, start, limit)
    if found is not None and found[0] == b";":
        return found.end()
    end = limit if found is None else found.start()
    return start + len(outline[start:end].rstrip())


def query_end(outline: bytes, start: int, limit: int) -> int:
    """Return the offset past a query's semicolon, or its last character before a limit."""
    end = outline.find(b";", start, limit)
    return end + 1 if end >= 0 else start + len(outline[start:limit].rstrip())


def _block_end(outline: bytes, start: int) -> int:
    """Return the offset past the `END` of a `BEGIN` … `END` body; 0 if there is none."""
    depth = 0
    for found in _BLOCK.finditer(outline, start):
        word = found[0]
        if word in (b"begin", b"case"):
            depth += 1
        elif word == b"end":
            depth -= 1
            if depth == 0:
                return _with_semicolon(outline, found.end())
        elif word.startswith(b"create") or (depth == 0 and not word.startswith(b"end")):
            return 0
    return 0


def _with_semicolon(outline: bytes, end: int) -> int:
    found = re.compile(rb"[ \t]*(?:\w+[ \t]*)?;").match(outline, end)
    return end if found is None else found.end()
