"""AsciiDoc: sections."""

from benchmarks.suites.quality.parsing.differences import Rule, Table, line_lacks
from benchmarks.suites.quality.parsing.tables.rst import plain_title

TABLE = Table(
    ctags_language="Asciidoc",
    kinds=frozenset(
        {"chapter", "l4subsection", "l5subsection", "section", "subsection", "subsubsection"}
    ),
    rules=(
        Rule(
            "underlined by chance",
            "ctags takes the line above any delimiter for a title, whatever its length",
            line_lacks(r"^=+\s"),
        ),
    ),
    plain_name=plain_title,
)
