"""TypeScript: JavaScript's rules plus types."""

from cruxe.parse.language import Language
from cruxe.parse.languages.typescript.rules import TypeScriptRules

LANGUAGE = Language(
    name="typescript",
    extensions=(".ts", ".mts", ".cts"),
    interpreters=("deno", "ts-node", "tsx"),
    grammar="tree_sitter_typescript:language_typescript",
    queries=("../javascript/shared.scm", "queries.scm"),
    wrappers=frozenset({"export_statement", "ambient_declaration"}),
    leading=frozenset({"decorator"}),
    rules=TypeScriptRules(),
)
