"""JavaScript: ctags calls objects classes, and lists what blocks and callbacks keep inside."""

from typing import Final

from benchmarks.suites.quality.parsing.differences import Rule, Table, both, is_of, line_matches
from benchmarks.suites.quality.parsing.syntax import is_in_node

is_in_block = is_in_node(
    *("statement_block", "arrow_function", "for_statement", "for_in_statement", "switch_body"),
    unless_in=("internal_module", "module", "ambient_declaration"),
)
LOCAL: Final = Rule(
    "local value",
    "variables and constants of functions, loops and blocks are no symbols",
    both(is_of("constant", "class", "variable"), is_in_block),
)
IMPORTED: Final = Rule(
    "import",
    "a name bound to another module is an import, no definition",
    line_matches(r"\bNAME\b.*(?:=\s*(?:await\s+)?(?:require|import)\(|\}\s*from\b)"),
)
INNER_NAME: Final = Rule(
    "inner name",
    "a function or class expression is called by what it is bound to, not by its inner name",
    line_matches(r"[:=(,]\s*(?:async\s+)?(?:function\*?|class)\s+NAME\b"),
)

TABLE = Table(
    ctags_language="JavaScript",
    kinds=frozenset({"class", "constant", "function", "generator", "getter", "method", "setter"}),
    rules=(
        LOCAL,
        IMPORTED,
        Rule(
            "object",
            "ctags calls an object a class; an object that a property holds is no symbol",
            both(
                is_of("class"),
                line_matches(r"(?:\.NAME|\bNAME\s*\]?|['\"]NAME['\"])\s*[:=]\s*(?:\{|new\b|$)"),
            ),
        ),
        Rule(
            "seen again",
            "ctags lists a class or function again where its prototype is given a member",
            line_matches(r"\bNAME\.prototype\b"),
        ),
        Rule(
            "whole module",
            "`module.exports = …` is the module's default export, no symbol named `exports`",
            line_matches(r"\bmodule\.exports\s*=|^\s*exports\s*="),
        ),
        INNER_NAME,
        Rule(
            "computed name",
            "ctags names a member that is given by a computed name after its object",
            line_matches(r"\bNAME\s*\["),
        ),
        Rule(
            "value on a prototype",
            "ctags calls every member of a prototype a method; plain values are none",
            both(is_of("method"), line_matches(r"\.prototype\.NAME\s*=\s*(?!function|async|\()")),
        ),
        Rule(
            "called, not defined",
            "ctags takes a call or an attribute for a definition",
            line_matches(r"\.NAME\(|\bNAME=\{|^(?!.*\bNAME\b)"),
        ),
    ),
)
