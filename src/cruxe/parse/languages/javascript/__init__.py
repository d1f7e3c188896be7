"""JavaScript and JSX."""

from cruxe.parse.language import Language
from cruxe.parse.languages.javascript.rules import JavaScriptRules

LANGUAGE = Language(
    name="javascript",
    aliases=("ecmascript", "node", "nodejs"),
    extensions=(".js", ".jsx", ".mjs", ".cjs"),
    interpreters=("node", "nodejs", "bun"),
    grammar="tree_sitter_javascript:language",
    queries=("shared.scm", "queries.scm", "jsx.scm"),
    wrappers=frozenset({"export_statement"}),
    rules=JavaScriptRules(),
)
