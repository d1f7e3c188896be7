"""The shapes of answers, as far as they are told to a person. Only type checkers read this."""

from typing import NotRequired, TypedDict

from cruxe.serve.cli.semantic_answers import ProfileAdvice, SemanticReport


class Metadata(TypedDict):
    """The block of every answer."""

    ref: str
    freshness_status: str


class Dated(TypedDict):
    """Any answer about the code."""

    metadata: Metadata


class Warnings(TypedDict, total=False):
    """What of the configuration was not taken as given."""

    warnings: list[str]


class Warned(TypedDict, total=False):
    """Any answer."""

    metadata: Warnings


class Located(TypedDict):
    """A definition."""

    path: str
    line_start: int
    kind: str
    name: str
    qualified_name: NotRequired[str]
    signature: NotRequired[str]
    match: NotRequired[str]
    body_preview: NotRequired[str]


class Found(TypedDict):
    """A result of a search."""

    path: str
    line_start: int
    score: float
    kind: NotRequired[str]
    name: NotRequired[str]
    qualified_name: NotRequired[str]
    signature: NotRequired[str]
    snippet: NotRequired[str]
    body_preview: NotRequired[str]


class Contribution(TypedDict):
    """What one signal added to a score."""

    signal: str
    effective: float


class RankingReason(TypedDict):
    """Why a result ranks where it does."""

    final_score: float
    contributions: NotRequired[list[Contribution]]


class RankedMetadata(Metadata):
    """The block of a ranked answer."""

    ranking_reasons: NotRequired[list[RankingReason]]
    safety_limit_applied: NotRequired[bool]


class LocateAnswer(TypedDict):
    """The answer of `locate_symbol`."""

    results: list[Located]
    matches: dict[str, int]  # definitions of each tier, best first
    total_candidates: int
    next_cursor: NotRequired[str]
    filtered_out: NotRequired[dict[str, int]]
    metadata: RankedMetadata


class SearchMetadata(RankedMetadata):
    """The block of a search."""

    low_confidence: bool
    suggested_action: NotRequired[str | None]


class SearchedFiles(TypedDict):
    """What a search for text was over."""

    files: int
    skipped: dict[str, int]


class SearchAnswer(TypedDict):
    """The answer of `search_code`."""

    results: list[Found]
    total_candidates: int
    empty_reason: NotRequired[str]
    filtered_out: NotRequired[dict[str, int]]
    languages: NotRequired[list[str]]
    searched: NotRequired[SearchedFiles]
    metadata: SearchMetadata


class ExplainedPlace(TypedDict):
    """A region that was asked about, or one before it."""

    path: str
    line_start: int
    kind: NotRequired[str]
    qualified_name: NotRequired[str]


class Scoring(TypedDict):
    """A score and what it is the sum of."""

    total: float
    signal_accounting: list[Contribution]


class SignalDifference(TypedDict):
    """What a signal gives two regions."""

    signal: str
    difference: float


class BeatenBy(ExplainedPlace):
    """A region before the one asked about."""

    rank: int
    score: float
    ahead_by: float
    signals: list[SignalDifference]


class ExplainAnswer(TypedDict):
    """The answer of `explain_ranking`: a score, or why there is none."""

    result: ExplainedPlace
    total_candidates: int
    rank: NotRequired[int]
    candidate_rank: NotRequired[int]
    duplicate_of: NotRequired[str]
    scoring: NotRequired[Scoring]
    scoring_details: NotRequired[dict[str, str]]
    beaten_by: NotRequired[list[BeatenBy]]
    explanation: NotRequired[str]
    metadata: Metadata


class MatchedLine(TypedDict):
    """A line that holds what was looked for."""

    path: str
    line: int
    column: int
    text: str
    before: NotRequired[list[str]]
    after: NotRequired[list[str]]


class TextAnswer(TypedDict):
    """The answer of `search_text`."""

    results: list[MatchedLine]
    total_matches: int
    total_files: int
    case: str
    searched: SearchedFiles
    empty_reason: NotRequired[str]
    filtered_out: NotRequired[int]
    metadata: Metadata


