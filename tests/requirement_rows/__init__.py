"""The shape of the rows of `tests/requirements.py`: sentences, grouped by where they come from."""

from enum import StrEnum
from typing import NamedTuple


class Capability(StrEnum):
    """What a later issue brings, and with it the tests of the rows that wait for it."""

    SEARCH = "search"
    MCP_SERVER = "MCP server"
    SEMANTIC = "semantic search"
    BENCHMARKS = "latency benchmarks"


class Group(NamedTuple):
    """Requirements of one source; without `later` each owes a test now."""

    source: str
    later: Capability | None
    sentences: dict[str, str]
