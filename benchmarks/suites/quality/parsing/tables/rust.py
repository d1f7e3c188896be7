"""Rust."""

from benchmarks.suites.quality.parsing.differences import (
    Rule,
    Table,
    both,
    is_of,
    line_matches,
    local_value,
)

TABLE = Table(
    ctags_language="Rust",
    kinds=frozenset(
        {"enum", "enumerator", "function", "interface", "macro", "method", "module", "struct"}
        | {"typedef", "variable"}
    ),
    rules=(
        local_value("variable"),
        Rule(
            "type after 'static",
            "ctags takes the lifetime `'static` for the keyword that begins a variable",
            both(is_of("variable"), line_matches(r"'static (?:mut )?NAME\b")),
        ),
    ),
)
