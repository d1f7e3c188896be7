"""TSX: TypeScript with JSX elements, which has its own grammar."""

from cruxe.parse.languages.typescript import LANGUAGE as TYPESCRIPT

LANGUAGE = TYPESCRIPT._replace(
    name="tsx",
    extensions=(".tsx",),
    interpreters=(),
    grammar="tree_sitter_typescript:language_tsx",
    queries=("../javascript/shared.scm", "../typescript/queries.scm", "../javascript/jsx.scm"),
)
