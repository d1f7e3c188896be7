"""SQL."""

from benchmarks.suites.quality.parsing.differences import Table

TABLE = Table(
    ctags_language="SQL",
    kinds=frozenset(
        {"domain", "event", "function", "index", "package", "procedure", "table", "trigger"}
        | {"view"}
    ),
)
