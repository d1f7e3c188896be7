"""TypeScript: the parser of ctags loses its way in expressions and lists what it meets there."""

from typing import Final

from benchmarks.suites.quality.parsing.differences import (
    Miss,
    Rule,
    Table,
    both,
    is_of,
    line_matches,
)
from benchmarks.suites.quality.parsing.tables.javascript import IMPORTED, INNER_NAME, LOCAL

# What a line holds that declares a name of each kind.
_DECLARATIONS: Final = {
    "alias": line_matches(r"\btype\s+NAME\b\s*(?:[<=]|$)"),
    "class": line_matches(r"\bclass\s+NAME\b"),
    "constant": line_matches(r"\b(?:const|readonly)\s+NAME\b(?!\[)"),
    "enum": line_matches(r"\benum\s+NAME\b"),
    "enumerator": line_matches(r"(?:^|[{,])\s*['\"]?NAME['\"]?\s*(?:[=,}]|//|$)"),
    "function": line_matches(r"\bfunction\s*\*?\s*NAME\b"),
    "interface": line_matches(r"\binterface\s+NAME\b"),
    "method": line_matches(r"^(?!\s*(?:new|if|for|catch|this)\b).*(?<!\.)\bNAME['\"]?\??\s*[(<:]"),
    "namespace": line_matches(r"\b(?:namespace|module)\s+['\"]?NAME\b"),
}
_REACH: Final = 8


def _is_no_declaration(miss: Miss) -> bool:
    declares = _DECLARATIONS.get(miss.tag.kind)
    return declares is not None and not declares(miss)


def _is_on_another_line(miss: Miss) -> bool:
    """Whether we have the name where its head begins, a few lines above."""
    lines = range(miss.tag.line - _REACH, miss.tag.line)
    return any(
        each.name == miss.tag.name and each.name_line in lines for each in miss.parsed.symbols
    )


TABLE = Table(
    ctags_language="TypeScript",
    kinds=frozenset(
        {"alias", "class", "constant", "enum", "enumerator", "function", "generator"}
        | {"interface", "method", "namespace"}
    ),
    rules=(
        Rule(
            "line of the bases",
            "ctags gives a type the line of its `extends`; we have it on the line of its name",
            both(is_of("class", "interface"), _is_on_another_line),
        ),
        LOCAL,
        IMPORTED,
        Rule(
            "type import",
            "`type A` inside the braces of an import or export names a type of elsewhere",
            both(is_of("alias"), line_matches(r"^\s*(?:(?:im|ex)port\b.*)?\btype NAME\b(?!.*=)")),
        ),
        INNER_NAME,
        Rule(
            "no declaration",
            "ctags takes a name or keyword inside an expression or type for a definition",
            _is_no_declaration,
        ),
    ),
)