class SourceAnswer(TypedDict):
    """The answer of `read_symbol`."""

    path: str
    line_start: int
    line_end: int
    kind: NotRequired[str]
    qualified_name: NotRequired[str]
    match: NotRequired[str]
    source: str
    omitted_lines: NotRequired[int]
    metadata: Metadata


class Outlined(TypedDict):
    """A symbol with the symbols inside it."""

    name: str
    kind: str
    line_start: int
    line_end: int
    signature: NotRequired[str]
    children: NotRequired[list["Outlined"]]


class OutlineMetadata(Metadata):
    """The block of an outline."""

    symbol_count: int


class OutlineAnswer(TypedDict):
    """The answer of `get_file_outline`."""

    file_path: str
    language: str | None
    symbols: list[Outlined]
    skip_reason: NotRequired[str]
    metadata: OutlineMetadata


class SyncAnswer(TypedDict):
    """The answer of `sync_repo`."""

    mode: str
    generation: int
    changed_files: int
    indexed_files: int
    removed_files: int
    symbols_extracted: int
    duration_ms: int
    metadata: Metadata


class IndexAnswer(SyncAnswer):
    """The answer of `index_repo`, with the counts of the ref."""

    file_count: NotRequired[int]
    symbol_count: NotRequired[int]
    skipped: NotRequired[dict[str, int]]
    semantic: NotRequired[SemanticReport]
    download_problem: NotRequired[str]


class Job(TypedDict):
    """A run of the indexer."""

    ref: str
    mode: str
    status: str
    pid: int
    files_total: int
    files_indexed: int
    error_message: NotRequired[str]
    created_at_ns: int
    updated_at_ns: int
    duration_ms: int


class Interruption(TypedDict):
    """Runs that did not end."""

    interrupted_jobs: int
    recommended_action: str


class LanguageLine(TypedDict):
    """How deep one language is read."""

    language: str
    file_count: int
    capabilities: dict[str, bool]


class StatusAnswer(TypedDict):
    """The answer of `index_status`; the numbers are there once there is an index."""

    repo_root: str
    ref: str
    index_status: str
    compatibility_reason: NotRequired[str]
    generation: NotRequired[int]
    file_count: NotRequired[int]
    symbol_count: NotRequired[int]
    skipped: NotRequired[dict[str, int]]
    last_indexed_at_ns: NotRequired[int]
    last_indexed_commit: NotRequired[str | None]
    recent_jobs: NotRequired[list[Job]]
    active_job: NotRequired[Job]
    interrupted_recovery_report: NotRequired[Interruption]
    languages: NotRequired[list[LanguageLine]]
    semantic: SemanticReport
    semantic_profile_recommendation: NotRequired[ProfileAdvice]
    metadata: Metadata


class WhyAnswer(TypedDict):
    """The answer of `cruxe why`."""

    path: str
    status: str
    reason: str
    detail: str


class Check(TypedDict):
    """One check of `health_check`."""

    check: str
    ok: bool
    problem: NotRequired[str]


class HealthAnswer(TypedDict):
    """The answer of `health_check`."""

    status: str
    checks: list[Check]
    semantic: SemanticReport
    semantic_profile_recommendation: NotRequired[ProfileAdvice]


class CollectAnswer(TypedDict):
    """The answer of `cruxe gc`."""

    dropped_refs: list[str]
    dropped_versions: int
    freed_bytes: int
    duration_ms: int


class Setting(TypedDict):
    """A setting and its origin."""

    key: str
    value: str
    origin: str


class ConfigAnswer(TypedDict):
    """The answer of `cruxe config show`."""

    settings: list[Setting]


class InitAnswer(TypedDict):
    """The answer of `cruxe init`."""

    repo_root: str
    ref: str
    vcs_mode: bool
    store: str
    is_new: bool


class SetupFile(TypedDict):
    """What happened to one file of a client."""

    path: str
    kind: str
    status: str
    reason: NotRequired[str]
    remedy: NotRequired[str]
    diff: NotRequired[str]


class SetupAnswer(TypedDict):
    """What `cruxe setup` did."""

    client: str
    scope: str
    action: str
    dry_run: bool
    command: list[str]
    files: list[SetupFile]
    notes: list[str]
