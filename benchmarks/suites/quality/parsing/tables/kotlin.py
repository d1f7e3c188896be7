"""Kotlin: ctags lists lambdas, their parameters, and what functions keep to themselves."""

from benchmarks.suites.quality.parsing.differences import (
    Rule,
    Table,
    both,
    is_of,
    line_lacks,
    local_value,
)
from benchmarks.suites.quality.parsing.syntax import is_in_node

_is_in_code = is_in_node("lambda_literal", "anonymous_initializer", "getter", "setter")
_lacks_function = line_lacks(r"\bfun\b(?:\s*<.*?>)?\s+(?:[\w<>?,.* ]+\.)?`?NAME\b")

TABLE = Table(
    ctags_language="Kotlin",
    kinds=frozenset({"class", "constant", "interface", "method", "object", "typealias"}),
    plain_name=str.strip,
    rules=(
        Rule("lambda", "a lambda has no name", lambda miss: miss.tag.name.startswith("<")),
        local_value("constant"),
        Rule(
            "value of a lambda",
            "variables and constants of lambdas and initialisers are no symbols",
            both(
                is_of("constant"),
                is_in_node("lambda_literal", "anonymous_initializer", "getter", "setter"),
            ),
        ),
        Rule(
            "parameter",
            "ctags takes the parameters of lambdas and loops for methods",
            both(
                is_of("method"), line_lacks(r"\bfun\b(?:\s*<.*?>)?\s+(?:[\w<>?,.* ]+\.)?`?NAME\b")
            ),
        ),
    ),
)
