"""C: declarators, `static` linkage, tagged and typedef'ed types, macros."""

from cruxe.parse.language import Language
from cruxe.parse.languages.c.rules import CRules

LANGUAGE = Language(
    name="c",
    extensions=(".c", ".h"),
    grammar="tree_sitter_c:language",
    wrappers=frozenset({"linkage_specification"}),
    rules=CRules(),
)
