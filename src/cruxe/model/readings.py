"""Reading source: which part of which file, and what stands there now."""

from typing import NamedTuple

from cruxe.model.hits import StoredSymbol


class PathPlace(NamedTuple):
    """A place as `path`, `path:line` or `path:first-last` names it; lines count from one."""

    path: str
    first: int | None = None  # absent: the whole file
    last: int | None = None  # absent: whatever is around the first line


class Budget(NamedTuple):
    """How much source an answer may hold."""

    max_tokens: int  # of the source
    max_bytes: int  # of the source
    max_answer_bytes: int


class Reading(NamedTuple):
    """A symbol or region with its text."""

    path: str
    language: str
    line_start: int
    line_end: int
    lines: list[str]  # without secrets
    symbol: StoredSymbol | None = None
    symbol_id: str = ""  # empty for a symbol that is not in the index yet
    parent: StoredSymbol | None = None
    match: str = ""  # how a name was found
