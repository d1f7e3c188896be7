"""Provisional answers: search a working tree that has no index yet, in files that a scan picks.

The files that match the request best are indexed into a temporary store, and the tools answer from
it as usual. So result shapes, lines and handles are real. Only files that the scan did not pick
are missing, and the answer says so.
"""

import time
from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast

from cruxe.freshness.server_check import AssumedFresh
from cruxe.hosting.background_indexing import BackgroundJob
from cruxe.hosting.provisional_scan import FileScan
from cruxe.ingest.processing import FileProcessor
from cruxe.ingest.processing_runs import processing_plan
from cruxe.model.deadlines import Deadline
from cruxe.model.errors import (
    AmbiguousSymbolError,
    EngineError,
    FileNotFoundInRefError,
    IndexNotReadyError,
    IndexStaleError,
    ProjectNotFoundError,
    ResultNotFoundError,
    SymbolNotFoundError,
)
from cruxe.model.jobs import JobMode, JobRow, JobStatus
from cruxe.model.levels import FreshnessPolicy
from cruxe.model.outcomes import EmptyReason
from cruxe.model.source import FileTask, ListedFile
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.respond.metadata import Metadata, mark_provisional
from cruxe.respond.size_limits import omit_field, replace_field
from cruxe.respond.text_form.notation import has_fields, has_parts
from cruxe.store.open import open_store
from cruxe.tools.checked_requests import LocateRequest, SearchRequest
from cruxe.tools.ref_session import RefSession
from cruxe.workspace.context import RepositoryContext, Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cruxe.contract.result_parts import ScannedFiles
    from cruxe.contract.results import IndexingResult, QuestionResult, RunningSync
    from cruxe.model.stored import RefFile
    from cruxe.repository import Tool

_Request = TypeVar("_Request")
_Result = TypeVar("_Result", bound="QuestionResult")
# Errors that mean "not found": the file or symbol may be in files that were not scanned.
_NOT_SEEN: Final = (
    AmbiguousSymbolError,
    FileNotFoundInRefError,
    ResultNotFoundError,
    SymbolNotFoundError,
)
# Bytes that the provisional mark adds to an answer's metadata.
_REMARK_BYTES: Final = 200


# Shares of a call's deadline: for waiting for the first index, and for a scan after that.
FIRST_INDEX_SHARE: Final = 0.4
SCAN_SHARE: Final = 0.35
# Calls do not wait for the first index of a repository with more files.
MAX_AWAITED_FILES: Final = 1_500
_LOOK_SECONDS: Final = 0.05


def wait_for_first_index(job: BackgroundJob, deadline_ms: int) -> bool:
    """Wait for the first index if it may be ready in time; return whether its job has ended."""
    ends_at = time.monotonic() + deadline_ms / 1000 * FIRST_INDEX_SHARE
    while time.monotonic() < ends_at and job.files_total <= MAX_AWAITED_FILES:
        if job.wait(_LOOK_SECONDS):
            return True
    return job.has_ended


class ProvisionalQuestion(NamedTuple):
    """The repository and ref of a question, and its deadline."""

    context: RepositoryContext
    target: Target
    deadline: Deadline


def answer_provisionally(
    question: ProvisionalQuestion, tool: "Tool[_Request, _Result]", request: _Request
) -> _Result | None:
    """Return a tool's answer from the files that a scan picks, or None if they do not hold it."""
    from tempfile import TemporaryDirectory

    _refuse_strict(request, question.target)
    scan = FileScan(question.context, question.deadline)
    picked = scan.pick(request)
    with TemporaryDirectory(prefix="cruxe-", ignore_cleanup_errors=True) as folder:
        context = question.context
        inner = context._replace(location=context.location._replace(data_dir=folder))
        _index(inner, question, picked)
        try:
            answer = _ask(inner, question.target, tool, _smaller(request))
        except _NOT_SEEN:
            return None
    return _marked(answer, question.target, scan)


