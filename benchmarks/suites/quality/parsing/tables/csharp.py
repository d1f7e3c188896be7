"""C#: ctags does not know members whose body is an expression, and takes their parameters."""

from benchmarks.suites.quality.parsing.differences import (
    Rule,
    Table,
    both,
    is_of,
    line_matches,
    local_value,
)


def _last_part(name: str) -> str:
    """`GetEvents` of `ICustomTypeDescriptor.GetEvents`, which implements an interface."""
    return name.rpartition(".")[2]


TABLE = Table(
    ctags_language="C#",
    kinds=frozenset(
        {"class", "enum", "enumerator", "event", "field", "interface", "method", "namespace"}
        | {"property", "struct"}
    ),
    rules=(
        Rule(
            "namespace",
            "a namespace is part of the qualified names in it, no symbol of its own",
            is_of("namespace"),
        ),
        Rule(
            "parameter",
            "ctags takes the last parameter of a member with `=>` for a field",
            both(is_of("field", "method", "property"), line_matches(r"[\w>\]?] NAME\)")),
        ),
        Rule(
            "constraint",
            "ctags takes a type in a `where` clause, or the call of a base, for a member",
            line_matches(r"\bwhere\b.*\bNAME\b|:\s*NAME\("),
        ),
        local_value("field"),
    ),
    plain_name=_last_part,
)
