"""Python: ctags calls functions of a class members, and assignments variables."""

import re

from benchmarks.suites.quality.parsing.differences import (
    Miss,
    Rule,
    Table,
    both,
    is_of,
    local_value,
)


def _is_in_loop(miss: Miss) -> bool:
    """Whether a `for` or `while` of the module is around the line."""
    depth = _indentation(miss.line_text())
    for offset in range(-1, -miss.tag.line, -1):
        text = miss.line_text(offset)
        if text.strip() and _indentation(text) < depth:
            depth = _indentation(text)
            if re.match(r"\s*(?:async for|for|while)\b", text):
                return True
        if depth == 0:
            return False
    return False


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip())


TABLE = Table(
    ctags_language="Python",
    kinds=frozenset({"class", "function", "member", "variable"}),
    rules=(
        local_value("variable"),
        Rule(
            "assigned in a loop",
            "what a module's loop assigns is a step of its work; blocks that only choose do define",
            both(is_of("variable"), _is_in_loop),
        ),
    ),
)
