"""Swift: modules from folders, extensions as scopes, access modifiers, doc comments."""

from cruxe.parse.language import Language
from cruxe.parse.languages.swift.predeclared import PREDECLARED
from cruxe.parse.languages.swift.rules import SwiftRules

LANGUAGE = Language(
    name="swift",
    extensions=(".swift",),
    interpreters=("swift",),
    grammar="tree_sitter_swift:language",
    rules=SwiftRules(),
    predeclared=PREDECLARED,
)
