"""The result types of tools and commands: one type per tool, named after it.

`respond` builds results, `Repository` returns them, the command line renders them, and
`contract/schemas.py` generates JSON Schemas from the types. Only type checkers and schema
generation import this. A running tool builds plain dictionaries.
"""

from typing import Literal, NotRequired, TypedDict, final

from cruxe.contract.ranking_parts import ExplainedRegion
from cruxe.contract.report_parts import (
    CurrentJobFields,
    GrammarReport,
    IndexedFields,
    IndexIdentity,
    IndexState,
    InstallationFields,
    PrewarmFields,
    ProjectHealth,
    RefReport,
    SemanticFields,
    SemanticReport,
    ServerStatus,
    SettingReport,
    SetupFile,
    StartupChecks,
    StoreFields,
    WarmsetReport,
    WatcherReport,
)
from cruxe.contract.result_parts import (
    ConfigWarnings,
    EmptinessFields,
    LocateMetadata,
    LocateResultItem,
    MetadataBlock,
    OutlineMetadata,
    OutlineRemarks,
    OutlineSymbol,
    RankedFields,
    SearchedFiles,
    SearchExtras,
    SearchMetadata,
    SearchResultItem,
    SourceRemarks,
    SuggestedAction,
    SymbolSource,
    TextMatch,
    TextRemarks,
    UnrankedFields,
)
from cruxe.model.errors import ErrorCode, ErrorValue
from cruxe.model.hits import MatchTier
from cruxe.model.intent import QueryIntent
from cruxe.model.levels import SchemaStatus
from cruxe.model.outcomes import CaseRule, EmptyReason, FileMatches
from cruxe.model.source import PathStatus


class SearchCodeResult(SearchExtras, EmptinessFields):
    """The result of `search_code`."""

    results: list[SearchResultItem]
    query_intent: QueryIntent
    total_candidates: int
    suggested_next_actions: list[SuggestedAction]
    next_cursor: NotRequired[str]
    metadata: SearchMetadata


class LocateSymbolResult(EmptinessFields):
    """The result of `locate_symbol`; `matches` counts the definitions of each tier."""

    results: list[LocateResultItem]
    matches: dict[MatchTier, int]
    total_candidates: int
    suggested_next_actions: NotRequired[list[SuggestedAction]]
    next_cursor: NotRequired[str]
    metadata: LocateMetadata


class ReadSymbolResult(SymbolSource, SourceRemarks):
    """The result of `read_symbol`."""

    source: str
    metadata: MetadataBlock


class GetFileOutlineResult(OutlineRemarks, EmptinessFields):
    """The result of `get_file_outline`."""

    file_path: str
    language: str | None
    module: NotRequired[str]  # what the qualified names of its outermost symbols begin with
    symbols: list[OutlineSymbol]
    metadata: OutlineMetadata


class FoundText(TextRemarks):
    """What `search_text` says of the lines that match."""

    total_matches: int
    total_files: int
    case: CaseRule
    searched: SearchedFiles
    metadata: MetadataBlock


@final
class SearchTextResult(FoundText):
    """The result of `search_text`."""

    results: list[TextMatch]


@final
class SearchTextLines(FoundText):
    """All lines that `search_text` finds, by file: the form for people has no other use for them.

    There may be a hundred thousand, and a mapping a line costs as much as the search.
    """

    files: list[FileMatches]


class ExplainRankingResult(RankedFields, UnrankedFields):
    """The result of `explain_ranking`: a score, or why there is none."""

    query: str
    result: ExplainedRegion
    total_candidates: int
    metadata: MetadataBlock


class IndexingResult(TypedDict):
    """What a server answers to a question while the first index is being written."""

    results: list[SearchResultItem]  # always empty
    empty_reason: EmptyReason
    workspace: str
    message: str
    suggested_next_actions: list[SuggestedAction]
    metadata: MetadataBlock


class IndexStatusResult(IndexIdentity, IndexedFields, SemanticFields):
    """The result of `index_status`; the counts are there once there is an index."""

    index_status: IndexState
    schema_status: SchemaStatus
    compatibility_reason: NotRequired[str]
    startup_checks: StartupChecks
    suggested_next_actions: NotRequired[list[SuggestedAction]]
    metadata: MetadataBlock


