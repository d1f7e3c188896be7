"""The answer of `health_check` in a server: what it says of itself, from what is known already.

Nothing here takes long: the thorough checks are made once, while warming up.
"""

from functools import cache
from importlib.util import find_spec
from typing import Final

from cruxe.freshness.watcher_heartbeat import Knowledge
from cruxe.model.errors import EngineError
from cruxe.model.levels import FreshnessStatus, SchemaStatus
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import shorten_fields
from cruxe.store.open import required_version
from cruxe.tools.host_state import HostedProject, HostState, PrewarmState
from cruxe.tools.index_status import job_report
from cruxe.tools.semantic_report import semantic_answer
from cruxe.tools.store_state import StoreState, look_at_store
from cruxe.version import __version__
from cruxe.workspace.targets import resolve_target

Answer = dict[str, object]
# The worst of all projects is the server's own.
_WORST_FIRST: Final = ("error", "warming", "indexing", "ready")
_REPORTED_OF_JOBS: Final = ("active_job", "interrupted_recovery_report")
_USABLE: Final = (SchemaStatus.COMPATIBLE, SchemaStatus.NOT_INDEXED)


def server_health(host: HostState) -> Answer:
    """The health of a server, seen from one of its workspaces."""
    asked = host.asked
    states = [look_at_store(each.context) for each in host.reported]
    projects = [_project(*each) for each in zip(host.reported, states, strict=True)]
    state = states[host.reported.index(asked)]
    jobs = job_report(state.jobs)
    statuses = {project["status"] for project in projects}
    warmset: Answer = {
        "enabled": host.is_discovering,
        "capacity": host.capacity,
        "members": host.members,
    }
    answer: Answer = {
        "status": next(status for status in _WORST_FIRST if status in statuses),
        "version": __version__,
        "uptime_seconds": round(host.uptime_seconds, 1),
        **_stores(asked, state),
        **_prewarm(asked),
        "watcher": _watcher(asked),
        "grammars": _grammars(),
        **{name: jobs[name] for name in _REPORTED_OF_JOBS if name in jobs},
        "startup_checks": state.startup_checks,
        "workspace_warmset": warmset,
        **semantic_answer(asked.context),
        "projects": projects,
    }
    answer["metadata"] = _metadata(asked, state).to_mapping()
    fields = [(answer, "projects"), (warmset, "members"), (answer, "recent_jobs")]
    return shorten_fields(answer, fields, asked.context.settings.search.max_response_bytes)


def _stores(project: HostedProject, state: StoreState) -> Answer:
    """Whether both stores can be read; `sqlite_check` says how closely it was looked at."""
    is_checked = project.prewarm is PrewarmState.COMPLETE
    answer: Answer = {
        "tantivy_ok": state.lexical_problem is None,
        "sqlite_ok": state.database_problem is None,
        "sqlite_check": "quick_check" if is_checked else "opened",
    }
    if state.lexical_problem is not None:
        answer["tantivy_error"] = state.lexical_problem
    if state.database_problem is not None:
        answer["sqlite_error"] = state.database_problem
    return answer


def _prewarm(project: HostedProject) -> Answer:
    answer: Answer = {"prewarm_status": project.prewarm.value}
    if project.prewarm_problem is not None:
        answer["prewarm_error"] = project.prewarm_problem
    return answer


def _watcher(project: HostedProject) -> Answer:
    answer: Answer = {"status": project.watcher}
    if project.watcher_problem is not None:
        answer["problem"] = project.watcher_problem
    return answer


def _grammars() -> Answer:
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


def _project(project: HostedProject, state: StoreState) -> Answer:
    answer: Answer = {
        "project_id": project.context.workspace.repository_id,
        "repo_root": project.context.workspace.root,
        "status": _status(project, state),
        "index_status": state.index_status,
        "schema_status": state.schema.value,
        "current_schema_version": state.current_version,
        "required_schema_version": required_version(),
    }
    if state.row is not None:
        answer |= {
            "ref": state.row.branch or (state.row.commit_id or "live"),
            "last_indexed_at_ns": state.row.indexed_at_ns,
            "file_count": state.row.file_count,
        }
    freshness = _freshness(project, state)
    if freshness is not None:
        answer["freshness_status"] = freshness.value
    return answer


def _status(project: HostedProject, state: StoreState) -> str:
    is_damaged = state.schema not in _USABLE or project.prewarm is PrewarmState.FAILED
    if is_damaged or state.database_problem is not None or state.lexical_problem is not None:
        return "error"
    if project.prewarm is PrewarmState.WARMING:
        return "warming"
    is_indexing = state.is_writing or project.is_indexing
    return "indexing" if is_indexing else "ready"


def _freshness(project: HostedProject, state: StoreState) -> FreshnessStatus | None:
    """What is known without comparing files; nothing where that would be needed."""
    if state.is_writing:
        return FreshnessStatus.SYNCING
    if state.row is None or not state.is_same_head:
        return FreshnessStatus.STALE
    known = project.look_up(state.row)
    if known is Knowledge.UNKNOWN:
        return None
    return FreshnessStatus.FRESH if known is Knowledge.FRESH else FreshnessStatus.STALE


def _metadata(project: HostedProject, state: StoreState) -> Metadata:
    try:
        shown = resolve_target(project.context.workspace, None).shown
    except EngineError:  # its git folder is damaged, which other fields tell
        shown = ""
    if state.schema is not SchemaStatus.COMPATIBLE:
        is_first = state.schema is SchemaStatus.NOT_INDEXED and state.is_writing
        return Metadata.syncing(shown) if is_first else Metadata.of_schema(shown, state.schema)
    is_fresh = _freshness(project, state) is FreshnessStatus.FRESH
    return Metadata.ready(shown, is_fresh=is_fresh)
