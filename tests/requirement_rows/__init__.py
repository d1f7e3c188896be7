"""The shape of the rows of `tests/requirements.py`: sentences, grouped by where they come from."""

from enum import StrEnum
from typing import NamedTuple


class Capability(StrEnum):
    """Why a row has no test: what a later issue brings, or that benchmarks hold it."""

    SEARCH = "search"
    MCP_SERVER = "MCP server"
    SEMANTIC = "semantic search"
    BENCHMARKS = "a bar of benchmarks/"


class Group(NamedTuple):
    """Requirements of one source; without `later` each owes a test now."""

    source: str
    later: Capability | None
    sentences: dict[str, str]