class PublishedSync(TypedDict):
    """A sync that has ended."""

    status: Literal["published"]
    mode: Literal["full", "incremental"]
    generation: int
    changed_files: int
    indexed_files: int
    removed_files: int
    symbols_extracted: int
    duration_ms: int
    vectors: NotRequired[str]
    metadata: MetadataBlock


class RunningSync(TypedDict):
    """A sync that goes on after its call."""

    status: Literal["running"]
    mode: str
    files_done: int
    files_total: int
    suggested_next_actions: list[SuggestedAction]
    job_id: NotRequired[str]
    progress_token: NotRequired[str]
    metadata: MetadataBlock


SyncRepoResult = PublishedSync | RunningSync
IndexRepoResult = SyncRepoResult


class CommandResult(TypedDict, total=False):
    """The result of a command that is no tool; of one that serves, all of it."""

    metadata: ConfigWarnings


@final
class InstallationHealth(InstallationFields, CommandResult):
    """The result of `health_check` of one repository, outside a server."""


@final
class ServerHealth(StoreFields, PrewarmFields, CurrentJobFields, SemanticFields):
    """The result of `health_check` of a server: what it knows already."""

    status: ServerStatus
    version: str
    uptime_seconds: float
    watcher: WatcherReport
    grammars: GrammarReport
    startup_checks: StartupChecks
    workspace_warmset: WarmsetReport
    projects: list[ProjectHealth]
    suggested_next_actions: NotRequired[list[SuggestedAction]]
    metadata: MetadataBlock


HealthCheckResult = InstallationHealth | ServerHealth


class ListRefsResult(TypedDict):
    """The result of `list_refs`."""

    refs: list[RefReport]
    total_refs: int
    vcs_mode: bool
    empty_reason: NotRequired[EmptyReason]
    metadata: MetadataBlock


class SwitchRefResult(TypedDict):
    """The result of `switch_ref`."""

    ref: str
    previous_ref: str
    status: Literal["ready", "stale"]
    last_indexed_commit: str | None
    metadata: MetadataBlock


class ErrorBody(TypedDict):
    """What failed, as a code, a sentence and values; `remediation` is one of the values."""

    code: ErrorCode
    message: str
    data: dict[str, ErrorValue]


class ErrorEnvelope(TypedDict):
    """What any tool or command answers when it fails."""

    error: ErrorBody
    metadata: MetadataBlock


class IndexCommandResult(PublishedSync):
    """The result of `cruxe index`: a sync, with the size of the index after it."""

    file_count: NotRequired[int]
    symbol_count: NotRequired[int]
    skipped: NotRequired[dict[str, int]]
    semantic: NotRequired[SemanticReport]
    download_problem: NotRequired[str]


class DoctorResult(InstallationFields, CommandResult):
    """The result of `cruxe doctor`."""

    native: bool


class CollectResult(CommandResult):
    """The result of `cruxe gc`."""

    generation: int
    dropped_refs: list[str]
    dropped_versions: int
    rewrote_lexical: bool
    freed_bytes: int
    duration_ms: int


class ExplainPathResult(CommandResult):
    """The result of `cruxe why`."""

    path: str
    status: PathStatus
    reason: str
    detail: str
    rule_source: NotRequired[str]


class ConfigShowResult(CommandResult):
    """The result of `cruxe config show`."""

    settings: list[SettingReport]


class InitResult(CommandResult):
    """The result of `cruxe init`."""

    project_id: str
    repo_root: str
    ref: str
    vcs_mode: bool
    store: str
    is_new: bool


class SetupResult(CommandResult):
    """The result of `cruxe setup`."""

    client: str
    scope: str
    action: Literal["install", "uninstall"]
    dry_run: bool
    command: list[str]
    files: list[SetupFile]
    notes: list[str]


QuestionResult = (
    SearchCodeResult
    | LocateSymbolResult
    | ReadSymbolResult
    | GetFileOutlineResult
    | SearchTextResult
    | SearchTextLines
    | ExplainRankingResult
)
ToolResult = (
    QuestionResult
    | IndexingResult
    | IndexStatusResult
    | HealthCheckResult
    | SyncRepoResult
    | ListRefsResult
    | SwitchRefResult
)
AnyResult = ToolResult | CommandResult
