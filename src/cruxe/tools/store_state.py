"""A quick look at a store: whether this version can read it, and whether it is being written."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cruxe.freshness.check import comparable_ref
from cruxe.model.errors import EngineError, IndexIncompatibleError, IndexNotReadyError
from cruxe.model.jobs import JobRow, JobStatus
from cruxe.model.levels import SchemaStatus
from cruxe.model.stored import REPAIRABLE, RefRow, StorePart, damage_of
from cruxe.store.open import open_store, required_version
from cruxe.workspace.context import RepositoryContext, resolve_target

if TYPE_CHECKING:
    from cruxe.contract.report_parts import IndexState, SchemaCheck, StartupChecks
    from cruxe.contract.result_parts import SuggestedAction
    from cruxe.store.api import Snapshot

RECENT_JOBS = 5


class StoreState(NamedTuple):
    """The state of a working tree's store."""

    schema: SchemaStatus
    current_version: str | None = None  # of the store; None if there is no store
    message: str | None = None  # why it cannot be used
    problems: Mapping[StorePart, str] = {}
    row: RefRow | None = None  # the working tree as published
    is_same_head: bool = False  # the checked-out commit is the published one
    jobs: list[JobRow] = []  # noqa: RUF012 - never changed

    @property
    def is_writing(self) -> bool:
        """Whether a job is running, in this process or another."""
        return bool(self.jobs) and self.jobs[0].status == JobStatus.RUNNING

    @property
    def index_status(self) -> "IndexState":
        """The state in one word."""
        if self.schema not in (SchemaStatus.COMPATIBLE, SchemaStatus.NOT_INDEXED):
            return "not_ready"
        if self.row is not None:
            return "ready"
        return "indexing" if self.is_writing else "not_indexed"

    @property
    def startup_checks(self) -> "StartupChecks":
        """Whether this version can read the store, as in the answer."""
        return startup_checks(self.schema, self.current_version, self.message)


def startup_checks(
    schema: SchemaStatus, current_version: str | None, message: str | None
) -> "StartupChecks":
    """Report the store's schema version and the required one."""
    index: SchemaCheck = {
        "status": schema,
        "current_schema_version": current_version,
        "required_schema_version": required_version(),
    }
    if message is not None:
        index["message"] = message
    return {"index": index}


def repairing_actions(
    schema: SchemaStatus, problems: Collection[StorePart] = ()
) -> "list[SuggestedAction]":
    """Return what repairs an index that cannot be used, or nothing if it can."""
    if schema not in (SchemaStatus.REINDEX_REQUIRED, SchemaStatus.CORRUPT_MANIFEST):
        return []
    is_synced = bool(problems) and REPAIRABLE.issuperset(problems)
    return [{"tool": "sync_repo"} if is_synced else {"tool": "sync_repo", "force": True}]


def look_at_store(context: RepositoryContext) -> StoreState:
    """Read the state of a working tree's store; never raises `EngineError`, compares no files."""
    try:
        with open_store(context.location).snapshot() as snapshot:
            return _state_of(snapshot, context)
    except IndexNotReadyError:
        return StoreState(SchemaStatus.NOT_INDEXED)
    except IndexIncompatibleError as error:
        schema = SchemaStatus(str(error.data.get("schema_status")))
        current = str(error.data.get("current_schema_version"))
        return StoreState(
            schema=schema,
            current_version=current,
            message=error.message,
            problems=damaged_parts(error),
        )
    except EngineError as error:
        return StoreState(
            schema=SchemaStatus.CORRUPT_MANIFEST,
            current_version=None,
            message=error.message,
            problems={StorePart.DATABASE: error.message},
        )


def damaged_parts(error: IndexIncompatibleError) -> dict[StorePart, str]:
    """Return the part that an error says is damaged, with its message."""
    damage = damage_of(error)
    return {} if damage is None else {damage.part: error.message}


def living_jobs(snapshot: "Snapshot", context: RepositoryContext) -> list[JobRow]:
    """Return the latest jobs; a running one without a live writer counts as interrupted."""
    jobs = snapshot.recent_jobs(RECENT_JOBS)
    is_running = any(job.status == JobStatus.RUNNING for job in jobs)
    if not is_running or open_store(context.location).is_being_written():
        return jobs
    return [
        job._replace(status=JobStatus.INTERRUPTED) if job.status == JobStatus.RUNNING else job
        for job in jobs
    ]


def _state_of(snapshot: "Snapshot", context: RepositoryContext) -> StoreState:
    target = resolve_target(context.workspace, None)
    row = snapshot.find_ref(target.ref.name)
    schema = SchemaStatus.NOT_INDEXED if row is None else SchemaStatus.COMPATIBLE
    message, problems = None, dict[StorePart, str]()
    try:
        snapshot.check_files()
    except IndexIncompatibleError as error:
        schema, message = SchemaStatus.CORRUPT_MANIFEST, error.message
        problems = damaged_parts(error)
    return StoreState(
        schema=schema,
        current_version=required_version(),
        message=message,
        problems=problems,
        row=row,
        is_same_head=comparable_ref(context, target, snapshot) is not None,
        jobs=living_jobs(snapshot, context),
    )
