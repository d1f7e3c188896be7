"""reStructuredText: sections, compared without the marks of inline markup."""

import re

from benchmarks.suites.quality.parsing.differences import Table

_MARKS = str.maketrans("", "", "`*\\[]")
_TARGET = re.compile(r"<[^<>]*>|\(\S*?\)|#\d+$|\s#+$")


def plain_title(name: str) -> str:
    """A title without marks, targets of links and doubled spaces."""
    return " ".join(_TARGET.sub("", name).translate(_MARKS).split())


TABLE = Table(
    ctags_language="ReStructuredText",
    kinds=frozenset({"chapter", "section", "subsection", "subsubsection"}),
    plain_name=plain_title,
)
