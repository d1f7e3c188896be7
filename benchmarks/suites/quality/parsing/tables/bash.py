"""Shell scripts: ctags reads strings, here-documents and arrays as code."""

from benchmarks.suites.quality.parsing.differences import Rule, Table, both, is_of, line_lacks

TABLE = Table(
    ctags_language="Sh",
    kinds=frozenset({"alias", "function"}),
    rules=(
        Rule(
            "array",
            "ctags takes an empty array for a function",
            lambda miss: miss.tag.name.endswith("="),
        ),
        Rule(
            "no declaration",
            "ctags takes words of a string or of another language's program for a definition",
            both(
                is_of("alias", "function"),
                line_lacks(
                    r"(?:^|[;&{(])\s*(?:function\s+)?NAME\s*\(\s*\)\s*(?:[{(#]|$)"
                    r"|\bfunction\s+NAME\s*(?:[{(]|$)|(?:^|[;&])\s*alias\s.*NAME="
                ),
            ),
        ),
    ),
)
