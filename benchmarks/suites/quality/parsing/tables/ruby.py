"""Ruby: ctags lists a writer beside the reader of an attribute."""

from benchmarks.suites.quality.parsing.differences import Rule, Table, both, is_of, line_matches


def _without_equals(name: str) -> str:
    """`size` of `size=`: both of `attr_accessor :size` are one symbol to us."""
    return name.removesuffix("=") if name[:1].isalpha() or name[:1] == "_" else name


TABLE = Table(
    ctags_language="Ruby",
    kinds=frozenset(
        {"accessor", "alias", "class", "constant", "method", "module", "singletonMethod"}
    ),
    rules=(
        Rule(
            "compared constant",
            "ctags takes a constant that is compared for one that is assigned",
            both(is_of("constant"), line_matches(r"\bNAME\s*(?:==|=~|=>)")),
        ),
        Rule(
            "cut name",
            "ctags cuts a name at `?`, `!`, `.` or `#{`; we have it whole",
            line_matches(r"\bNAME(?:[?!.]|#\{)"),
        ),
    ),
    plain_name=_without_equals,
)
