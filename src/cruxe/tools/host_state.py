"""What a host knows beyond the store, passed to tools as values: prewarm, jobs, watcher."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from cruxe.freshness.check import FreshnessCheck
from cruxe.freshness.watcher import Knowledge
from cruxe.model.stored import RefRow
from cruxe.workspace.context import RepositoryContext, Target


class PrewarmState(StrEnum):
    """The state of prewarming."""

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
    check: Callable[[Target], FreshnessCheck]  # as an answer's, for what the watcher does not know
    is_verified: bool = False  # every byte of its store, since the server opened it


class HostState(NamedTuple):
    """A host, as seen from one of its workspaces."""

    uptime_seconds: float
    capacity: int  # maximum number of open workspaces
    is_discovering: bool  # it opens workspaces on demand
    members: list[str]  # the roots of the open workspaces, the latest last
    asked: HostedProject  # the workspace of the request
    reported: list[HostedProject]  # those that the answer describes; `asked` is one of them
