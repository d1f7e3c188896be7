"""The answer of `health_check` in a server: what it says of itself, from what is known already.

Nothing here takes long: the thorough checks are made once, while warming up.
"""

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

import cruxe
from cruxe.freshness.watcher_heartbeat import Knowledge
from cruxe.hosting.prewarm import PrewarmState
from cruxe.model.errors import EngineError
from cruxe.model.levels import FreshnessStatus, SchemaStatus
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import Shortening
from cruxe.store.open import required_version
from cruxe.tools.index_status import job_report
from cruxe.tools.semantic_report import semantic_answer
from cruxe.tools.store_state import StoreState, look_at_store
from cruxe.workspace.targets import resolve_target

if TYPE_CHECKING:
    from cruxe.contract.report_parts import (
        CurrentJobFields,
        GrammarReport,
        PrewarmFields,
        ProjectHealth,
        ServerStatus,
        StoreFields,
        WatcherReport,
    )
    from cruxe.contract.results import ServerHealth
    from cruxe.hosting.hosted_workspace import Served

# The worst of all projects is the server's own.
_WORST_FIRST: Final[tuple["ServerStatus", ...]] = ("error", "warming", "indexing", "ready")
_USABLE: Final = (SchemaStatus.COMPATIBLE, SchemaStatus.NOT_INDEXED)


class ServerFacts(NamedTuple):
    """What a server is beyond the workspace that is asked about."""

    uptime_seconds: float
    capacity: int
    is_discovering: bool
    members: "list[Served]"  # those that are open, the latest last
    reported: "list[Served]"  # those that the answer is about


def health_answer(served: "Served", facts: ServerFacts) -> "ServerHealth":
    """The health of a server, seen from one of its workspaces."""
    states = [look_at_store(each.context) for each in facts.reported]
    projects = [_project(*each) for each in zip(facts.reported, states, strict=True)]
    state = states[facts.reported.index(served)]
    statuses = {project["status"] for project in projects}
    members = [each.context.workspace.root for each in facts.members]
    answer: ServerHealth = {
        "status": next(status for status in _WORST_FIRST if status in statuses),
        "version": cruxe.__version__,
        "uptime_seconds": round(facts.uptime_seconds, 1),
        **_stores(served, state),
        **_prewarm(served),
        "watcher": _watcher(served),
        "grammars": _grammars(),
        **_current_job(state),
        "startup_checks": state.startup_checks,
        "workspace_warmset": {
            "enabled": facts.is_discovering,
            "capacity": facts.capacity,
            "members": members,
        },
        **semantic_answer(served.context),
        "projects": projects,
        "metadata": _metadata(served, state).to_mapping(),
    }
    max_bytes = served.context.settings.search.max_response_bytes
    shortening = Shortening(answer, answer["metadata"], max_bytes)
    shortening.cut_list(projects)
    shortening.cut_list(members)
    return answer


def _current_job(state: StoreState) -> "CurrentJobFields":
    jobs = job_report(state.jobs)
    fields: CurrentJobFields = {}
    if "active_job" in jobs:
        fields["active_job"] = jobs["active_job"]
    if "interrupted_recovery_report" in jobs:
        fields["interrupted_recovery_report"] = jobs["interrupted_recovery_report"]
    return fields


def _stores(served: "Served", state: StoreState) -> "StoreFields":
    """Whether both stores can be read; `sqlite_check` says how closely it was looked at."""
    is_checked = served.prewarm.state is PrewarmState.COMPLETE
    answer: StoreFields = {
        "tantivy_ok": state.lexical_problem is None,
        "sqlite_ok": state.database_problem is None,
        "sqlite_check": "quick_check" if is_checked else "opened",
    }
    if state.lexical_problem is not None:
        answer["tantivy_error"] = state.lexical_problem
    if state.database_problem is not None:
        answer["sqlite_error"] = state.database_problem
    return answer


def _prewarm(served: "Served") -> "PrewarmFields":
    prewarm = served.prewarm
    answer: PrewarmFields = {"prewarm_status": prewarm.state.value}
    if prewarm.problem is not None:
        answer["prewarm_error"] = prewarm.problem
    return answer


def _watcher(served: "Served") -> "WatcherReport":
    watching = served.watching
    answer: WatcherReport = {"status": watching.state.value}
    if watching.problem is not None:
        answer["problem"] = watching.problem
    return answer


def _grammars() -> "GrammarReport":
    """The languages whose grammar is installed; loading them all would cost memory for nothing."""
    from cruxe.parse.languages import registry

    languages = [each for each in registry().languages if each.grammar]
    available = {each.name: _is_installed(each.grammar) for each in languages}
    return {
        "available": [name for name, is_there in available.items() if is_there],
        "missing": [name for name, is_there in available.items() if not is_there],
    }


@cache
def _is_installed(grammar: str) -> bool:
    return find_spec(grammar.partition(":")[0]) is not None


def _project(served: "Served", state: StoreState) -> "ProjectHealth":
    answer: ProjectHealth = {
        "project_id": served.context.workspace.repository_id,
        "repo_root": served.context.workspace.root,
        "status": _status(served, state),
        "index_status": state.index_status,
        "schema_status": state.schema,
        "current_schema_version": state.current_version,
        "required_schema_version": required_version(),
    }
    if state.row is not None:
        answer["ref"] = state.row.branch or (state.row.commit_id or "live")
        answer["last_indexed_at_ns"] = state.row.indexed_at_ns
        answer["file_count"] = state.row.file_count
    freshness = _freshness(served, state)
    if freshness is not None:
        answer["freshness_status"] = freshness
    return answer


def _status(served: "Served", state: StoreState) -> "ServerStatus":
    is_damaged = state.schema not in _USABLE or served.prewarm.state is PrewarmState.FAILED
    if is_damaged or state.database_problem is not None or state.lexical_problem is not None:
        return "error"
    if served.prewarm.state is PrewarmState.WARMING:
        return "warming"
    is_indexing = state.is_writing or served.background.current is not None
    return "indexing" if is_indexing else "ready"


def _freshness(served: "Served", state: StoreState) -> FreshnessStatus | None:
    """What is known without comparing files; nothing where that would be needed."""
    if state.is_writing:
        return FreshnessStatus.SYNCING
    if state.row is None or not state.is_same_head:
        return FreshnessStatus.STALE
    known = served.watching.look(state.row)
    if known is Knowledge.UNKNOWN:
        return None
    return FreshnessStatus.FRESH if known is Knowledge.FRESH else FreshnessStatus.STALE


def _metadata(served: "Served", state: StoreState) -> Metadata:
    try:
        shown = resolve_target(served.context.workspace, None).shown
    except EngineError:  # its git folder is damaged, which other fields tell
        shown = ""
    if state.schema is not SchemaStatus.COMPATIBLE:
        is_first = state.schema is SchemaStatus.NOT_INDEXED and state.is_writing
        return Metadata.syncing(shown) if is_first else Metadata.of_schema(shown, state.schema)
    is_fresh = _freshness(served, state) is FreshnessStatus.FRESH
    return Metadata.ready(shown, is_fresh=is_fresh)
