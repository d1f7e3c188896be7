"""Java."""

from benchmarks.suites.quality.parsing.differences import Rule, Table, both, is_of, line_matches

TABLE = Table(
    ctags_language="Java",
    kinds=frozenset(
        {"annotation", "class", "enum", "enumConstant", "field", "interface", "method"}
    ),
    rules=(
        Rule(
            "annotation of an enum constant",
            "ctags takes an annotation before an enum constant for one",
            both(is_of("enumConstant"), line_matches(r"@(?:\w+\.)*NAME\b")),
        ),
        Rule(
            "argument of an enum constant",
            "ctags takes a call among the arguments of an enum constant for one",
            both(is_of("enumConstant"), line_matches(r"[(,]\s*NAME\(")),
        ),
        Rule(
            "default of an annotation",
            "ctags takes the default value of an annotation's member for a field",
            both(is_of("field"), line_matches(r"\bdefault .*NAME\b")),
        ),
    ),
)
