"""PHP."""

from benchmarks.suites.quality.parsing.differences import Rule, Table, both, is_of, line_lacks

TABLE = Table(
    ctags_language="PHP",
    kinds=frozenset({"class", "define", "function", "interface", "namespace", "trait"}),
    rules=(
        Rule(
            "namespace",
            "a namespace is part of the qualified names in it, no symbol of its own",
            is_of("namespace"),
        ),
        Rule(
            "no declaration",
            "ctags takes a word behind `::class` or `enum` for the name of a type",
            both(is_of("class"), line_lacks(r"\b(?:class|enum)\s+NAME\b")),
        ),
    ),
)
