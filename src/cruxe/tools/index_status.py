"""The tool `index_status`: counts, schema and jobs of a ref's index."""

from collections import Counter
from typing import TYPE_CHECKING

from cruxe.freshness.check import FreshnessCheck, FullCheck
from cruxe.model.errors import IndexIncompatibleError, IndexNotReadyError
from cruxe.model.jobs import JobRow, JobStatus
from cruxe.model.levels import SchemaStatus
from cruxe.model.stored import RefRow
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import Shortening, omit_field
from cruxe.store.open import open_store, required_version
from cruxe.tools.semantic_report import semantic_answer
from cruxe.tools.store_state import (
    damaged_parts,
    living_jobs,
    repairing_actions,
    startup_checks,
)
from cruxe.workspace.context import RepositoryContext, Target

if TYPE_CHECKING:
    from cruxe.contract.report_parts import (
        ActiveJobReport,
        IndexedFields,
        IndexIdentity,
        JobFields,
        JobReport,
        LanguageReport,
        RefCounts,
    )
    from cruxe.contract.results import IndexStatusResult
    from cruxe.store.api import Snapshot


def index_status(
    context: RepositoryContext,
    target: Target,
    *,
    languages: bool = False,
    check: FreshnessCheck | None = None,
) -> "IndexStatusResult":
    """Return the state of a ref's index; a missing index is a state, not an error.

    With `languages`, also what is extracted for each language and how many files the ref has of it.
    """
    found: IndexedFields = {}
    if languages:
        found["languages"] = _language_lines({})
    check, is_fresh = check or FullCheck(context, target), False
    try:
        with open_store(context.location).snapshot() as snapshot:
            row = snapshot.find_ref(target.ref.name)
            snapshot.check_files()
            jobs = living_jobs(snapshot, context)
            found = {
                **found,
                **job_report(jobs),
                "current_schema_version": required_version(),
            }
            if row is not None:
                found = {**found, **_ref_numbers(snapshot, row)}
                if languages:
                    counts = snapshot.language_counts(row.ref_id)
                    found["languages"] = _language_lines(counts)
            is_fresh = check.is_fresh(snapshot)
    except IndexNotReadyError:
        row = None
    except IndexIncompatibleError as error:
        schema = SchemaStatus(str(error.data.get("schema_status")))
        current = str(error.data.get("current_schema_version"))
        unusable: IndexStatusResult = {
            **_identity(context, target),
            **found,
            "index_status": "not_ready",
            "schema_status": schema,
            "current_schema_version": current,
            "compatibility_reason": error.message,
            "startup_checks": startup_checks(schema, current, error.message),
            **semantic_answer(context),
            "suggested_next_actions": repairing_actions(schema, damaged_parts(error)),
            "metadata": Metadata.of_schema(target.shown, schema).to_mapping(),
        }
        return _bounded(unusable, context)
    is_indexing = "active_job" in found
    if row is not None:
        metadata = Metadata.ready(target.shown, is_fresh=is_fresh, basis=check.verdict.basis)
        metadata = metadata._replace(lacking=check.verdict.lacking)
    else:
        metadata = (Metadata.syncing if is_indexing else Metadata.not_indexed)(target.shown)
    schema = metadata.schema_status
    answer: IndexStatusResult = {
        **_identity(context, target),
        **found,
        "index_status": "ready" if row else "indexing" if is_indexing else "not_indexed",
        "schema_status": schema,
        "startup_checks": startup_checks(schema, found.get("current_schema_version"), None),
        **semantic_answer(context, target=target),
        "metadata": metadata.to_mapping(),
    }
    return _bounded(answer, context)


def _identity(context: RepositoryContext, target: Target) -> "IndexIdentity":
    return {
        "project_id": context.workspace.repository_id,
        "repo_root": context.workspace.root,
        "ref": target.shown,
        "required_schema_version": required_version(),
    }


def _bounded(answer: "IndexStatusResult", context: RepositoryContext) -> "IndexStatusResult":
    """Cut the answer to the size limit: first the oldest jobs, then the last languages."""
    max_bytes = context.settings.search.max_response_bytes
    shortening = Shortening(answer, answer["metadata"], max_bytes)
    shortening.cut_list(answer.get("recent_jobs", []))
    shortening.cut_list(answer.get("languages", []))
    shortening.cut_table(answer.get("skipped", {}))
    return answer


def _ref_numbers(snapshot: "Snapshot", row: RefRow) -> "RefCounts":
    return {
        "last_indexed_at_ns": row.indexed_at_ns,
        "last_indexed_commit": row.commit_id,
        "file_count": row.file_count,
        "symbol_count": snapshot.symbol_counts([row.ref_id])[row.ref_id],
        "skipped": dict(sorted(Counter(snapshot.skipped_paths(row.ref_id).values()).items())),
        "generation": snapshot.generation,
    }


def _language_lines(file_counts: dict[str, int]) -> "list[LanguageReport]":
    from cruxe.parse.capabilities import list_capabilities

    lines: list[LanguageReport] = []
    for each in list_capabilities():
        capabilities = each._asdict()
        language = capabilities.pop("language")
        count = file_counts.get(each.language, 0)
        lines.append({"language": language, "file_count": count, "capabilities": capabilities})
    return lines


def job_report(jobs: list[JobRow]) -> "JobFields":
    """Return the latest jobs, the running one, and a report if the last one was interrupted."""
    answer: JobFields = {"recent_jobs": [_job_line(job) for job in jobs]}
    if jobs and jobs[0].status == JobStatus.RUNNING:
        answer["active_job"] = _active_job(jobs[0])
    if jobs and jobs[0].status == JobStatus.INTERRUPTED:
        answer["interrupted_recovery_report"] = {
            "detected": True,
            "interrupted_jobs": sum(job.status == JobStatus.INTERRUPTED for job in jobs),
            "last_interrupted_at_ns": jobs[0].updated_at_ns,
            "recommended_action": "sync again: it goes on from the last checkpoint",
        }
    return answer


def _job_line(job: JobRow) -> "JobReport":
    line: JobReport = {
        "job_id": job.job_id,
        "ref": job.ref,
        "mode": job.mode,
        "status": job.status,
        "pid": job.pid,
        "files_total": job.files_total,
        "files_indexed": job.files_indexed,
        "symbols_extracted": job.symbols_extracted,
        "error_message": job.error_message or "",
        "created_at_ns": job.created_at_ns,
        "updated_at_ns": job.updated_at_ns,
        "duration_ms": (job.updated_at_ns - job.created_at_ns) // 1_000_000,
    }
    return omit_field(line, "error_message") if job.error_message is None else line


def _active_job(job: JobRow) -> "ActiveJobReport":
    """Return the running job and its progress, which stays below 100 % until it ends."""
    report: ActiveJobReport = {
        **_job_line(job),
        "progress_token": f"index-job-{job.job_id}",
    }
    if job.files_total:
        report["estimated_completion_pct"] = min(99, job.files_indexed * 100 // job.files_total)
    return report
