"""State and health of a repository's index, as answers."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from cruxe.freshness.check import FreshnessCheck
from cruxe.ingest.sync_ref import DEFAULT_WAIT_MS
from cruxe.model.errors import EngineError, IndexIncompatibleError, IndexNotReadyError
from cruxe.model.jobs import JobRow, JobStatus
from cruxe.model.levels import SchemaStatus
from cruxe.model.refs import RefRow
from cruxe.respond.metadata import Metadata
from cruxe.respond.result_fields import omit_field
from cruxe.respond.size_limits import Shortening
from cruxe.store.open import open_store, required_version
from cruxe.tools.semantic_report import report_with_trial, semantic_answer
from cruxe.tools.store_state import living_jobs, startup_checks
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.targets import Target

if TYPE_CHECKING:
    from cruxe.contract.report_parts import (
        ActiveJobReport,
        IndexedFields,
        IndexIdentity,
        InstallationCheck,
        JobFields,
        JobReport,
        LanguageReport,
        RefCounts,
        SemanticReport,
    )
    from cruxe.contract.results import (
        CollectResult,
        ExplainPathResult,
        IndexStatusResult,
        InstallationHealth,
    )
    from cruxe.store.api import Snapshot


def index_status(
    context: RepositoryContext,
    target: Target,
    *,
    languages: bool = False,
    check: FreshnessCheck | None = None,
) -> "IndexStatusResult":
    """The answer of `index_status`; never fails for want of an index.

    With `languages`, it tells how deep each language is read and how many files the ref has of it.
    """
    found: IndexedFields = {}
    if languages:
        found["languages"] = _language_lines({})
    check, is_fresh = check or FreshnessCheck(context, target), False
    try:
        with open_store(context.location).snapshot() as snapshot:
            row = snapshot.find_ref(target.ref.name)
            snapshot.check_lexical()
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
            "compatibility_reason": str(error),
            "startup_checks": startup_checks(schema, current, str(error)),
            **semantic_answer(context),
            "metadata": Metadata.of_schema(target.shown, schema).to_mapping(),
        }
        return _bounded(unusable, context)
    is_indexing = "active_job" in found
    if row is not None:
        metadata = Metadata.ready(target.shown, is_fresh=is_fresh, basis=check.basis)
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
    """The answer within the hard limit: the oldest jobs go first, then the last languages."""
    max_bytes = context.settings.search.max_response_bytes
    shortening = Shortening(answer, answer["metadata"], max_bytes)
    shortening.cut_list(answer.get("recent_jobs", []))
    shortening.cut_list(answer.get("languages", []))
    shortening.cut_table(answer.get("skipped", {}))
    return answer


def explain_path(context: RepositoryContext, path: str) -> "ExplainPathResult":
    """Why a path is in the index or not."""
    from cruxe.workspace.explain_path import explain

    explanation = explain(context.workspace, path, context.rules)
    answer: ExplainPathResult = {
        "path": explanation.path,
        "status": explanation.status,
        "reason": explanation.reason,
        "detail": explanation.detail,
    }
    if explanation.rule_source:
        answer["rule_source"] = explanation.rule_source
    return answer


def collected_answer(context: RepositoryContext, max_age_days: int | None) -> "CollectResult":
    """Run a collection and say what it did."""
    from cruxe.ingest.collect import DEFAULT_MAX_AGE_DAYS, collect

    days = DEFAULT_MAX_AGE_DAYS if max_age_days is None else max_age_days
    outcome = collect(context, max_age_days=days, wait_ms=DEFAULT_WAIT_MS)
    return {
        "generation": outcome.generation,
        "dropped_refs": list(outcome.dropped_refs),
        "dropped_versions": outcome.dropped_versions,
        "rewrote_lexical": outcome.rewrote_lexical,
        "freed_bytes": outcome.freed_bytes,
        "duration_ms": outcome.duration_ms,
    }


def health_check(context: RepositoryContext) -> "InstallationHealth":
    """Try every part that answers depend on; each check says what is wrong and what to do."""
    checks = [
        _check("python", _python_problem),
        _check("git", lambda: _git_problem(context)),
        _check("data_dir", lambda: _data_dir_problem(context)),
        _check("sqlite", lambda: _sqlite_problem(context)),
        _check("tantivy", lambda: _tantivy_problem(context)),
        _check("grammars", _grammar_problem),
    ]
    report = report_with_trial(context.settings.semantic)
    checks.append(_check("semantic", lambda: _semantic_problem(report)))
    is_sound = all(check["ok"] for check in checks)
    return {
        "status": "ready" if is_sound else "error",
        "checks": checks,
        **semantic_answer(context, report),
    }


def _semantic_problem(report: "SemanticReport") -> str | None:
    return f"{report['problem']}; {report.get('remedy')}" if "problem" in report else None


def _ref_numbers(snapshot: "Snapshot", row: RefRow) -> "RefCounts":
    return {
        "last_indexed_at_ns": row.indexed_at_ns,
        "last_indexed_commit": row.commit_id,
        "file_count": row.file_count,
        "symbol_count": snapshot.symbol_count(row.ref_id),
        "skipped": snapshot.skip_counts(row.ref_id),
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
    """The latest jobs, the one under way, and what became of one that was interrupted."""
    answer: JobFields = {"recent_jobs": [_job_line(job) for job in jobs]}
    if jobs and jobs[0].status == JobStatus.RUNNING:
        answer["active_job"] = _active_job(jobs[0])
    if jobs and jobs[0].status == JobStatus.INTERRUPTED:
        answer["interrupted_recovery_report"] = {
            "detected": True,
            "interrupted_jobs": sum(job.status == JobStatus.INTERRUPTED for job in jobs),
            "last_interrupted_at_ns": jobs[0].updated_at_ns,
            "recommended_action": "run `cruxe sync`: it goes on from the last checkpoint",
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
    """The job under way and how far it is; less than 100 % before it has ended."""
    report: ActiveJobReport = {
        **_job_line(job),
        "progress_token": f"index-job-{job.job_id}",
    }
    if job.files_total:
        report["estimated_completion_pct"] = min(99, job.files_indexed * 100 // job.files_total)
    return report


def _check(name: str, find_problem: Callable[[], str | None]) -> "InstallationCheck":
    try:
        problem = find_problem()
    except EngineError as error:
        problem = str(error)
    answer: InstallationCheck = {"check": name, "ok": problem is None}
    if problem is not None:
        answer["problem"] = problem
    return answer


def _python_problem() -> str | None:
    return None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed"


def _git_problem(context: RepositoryContext) -> str | None:
    from cruxe.workspace.git import run_git

    if context.workspace.git_dir is not None:
        run_git(context.workspace, "rev-parse", "--git-dir")
    return None


def _data_dir_problem(context: RepositoryContext) -> str | None:
    folder = context.settings.storage.data_dir
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    return None if os.access(folder, os.W_OK) else f"{folder} cannot be written"


def _sqlite_problem(context: RepositoryContext) -> str | None:
    try:
        with open_store(context.location).snapshot() as snapshot:
            return snapshot.integrity_problem()
    except IndexNotReadyError:
        return None


def _tantivy_problem(context: RepositoryContext) -> str | None:
    try:
        with open_store(context.location).snapshot() as snapshot:
            snapshot.check_lexical()
            snapshot.lexical_opener()()
    except IndexNotReadyError:
        return None
    return None


def _grammar_problem() -> str | None:
    from cruxe.parse.grammars import broken_languages

    broken = broken_languages()
    return f"cannot be loaded: {', '.join(broken)}" if broken else None
