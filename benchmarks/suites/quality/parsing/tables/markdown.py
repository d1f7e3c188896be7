"""Markdown: sections."""

import re
from typing import Final

from benchmarks.suites.quality.parsing.differences import Table
from benchmarks.suites.quality.parsing.tables.rst import plain_title

# `{#anchor .class}` behind a title is no part of it; ctags keeps it.
_ATTRIBUTES: Final = re.compile(r"[ \t]*\{[#.][^{}]*\}\Z")


def _title(name: str) -> str:
    return plain_title(_ATTRIBUTES.sub("", name))


TABLE = Table(
    ctags_language="Markdown",
    kinds=frozenset(
        {"chapter", "l4subsection", "l5subsection", "section", "subsection", "subsubsection"}
    ),
    plain_name=_title,
)
