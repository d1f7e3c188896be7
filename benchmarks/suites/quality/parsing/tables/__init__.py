"""One module a language: the kinds of ctags that count there, and the rules of difference.

A language without a module is not compared, for want of a parser in ctags that would tell.
"""

from importlib import import_module
from importlib.util import find_spec

from benchmarks.suites.quality.parsing.differences import Table


def load_table(language: str) -> Table | None:
    """The table of a language, if it has one."""
    name = f"{__name__}.{language}"
    if find_spec(name) is None:
        return None
    table: Table = import_module(name).TABLE
    return table
