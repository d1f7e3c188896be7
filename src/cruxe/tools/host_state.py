"""What a host knows beside the store, given to tools as values: prewarm, jobs, watcher."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from cruxe.freshness.watcher_heartbeat import Knowledge
from cruxe.model.stored import RefRow
from cruxe.workspace.context import RepositoryContext


class PrewarmState(StrEnum):
    """How far warming up is."""

    PENDING = "pending"
    WARMING = "warming"
    COMPLETE = "complete"
    FAILED = "failed"
    SKIPPED = "skipped"


class HostedProject(NamedTuple):
    """One workspace that a host has open."""

    context: RepositoryContext
    prewarm: PrewarmState
    prewarm_problem: str | None
    watcher: str  # its state in one word
    watcher_problem: str | None
    is_indexing: bool  # in the background
    look_up: Callable[[RefRow], Knowledge]  # what the watcher knows of a published ref


class HostState(NamedTuple):
    """A host, seen from one of its workspaces."""

    uptime_seconds: float
    capacity: int  # how many workspaces may be open
    is_discovering: bool  # it opens workspaces on demand
    members: list[str]  # the roots of those that are open, the latest last
    asked: HostedProject  # the workspace that is asked about
    reported: list[HostedProject]  # those that the answer describes; `asked` is one of them
