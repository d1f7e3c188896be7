"""Parts of results about the index itself: jobs, schema, models, health.

Only type checkers and schema generation import this.
"""

from typing import Literal, NotRequired, TypedDict

from cruxe.model.levels import FreshnessStatus, SchemaStatus, SemanticMode

IndexState = Literal["ready", "indexing", "not_indexed", "not_ready"]
ServerStatus = Literal["error", "warming", "indexing", "ready"]


class SemanticReport(TypedDict):
    """The embedding model in use, or why there is none."""

    mode: SemanticMode
    profile: str
    provider: str
    rerank_provider: str
    status: Literal["off", "unavailable", "ready"]
    model: NotRequired[str]
    model_version: NotRequired[str]
    dimensions: NotRequired[int]
    vectors: NotRequired[Literal["ready", "missing"]]
    problem: NotRequired[str]
    remedy: NotRequired[str]


class ProfileAdvice(TypedDict):
    """The embedding profile that fits a repository."""

    profile: str
    repo_size_bucket: str
    reason_codes: list[str]
    estimated_minutes: int
    is_current: bool
    install: NotRequired[str]
    model: NotRequired[str]


class SemanticFields(TypedDict):
    """What diagnostics say of semantic search."""

    semantic: SemanticReport
    semantic_profile_recommendation: NotRequired[ProfileAdvice]


class JobReport(TypedDict):
    """One run of the indexer."""

    job_id: str
    ref: str
    mode: str
    status: str
    pid: int
    files_total: int
    files_indexed: int
    symbols_extracted: int
    error_message: NotRequired[str]
    created_at_ns: int
    updated_at_ns: int
    duration_ms: int


class ActiveJobReport(JobReport):
    """The run that is under way."""

    progress_token: str
    estimated_completion_pct: NotRequired[int]


class InterruptionReport(TypedDict):
    """Runs that were interrupted."""

    detected: bool
    interrupted_jobs: int
    last_interrupted_at_ns: int
    recommended_action: str


class CurrentJobFields(TypedDict, total=False):
    """The run that is under way, or the last one if it was interrupted."""

    active_job: ActiveJobReport
    interrupted_recovery_report: InterruptionReport


class JobFields(CurrentJobFields, total=False):
    """The latest runs."""

    recent_jobs: list[JobReport]


class LanguageReport(TypedDict):
    """How deep one language is parsed."""

    language: str
    file_count: int
    capabilities: dict[str, bool]


class SchemaCheck(TypedDict):
    """Whether this version can read the index on disk."""

    status: SchemaStatus
    current_schema_version: str | None
    required_schema_version: str
    message: NotRequired[str]


class StartupChecks(TypedDict):
    """What was checked when the store was opened."""

    index: SchemaCheck


class RefCounts(TypedDict, total=False):
    """The size of an indexed ref."""

    generation: int
    last_indexed_at_ns: int
    last_indexed_commit: str | None
    file_count: int
    symbol_count: int
    skipped: dict[str, int]  # files by reason


class IndexIdentity(TypedDict):
    """Which repository and ref `index_status` is about, and the version that this program needs."""

    project_id: str
    repo_root: str
    ref: str
    required_schema_version: str


class IndexedFields(JobFields, RefCounts, total=False):
    """What `index_status` says once there is a store."""

    current_schema_version: str | None
    languages: list[LanguageReport]


class InstallationCheck(TypedDict):
    """One check of the installation."""

    check: str
    ok: bool
    problem: NotRequired[str]


class InstallationFields(SemanticFields):
    """What was found when everything that answers depend on was tried."""

    status: Literal["ready", "error"]
    checks: list[InstallationCheck]


class StoreFields(TypedDict):
    """Whether the parts of the store can be read, and how closely that was checked."""

    tantivy_ok: bool
    sqlite_ok: bool
    vectors_ok: bool
    sqlite_check: Literal["verified", "opened"]
    tantivy_error: NotRequired[str]
    sqlite_error: NotRequired[str]
    vectors_error: NotRequired[str]


class PrewarmFields(TypedDict):
    """How far a server is with opening the index ahead of the first question."""

    prewarm_status: str
    prewarm_error: NotRequired[str]


class WatcherReport(TypedDict):
    """Whether the working tree is watched for changes."""

    status: str
    problem: NotRequired[str]


class GrammarReport(TypedDict):
    """The languages whose grammar is installed."""

    available: list[str]
    missing: list[str]


class WarmsetReport(TypedDict):
    """The workspaces that a server has open."""

    enabled: bool
    capacity: int
    members: list[str]


class ProjectHealth(TypedDict):
    """One workspace of a server."""

    project_id: str
    repo_root: str
    status: ServerStatus
    index_status: IndexState
    schema_status: SchemaStatus
    current_schema_version: str | None
    required_schema_version: str
    ref: NotRequired[str]
    last_indexed_at_ns: NotRequired[int]
    file_count: NotRequired[int]
    freshness_status: NotRequired[FreshnessStatus]


class RefReport(TypedDict):
    """A ref that has an index."""

    ref: str
    is_default: bool
    status: Literal["ready", "stale"]
    worktree: NotRequired[str]
    last_indexed_commit: str | None
    file_count: int
    symbol_count: int


class SettingReport(TypedDict):
    """A setting, its value and where that came from."""

    key: str
    value: str
    origin: str


class SetupFile(TypedDict):
    """What happened to one file of a client."""

    path: str
    kind: str
    status: str
    reason: NotRequired[str]
    remedy: NotRequired[str]
    diff: NotRequired[str]
