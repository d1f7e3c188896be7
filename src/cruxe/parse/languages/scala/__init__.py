"""Scala 2 and 3: packages by clauses, visibility by modifier, extensions by receiver."""

from cruxe.parse.language import Language
from cruxe.parse.languages.scala.rules import ScalaRules

# Types that need no import, constructors, and the interpolators of the standard library.
_PREDECLARED = frozenset(
    (
        *("Any", "AnyRef", "AnyVal", "Boolean", "Byte", "Char", "Double", "Float", "Int", "Long"),
        *("Nothing", "Null", "Short", "String", "Unit", "None", "Some", "Nil", "this", "super"),
        *("s", "f", "raw", "?"),
    )
)

LANGUAGE = Language(
    name="scala",
    extensions=(".scala", ".sc", ".sbt"),
    interpreters=("scala", "amm", "scala-cli"),
    grammar="tree_sitter_scala:language",
    rules=ScalaRules(),
    predeclared=_PREDECLARED,
)
