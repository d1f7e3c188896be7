"""Kotlin: packages by header, visibility by modifier, extensions attached to their receiver."""

from cruxe.parse.language import Language
from cruxe.parse.languages.kotlin.rules import KotlinRules

# Types and literals that need no import, and implicit names of lambdas and accessors.
_PREDECLARED = frozenset(
    (
        *("Any", "Unit", "Nothing", "Boolean", "Byte", "Short", "Int", "Long", "Float", "Double"),
        *("Char", "String", "null", "true", "false", "it", "field"),
    )
)

LANGUAGE = Language(
    name="kotlin",
    extensions=(".kt", ".kts"),
    interpreters=("kotlin", "kotlinc"),
    grammar="tree_sitter_kotlin:language",
    rules=KotlinRules(),
    predeclared=_PREDECLARED,
)
