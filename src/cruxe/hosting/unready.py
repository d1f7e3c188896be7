"""Answers of a server about a workspace whose index is not there yet."""

from typing import TYPE_CHECKING

from cruxe.hosting.background_indexing import BackgroundJob
from cruxe.model.emptiness import EmptyReason
from cruxe.model.errors import EngineError, IndexNotReadyError, ProjectNotFoundError
from cruxe.model.jobs import JobRow, JobStatus
from cruxe.respond.metadata import Metadata
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.targets import Target

if TYPE_CHECKING:
    from cruxe.contract.results import IndexingResult, RunningSync


def not_indexed_error(context: RepositoryContext) -> EngineError:
    """The refusal where nothing is indexed and nothing may be by itself."""
    data = {"workspace": context.workspace.root, "schema_status": "not_indexed"}
    if not open_store(context.location).is_registered:
        return ProjectNotFoundError(f"{context.workspace.root} was never indexed", data=data)
    return IndexNotReadyError("this working tree is not indexed", data=data)


def indexing_answer(
    context: RepositoryContext, target: Target, job: BackgroundJob
) -> "IndexingResult":
    """The empty answer to any question while the first index is being written."""
    return {
        "results": [],
        "empty_reason": EmptyReason.INDEXING,
        "workspace": context.workspace.root,
        "message": f"the first index is being written: {_progress_text(job)}",
        "suggested_next_actions": [{"tool": "index_status"}],
        "metadata": Metadata.syncing(target.shown).to_mapping(),
    }


def running_answer(context: RepositoryContext, target: Target, job: BackgroundJob) -> "RunningSync":
    """A job that goes on after its call; `job` is the one under way."""
    row = running_job(context)
    answer: RunningSync = {
        "status": "running",
        "mode": "full" if job.order.force or row is None else row.mode,
        "files_done": job.files_done,
        "files_total": job.files_total,
        "suggested_next_actions": [{"tool": "index_status"}],
        "metadata": Metadata.syncing(target.shown).to_mapping(),
    }
    if row is not None:
        answer["job_id"] = row.job_id
        answer["progress_token"] = f"index-job-{row.job_id}"
    return answer


def running_job(context: RepositoryContext) -> JobRow | None:
    """The job that writes the store now, as it is told there."""
    try:
        with open_store(context.location).snapshot() as snapshot:
            newest = snapshot.recent_jobs(1)
    except EngineError:
        return None
    return newest[0] if newest and newest[0].status == JobStatus.RUNNING else None


def _progress_text(job: BackgroundJob) -> str:
    if not job.files_total:
        return "its files are being listed"
    return f"{job.files_done} of {job.files_total} files"
