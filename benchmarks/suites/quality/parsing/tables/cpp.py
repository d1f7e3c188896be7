"""C++: as C, with tests that macros define."""

import re

from benchmarks.suites.quality.parsing.differences import (
    Miss,
    Rule,
    Table,
    both,
    is_of,
    line_matches,
)
from benchmarks.suites.quality.parsing.tables.c import CALLED_MACRO, INCLUDE_GUARD, UNDONE


def _plain_name(name: str) -> str:
    return "".join(name.split())


def _is_test(miss: Miss) -> bool:
    """Whether the name is of a test macro and we have the case that it defines."""
    is_macro = re.fullmatch(r"(?:TYPED_)?TEST(?:_[A-Z]+)*", miss.tag.name) is not None
    return is_macro and any(each.line_start == miss.tag.line for each in miss.parsed.symbols)


TABLE = Table(
    ctags_language="C++",
    kinds=frozenset(
        {"class", "enum", "enumerator", "function", "macro", "namespace", "struct", "typedef"}
        | {"union"}
    ),
    rules=(
        INCLUDE_GUARD,
        UNDONE,
        Rule(
            "test macro",
            "ctags names a test by the macro `TEST`, we by its case",
            both(is_of("function"), _is_test),
        ),
        CALLED_MACRO,
        Rule(
            "call in a macro",
            "ctags takes a call in a macro's arguments, or a macro behind a head, for a head",
            both(is_of("function"), line_matches(r"[A-Z_]{4,}\(.*\bNAME\(|\)\s*NAME\(")),
        ),
    ),
    plain_name=_plain_name,
)
