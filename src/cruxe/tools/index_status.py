"""The state of a ref's index: its numbers, its schema, its jobs."""

from typing import TYPE_CHECKING

from cruxe.freshness.check import FreshnessCheck, FullCheck
from cruxe.model.errors import IndexIncompatibleError, IndexNotReadyError
from cruxe.model.jobs import JobRow, JobStatus
from cruxe.model.levels import SchemaStatus
from cruxe.model.refs import RefRow
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import shorten_fields
from cruxe.store.open import open_store, required_version
from cruxe.tools.semantic_report import semantic_answer
from cruxe.tools.store_state import living_jobs, startup_checks
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.targets import Target

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot

Answer = dict[str, object]


def index_status(
    context: RepositoryContext,
    target: Target,
    *,
    languages: bool = False,
    check: FreshnessCheck | None = None,
) -> Answer:
    """The answer of `index_status`; never fails for want of an index.

    With `languages`, it tells how deep each language is read and how many files the ref has of it.
    """
    answer: Answer = {
        "project_id": context.workspace.repository_id,
        "repo_root": context.workspace.root,
        "ref": target.shown,
        "required_schema_version": required_version(),
    }
    if languages:
        answer["languages"] = _language_lines({})
    check, is_fresh = check or FullCheck(context, target), False
    try:
        with open_store(context.location).snapshot() as snapshot:
            row = snapshot.find_ref(target.ref.name)
            snapshot.check_lexical()
            jobs = living_jobs(snapshot, context)
            answer |= job_report(jobs) | {"current_schema_version": required_version()}
            if row is not None:
                answer |= _ref_numbers(snapshot, row) | {"generation": snapshot.generation}
                if languages:
                    counts = snapshot.language_counts(row.ref_id)
                    answer["languages"] = _language_lines(counts)
            is_fresh = check.is_fresh(snapshot)
    except IndexNotReadyError:
        row = None
    except IndexIncompatibleError as error:
        schema = SchemaStatus(str(error.data.get("schema_status")))
        current = error.data.get("current_schema_version")
        answer |= {
            "index_status": "not_ready",
            "schema_status": schema.value,
            "current_schema_version": current,
            "compatibility_reason": str(error),
            "startup_checks": startup_checks(schema, current, str(error)),
            **semantic_answer(context),
            "metadata": Metadata.of_schema(target.shown, schema).to_mapping(),
        }
        return _bounded(answer, context)
    is_indexing = "active_job" in answer
    if row is not None:
        metadata = Metadata.ready(target.shown, is_fresh=is_fresh, basis=check.basis)
    else:
        metadata = (Metadata.syncing if is_indexing else Metadata.not_indexed)(target.shown)
    answer["index_status"] = "ready" if row else "indexing" if is_indexing else "not_indexed"
    answer["schema_status"] = metadata.schema_status.value
    answer["startup_checks"] = startup_checks(
        metadata.schema_status, answer.get("current_schema_version"), None
    )
    answer |= semantic_answer(context, target=target)
    answer["metadata"] = metadata.to_mapping()
    return _bounded(answer, context)


def _bounded(answer: Answer, context: RepositoryContext) -> Answer:
    """The answer within the hard limit: the oldest jobs go first, then the last languages."""
    fields = [(answer, "recent_jobs"), (answer, "languages"), (answer, "skipped")]
    return shorten_fields(answer, fields, context.settings.search.max_response_bytes)


def _ref_numbers(snapshot: "Snapshot", row: RefRow) -> Answer:
    return {
        "last_indexed_at_ns": row.indexed_at_ns,
        "last_indexed_commit": row.commit_id,
        "file_count": row.file_count,
        "symbol_count": snapshot.symbol_counts([row.ref_id])[row.ref_id],
        "skipped": snapshot.skip_counts(row.ref_id),
    }


def _language_lines(file_counts: dict[str, int]) -> list[Answer]:
    from cruxe.parse.capabilities import list_capabilities

    lines: list[Answer] = []
    for each in list_capabilities():
        capabilities = each._asdict()
        language = capabilities.pop("language")
        count = file_counts.get(each.language, 0)
        lines.append({"language": language, "file_count": count, "capabilities": capabilities})
    return lines


def job_report(jobs: list[JobRow]) -> Answer:
    """The latest jobs, the one under way, and what became of one that was interrupted."""
    answer: Answer = {"recent_jobs": [_job_line(job) for job in jobs]}
    if jobs and jobs[0].status == JobStatus.RUNNING:
        answer["active_job"] = _job_line(jobs[0]) | _progress_of(jobs[0])
    if jobs and jobs[0].status == JobStatus.INTERRUPTED:
        answer["interrupted_recovery_report"] = {
            "detected": True,
            "interrupted_jobs": sum(job.status == JobStatus.INTERRUPTED for job in jobs),
            "last_interrupted_at_ns": jobs[0].updated_at_ns,
            "recommended_action": "run `cruxe sync`: it goes on from the last checkpoint",
        }
    return answer


def _job_line(job: JobRow) -> Answer:
    answer: Answer = {key: value for key, value in job._asdict().items() if value is not None}
    answer["duration_ms"] = (job.updated_at_ns - job.created_at_ns) // 1_000_000
    return answer


def _progress_of(job: JobRow) -> Answer:
    """How far a job is; never the whole before it has ended."""
    answer: Answer = {"progress_token": f"index-job-{job.job_id}"}
    if job.files_total:
        answer["estimated_completion_pct"] = min(99, job.files_indexed * 100 // job.files_total)
    return answer
