"""Lua: ctags takes whatever stands before the word `function` on a line for its name."""

from benchmarks.suites.quality.parsing.differences import Rule, Table, line_lacks
from benchmarks.suites.quality.parsing.syntax import is_in_node


def _last_part(name: str) -> str:
    return name.replace(":", ".").rpartition(".")[2]


TABLE = Table(
    ctags_language="Lua",
    kinds=frozenset({"function"}),
    rules=(
        Rule(
            "no declaration",
            "the word `function` on the line makes no function of this name",
            line_lacks(r"\bfunction\s+[\w.:]*?NAME\s*\(|[\w.]*\bNAME\s*=\s*function\b"),
        ),
        Rule(
            "option of a call",
            "a function in a table that is passed to a call, or under a computed key, has no name",
            is_in_node("arguments", "bracket_index_expression"),
        ),
    ),
    plain_name=_last_part,
)
