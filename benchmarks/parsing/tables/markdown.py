"""Markdown: sections."""

from benchmarks.parsing.differences import Table
from benchmarks.parsing.tables.rst import plain_title

TABLE = Table(
    ctags_language="Markdown",
    kinds=frozenset(
        {"chapter", "l4subsection", "l5subsection", "section", "subsection", "subsubsection"}
    ),
    plain_name=plain_title,
)
