"""Indexing jobs: what is being indexed, how far it is, and how earlier jobs ended."""

from enum import StrEnum
from typing import NamedTuple


class JobMode(StrEnum):
    """What a job does."""

    FULL = "full"
    INCREMENTAL = "incremental"
    COLLECT = "collect"


class JobStatus(StrEnum):
    """How far a job is."""

    RUNNING = "running"
    PUBLISHED = "published"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class JobRow(NamedTuple):
    """One job."""

    job_id: str
    ref: str
    mode: str
    status: str
    pid: int
    files_total: int
    files_indexed: int
    symbols_extracted: int
    error_message: str | None
    created_at_ns: int
    updated_at_ns: int
