"""Go."""

from benchmarks.suites.quality.parsing.differences import Rule, Table, both, is_of, local_value
from cruxe.model.symbols import SymbolRole

TABLE = Table(
    ctags_language="Go",
    kinds=frozenset(
        {"const", "func", "interface", "methodSpec", "struct", "talias", "type", "var"}
    ),
    rules=(
        Rule(
            "blank name",
            "`_` defines nothing that could be named",
            lambda miss: miss.tag.name == "_",
        ),
        local_value("const", "var"),
        Rule(
            "statement in a value",
            "ctags goes on listing variables in the function literals of a `var ( … )` block",
            both(is_of("var"), lambda miss: miss.is_inside(SymbolRole.VALUE)),
        ),
    ),
)