def _refuse_strict(request: object, target: Target) -> None:
    is_strict = (
        isinstance(request, SearchRequest | LocateRequest)
        and request.policy is FreshnessPolicy.STRICT
    )
    if is_strict:
        head = target.ref.commit_id
        raise IndexStaleError(
            "the first index of this working tree is still being written",
            data={} if head is None else {"current_head": head},
        )


def _index(
    context: RepositoryContext, question: ProvisionalQuestion, files: list[ListedFile]
) -> None:
    """Index files into the context's own store until the deadline passes."""
    ref = question.target.ref._replace(settings=context.settings_digest)
    placed: dict[str, RefFile] = {}
    with (
        closing(open_store(context.location).open_writer()) as writer,
        closing(FileProcessor(processing_plan(context, b""))) as processor,
    ):
        writer.start_job(question.target.shown, JobMode.FULL, len(files))
        for file in files:
            outcome = processor.process(FileTask(file.path, None, file.stat))
            if outcome.record is not None:
                writer.add(outcome.record)
            placed[outcome.path] = outcome.file
            if question.deadline.has_passed:
                break
        writer.publish(ref, placed)


def _ask(
    context: RepositoryContext, target: Target, tool: "Tool[_Request, _Result]", request: _Request
) -> _Result:
    with open_store(context.location).snapshot() as snapshot:
        row = snapshot.find_ref(target.ref.name)
        assert row is not None
        opened = OpenedRef(snapshot, row.ref_id)
        return tool(
            RefSession(
                context=context, target=target, opened=opened, freshness=AssumedFresh(target)
            ),
            request,
        )


def _smaller(request: _Request) -> _Request:
    """Reduce the byte limit of a request by the size of the provisional mark."""
    if isinstance(request, SearchRequest | LocateRequest):
        response = request.response
        left = response._replace(max_bytes=response.max_bytes - _REMARK_BYTES)
        return cast("_Request", request._replace(response=left))
    return request


def _marked(answer: _Result, target: Target, scan: FileScan) -> _Result:
    """Mark an answer as provisional; it has no next page and proves no absence."""
    scanned: ScannedFiles = {"files": scan.looked_at, "total_files": scan.total}
    mark_provisional(answer["metadata"], target.shown, scanned)
    if "empty_reason" in answer:
        answer = replace_field(answer, "empty_reason", EmptyReason.INDEXING)
    return omit_field(_without_next_page(answer), "next_cursor")


def _without_next_page(answer: _Result) -> _Result:
    fields: Mapping[str, object] = {**answer}
    actions = fields.get("suggested_next_actions")
    if not has_parts(actions):
        return answer
    kept = [each for each in actions if not (has_fields(each) and "cursor" in each)]
    return replace_field(answer, "suggested_next_actions", kept)


def not_indexed_error(context: RepositoryContext) -> EngineError:
    """Return the error for a workspace that is not indexed while automatic indexing is off."""
    data = {"workspace": context.workspace.root, "schema_status": "not_indexed"}
    if not open_store(context.location).is_registered:
        return ProjectNotFoundError(f"{context.workspace.root} was never indexed", data=data)
    return IndexNotReadyError("this working tree is not indexed", data=data)


def indexing_answer(
    context: RepositoryContext, target: Target, job: BackgroundJob
) -> "IndexingResult":
    """Return the empty answer to any question while the first index is being written."""
    return {
        "results": [],
        "empty_reason": EmptyReason.INDEXING,
        "workspace": context.workspace.root,
        "message": f"the first index is being written: {_progress_text(job)}",
        "suggested_next_actions": [{"tool": "index_status"}],
        "metadata": Metadata.syncing(target.shown).to_mapping(),
    }


def running_answer(context: RepositoryContext, target: Target, job: BackgroundJob) -> "RunningSync":
    """Return the answer for a sync that continues after its call; `job` is the running one."""
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
    """Return the row of the job that is writing the store, or None."""
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
