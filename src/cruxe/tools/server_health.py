"""The tool `health_check` in a server, answered from state that is already known.

It must be fast: the thorough checks run once, during prewarm.
"""

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from cruxe.freshness.watcher import Knowledge
from cruxe.model.errors import EngineError
from cruxe.model.levels import FreshnessStatus, SchemaStatus
from cruxe.model.stored import StorePart
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import Shortening
from cruxe.store.open import open_store, required_version
from cruxe.tools.host_state import HostedProject, HostState, PrewarmState
from cruxe.tools.index_status import job_report
from cruxe.tools.semantic_report import semantic_answer
from cruxe.tools.store_state import StoreState, look_at_store, repairing_actions
from cruxe.version import __version__
from cruxe.workspace.context import resolve_target

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

# The status of the server is the worst one of its projects.
_WORST_FIRST: Final[tuple["ServerStatus", ...]] = ("error", "warming", "indexing", "ready")
_USABLE: Final = (SchemaStatus.COMPATIBLE, SchemaStatus.NOT_INDEXED)


def server_health(host: HostState) -> "ServerHealth":
    """Return the health of a server, as seen from one of its workspaces."""
    asked = host.asked
    states = [look_at_store(each.context) for each in host.reported]
    projects = [_project(*each) for each in zip(host.reported, states, strict=True)]
    state = states[host.reported.index(asked)]
    statuses = {project["status"] for project in projects}
    members = list(host.members)
    answer: ServerHealth = {
        "status": next(status for status in _WORST_FIRST if status in statuses),
        "version": __version__,
        "uptime_seconds": round(host.uptime_seconds, 1),
        **_stores(asked, state),
        **_prewarm(asked),
        "watcher": _watcher(asked),
        "grammars": _grammars(),
        **_current_job(state),
        "startup_checks": state.startup_checks,
        "workspace_warmset": {
            "enabled": host.is_discovering,
            "capacity": host.capacity,
            "members": members,
        },
        **semantic_answer(asked.context),
        "projects": projects,
        "metadata": _metadata(asked, state).to_mapping(),
    }
    if actions := repairing_actions(state.schema, state.problems):
        answer["suggested_next_actions"] = actions
    max_bytes = asked.context.settings.search.max_response_bytes
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


def _stores(project: HostedProject, state: StoreState) -> "StoreFields":
    """Return what is known of each part; `sqlite_check` names how thorough the check was."""
    problems = state.problems
    answer: StoreFields = {
        "tantivy_ok": StorePart.LEXICAL not in problems,
        "sqlite_ok": StorePart.DATABASE not in problems,
        "vectors_ok": StorePart.VECTORS not in problems,
        "sqlite_check": "verified" if project.is_verified else "opened",
    }
    if StorePart.LEXICAL in problems:
        answer["tantivy_error"] = problems[StorePart.LEXICAL]
    if StorePart.DATABASE in problems:
        answer["sqlite_error"] = problems[StorePart.DATABASE]
    if StorePart.VECTORS in problems:
        answer["vectors_error"] = problems[StorePart.VECTORS]
    return answer


def _prewarm(project: HostedProject) -> "PrewarmFields":
    answer: PrewarmFields = {"prewarm_status": project.prewarm.value}
    if project.prewarm_problem is not None:
        answer["prewarm_error"] = project.prewarm_problem
    return answer


def _watcher(project: HostedProject) -> "WatcherReport":
    answer: WatcherReport = {"status": project.watcher}
    if project.watcher_problem is not None:
        answer["problem"] = project.watcher_problem
    return answer


def _grammars() -> "GrammarReport":
    """Return which grammars are installed, without loading them, which would cost memory."""
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


def _project(project: HostedProject, state: StoreState) -> "ProjectHealth":
    answer: ProjectHealth = {
        "project_id": project.context.workspace.repository_id,
        "repo_root": project.context.workspace.root,
        "status": _status(project, state),
        "index_status": state.index_status,
        "schema_status": state.schema,
        "current_schema_version": state.current_version,
        "required_schema_version": required_version(),
    }
    if state.row is not None:
        answer["ref"] = state.row.branch or (state.row.commit_id or "live")
        answer["last_indexed_at_ns"] = state.row.indexed_at_ns
        answer["file_count"] = state.row.file_count
    freshness = _freshness(project, state)
    if freshness is not None:
        answer["freshness_status"] = freshness
    return answer


def _status(project: HostedProject, state: StoreState) -> "ServerStatus":
    has_failed = project.prewarm is PrewarmState.FAILED
    if state.schema not in _USABLE or has_failed or state.problems:
        return "error"
    if project.prewarm is PrewarmState.WARMING:
        return "warming"
    is_indexing = state.is_writing or project.is_indexing
    return "indexing" if is_indexing else "ready"


def _freshness(project: HostedProject, state: StoreState) -> FreshnessStatus | None:
    """Return the freshness that is known without comparing files, else None."""
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
    except EngineError:  # the git folder is damaged; other fields report it
        shown = ""
    if state.schema is not SchemaStatus.COMPATIBLE:
        is_first = state.schema is SchemaStatus.NOT_INDEXED and state.is_writing
        return Metadata.syncing(shown) if is_first else Metadata.of_schema(shown, state.schema)
    known = _freshness(project, state)
    is_fresh = _is_fresh(project) if known is None else known is FreshnessStatus.FRESH
    return Metadata.ready(shown, is_fresh=is_fresh)


def _is_fresh(project: HostedProject) -> bool:
    """Return what an answer would say, while no watcher vouches."""
    check = project.check(resolve_target(project.context.workspace, None))
    with open_store(project.context.location).snapshot() as snapshot:
        return check.is_fresh(snapshot)
