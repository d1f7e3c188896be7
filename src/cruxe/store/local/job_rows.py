"""Rows of `index_jobs`: running jobs with their progress, and how earlier jobs ended."""

import os
import sqlite3
import time

from cruxe.model.jobs import JobMode, JobRow, JobStatus
from cruxe.model.levels import IndexingStatus, read_indexing_status

# Older rows are deleted.
_KEPT_JOBS = 50


def new_job(ref: str, mode: JobMode, files_total: int) -> JobRow:
    """Return a job that starts now."""
    now, pid = time.time_ns(), os.getpid()
    return JobRow(
        job_id=f"{now:x}-{pid:x}",
        ref=ref,
        mode=mode,
        status=JobStatus.RUNNING,
        pid=pid,
        files_total=files_total,
        files_indexed=0,
        symbols_extracted=0,
        error_message=None,
        created_at_ns=now,
        updated_at_ns=now,
    )


def write_job(connection: sqlite3.Connection, job: JobRow) -> None:
    """Insert a job unless it is there already."""
    query = "INSERT OR IGNORE INTO index_jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    if not connection.execute(query, job).rowcount:
        return
    connection.execute(
        "DELETE FROM index_jobs WHERE job_id NOT IN"
        " (SELECT job_id FROM index_jobs ORDER BY created_at_ns DESC LIMIT ?)",
        (_KEPT_JOBS,),
    )


def advance_job(
    connection: sqlite3.Connection, job_id: str, files_indexed: int, symbols_extracted: int
) -> None:
    """Update a job's progress."""
    connection.execute(
        "UPDATE index_jobs SET files_indexed = ?, symbols_extracted = ?, updated_at_ns = ?"
        " WHERE job_id = ?",
        (files_indexed, symbols_extracted, time.time_ns(), job_id),
    )


def end_job(
    connection: sqlite3.Connection, job_id: str, status: JobStatus, error: str | None = None
) -> None:
    """Record how a job ended."""
    connection.execute(
        "UPDATE index_jobs SET status = ?, error_message = ?, updated_at_ns = ? WHERE job_id = ?",
        (status, error, time.time_ns(), job_id),
    )


def interrupt_running_jobs(connection: sqlite3.Connection) -> int:
    """Mark running jobs as interrupted; the caller holds the writer lock, so their writers died."""
    cursor = connection.execute(
        "UPDATE index_jobs SET status = ? WHERE status = ?",
        (JobStatus.INTERRUPTED, JobStatus.RUNNING),
    )
    return cursor.rowcount


def recent_jobs(connection: sqlite3.Connection, limit: int) -> list[JobRow]:
    """Return the latest jobs, newest first."""
    rows = connection.execute(
        "SELECT * FROM index_jobs ORDER BY created_at_ns DESC, job_id LIMIT ?", (limit,)
    )
    jobs = [*map(JobRow._make, rows)]
    return [job._replace(status=_canonical(job.status)) for job in jobs]


def _canonical(status: str) -> str:
    """Return a stored status as this version writes it; older ones said how ready the index was."""
    is_ready = read_indexing_status(status) is IndexingStatus.READY
    return JobStatus.PUBLISHED if is_ready else status
