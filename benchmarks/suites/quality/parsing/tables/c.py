"""C: what the preprocessor resolves is where ctags and a grammar part."""

import re
from typing import Final

from benchmarks.suites.quality.parsing.differences import Miss, Rule, Table, both, is_of

_UNDONE_WITHIN: Final = 40


def is_include_guard(miss: Miss) -> bool:
    """Whether the `#define` follows the `#ifndef` of the same name and gives no value."""
    if re.search(rf"#\s*define\s+{re.escape(miss.tag.name)}\s*(?:$|/)", miss.line_text()) is None:
        return False
    asked = rf"#\s*(?:ifndef\s+|if\s+!\s*defined\s*\(?\s*){re.escape(miss.tag.name)}\b"
    return any(re.search(asked, miss.line_text(-offset)) for offset in (1, 2, 3))


def is_undone(miss: Miss) -> bool:
    """Whether an `#undef` of the name follows soon."""
    undone = rf"#\s*undef\s+{re.escape(miss.tag.name)}\b"
    return any(re.search(undone, miss.line_text(offset)) for offset in range(_UNDONE_WITHIN))


def is_called_macro(miss: Miss) -> bool:
    """Whether the name begins its line and no type stands on the line before."""
    is_first = re.match(rf"[ \t]*{re.escape(miss.tag.name)}[ \t]*\(", miss.line_text())
    return (
        is_first is not None
        and re.fullmatch(r"\s*|.*[;}){,/\\]\s*|\s*#.*", miss.line_text(-1)) is not None
    )


INCLUDE_GUARD: Final = Rule(
    "include guard",
    "a macro that only keeps its header from being read twice is no symbol",
    both(is_of("macro"), is_include_guard),
)
UNDONE: Final = Rule(
    "undone macro",
    "a macro between the items of a list, undone right after it, is scaffolding",
    both(is_of("macro"), is_undone),
)
CALLED_MACRO: Final = Rule(
    "called macro",
    "ctags takes the call of a macro at the start of a line for the definition of a function",
    both(is_of("function"), is_called_macro),
)

TABLE = Table(
    ctags_language="C",
    kinds=frozenset({"enum", "enumerator", "function", "macro", "struct", "typedef", "union"}),
    rules=(INCLUDE_GUARD, UNDONE, CALLED_MACRO),
)
