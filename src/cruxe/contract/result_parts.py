"""Parts of results: metadata, items, explanations, reports.

Only type checkers and schema generation import this. A running tool builds plain dictionaries.
"""

from typing import Literal, NotRequired, TypedDict

from cruxe.contract.ranking_parts import (
    BeatenBy,
    CandidateRegion,
    RankingReason,
    Scoring,
    SearchStats,
)
from cruxe.model.hits import MatchTier, Provenance
from cruxe.model.levels import (
    AnswerFormat,
    ContentMode,
    DetailLevel,
    FreshnessBasis,
    FreshnessStatus,
    IndexingStatus,
    ResultCompleteness,
    SchemaStatus,
)
from cruxe.model.outcomes import CaseRule, EmptyReason, UnrankedReason


class ConfigWarnings(TypedDict, total=False):
    """The metadata of a result that says nothing of the code."""

    warnings: list[str]


class ScannedFiles(TypedDict):
    """How far a scan got that stands in for the index."""

    files: int
    total_files: int


class PendingChanges(TypedDict, total=False):
    """What of the working tree a stale answer lacks, as far as that is known."""

    files: int
    paths: list[str]  # the first of them
    unchecked_files: int  # not compared: each may have changed


class MetadataBlock(TypedDict):
    """The metadata of every result about the code."""

    codecompass_protocol_version: str
    freshness_status: FreshnessStatus
    indexing_status: IndexingStatus
    result_completeness: ResultCompleteness
    ref: str
    schema_status: SchemaStatus
    freshness_basis: NotRequired[FreshnessBasis]
    pending_changes: NotRequired[PendingChanges]
    safety_limit_applied: NotRequired[bool]
    answered_from: NotRequired[Literal["scan"]]
    scanned: NotRequired[ScannedFiles]
    warnings: NotRequired[list[str]]


class RankedMetadata(MetadataBlock):
    """The metadata of a ranked list."""

    dropped_stale: NotRequired[int]
    suppressed_duplicate_count: NotRequired[int]
    relaxed_demands: NotRequired[list[str]]  # of the query, that nothing satisfies
    ranking_reasons: NotRequired[list[RankingReason]]


class IntentMetadata(TypedDict):
    """How surely the intent of a query was recognised."""

    query_intent_confidence: float
    intent_escalation_hint: str | None


class RetrievalMetadata(IntentMetadata):
    """Which channels a search used, and how confident its result is."""

    semantic_mode: str
    semantic_enabled: bool
    semantic_ratio_used: float
    semantic_triggered: bool
    semantic_skipped_reason: str | None
    semantic_fallback: bool
    external_provider_blocked: bool
    embedding_model_version: str | None
    rerank_provider: str
    rerank_fallback: bool
    low_confidence: bool
    suggested_action: str | None
    confidence_threshold: float
    top_score: float
    score_margin: float
    channel_agreement: float


class SearchMetadata(RankedMetadata, RetrievalMetadata):
    """The metadata of `search_code`."""

    unknown_terms: NotRequired[list[str]]  # identifiers in the query that do not occur


class LocateMetadata(RankedMetadata):
    """The metadata of `locate_symbol`; the last two if the name occurs nowhere."""

    unknown_terms: NotRequired[list[str]]
    low_confidence: NotRequired[bool]


class OutlineMetadata(MetadataBlock):
    """The metadata of `get_file_outline`."""

    symbol_count: int


class SuggestedAction(TypedDict):
    """A call to try next: a tool and some of its arguments."""

    tool: str
    name: NotRequired[str]
    query: NotRequired[str]
    symbol: NotRequired[str]
    pattern: NotRequired[str]
    regex: NotRequired[bool]
    case: NotRequired[CaseRule]
    path: NotRequired[str]
    depth: NotRequired[Literal["top", "all"]]
    cursor: NotRequired[str]
    limit: NotRequired[int]
    compact: NotRequired[bool]
    detail_level: NotRequired[DetailLevel]
    format: NotRequired[AnswerFormat]
    force: NotRequired[bool]
    result_path: NotRequired[str]
    result_line_start: NotRequired[int]


class SearchedFiles(TypedDict):
    """Which files a search for text covered."""

    files: int
    changed_files: NotRequired[int]
    skipped: dict[str, int]  # by reason


class FilteredFields(TypedDict, total=False):
    """Why a result is empty, and what the filters have to do with it."""

    empty_reason: EmptyReason
    filtered_out: dict[str, int]  # hits that each filter alone removes


class EmptinessFields(FilteredFields, total=False):
    """Why a result is empty, and what was searched."""

    languages: list[str]  # that are not parsed
    case: CaseRule
    searched: SearchedFiles


class SymbolLocation(TypedDict):
    """A symbol that a result only names."""

    kind: str
    name: str
    path: str
    line: int


class ResultContext(TypedDict, total=False):
    """How a result starts, and the symbols around it."""

    body_preview: str
    flags: list[str]  # marks text that addresses agents
    parent: SymbolLocation
    related_symbols: list[SymbolLocation]


class SymbolDescription(TypedDict, total=False):
    """What a search result says of its symbol, or of the file's language if it has none.

    A compact result shortens `qualified_name`: `respond/compact.py`.
    """

    result_type: Literal["symbol", "snippet"]
    language: str
    provenance: Provenance
    symbol_id: str
    qualified_name: str
    signature: str
    visibility: str


class ResultText(ResultContext, total=False):
    """The text that a search result shows."""

    snippet: str
    also_at: list[str]  # near duplicates, as `path:line`


class SearchResultItem(SymbolDescription, ResultText):
    """A region that answers a query: a definition or a part of a file."""

    path: str
    line_start: int
    line_end: int
    kind: NotRequired[str]
    name: NotRequired[str]
    score: float
    result_id: str


class LocatedDescription(TypedDict, total=False):
    """What is said of a located definition beyond its location; less if it is compact."""

    symbol_id: str
    symbol_stable_id: str
    qualified_name: str
    signature: str
    language: str
    visibility: str
    match: MatchTier
    flags: list[str]


class LocateResultItem(LocatedDescription, ResultContext):
    """A definition of the name that was asked for."""

    path: str
    line_start: int
    line_end: int
    kind: str
    name: str
    score: float
    result_id: str


class BundleHit(TypedDict):
    """A result inside a bundle."""

    index: int  # in `results`
    result_id: str
    line_start: int
    line_end: int
    score: float
    mode: ContentMode


class Bundle(TypedDict):
    """The results of one file."""

    bundleId: str
    file: str | None
    language: str
    hitCount: int
    totalScore: float
    topScore: float
    modeCount: int
    modes: list[ContentMode]
    hits: list[BundleHit]


class Bundles(TypedDict):
    """The results grouped by file."""

    schemaVersion: int
    groups: list[Bundle]


class SearchExtras(TypedDict, total=False):
    """What `search_code` adds if it is asked for."""

    bundles: Bundles
    stats: SearchStats


class SymbolSource(TypedDict):
    """What `read_symbol` says of the region it read, and of its symbol."""

    path: str
    line_start: int
    line_end: int
    language: NotRequired[str]
    kind: NotRequired[str]
    name: NotRequired[str]
    qualified_name: NotRequired[str]
    symbol_id: NotRequired[str]
    symbol_stable_id: NotRequired[str]
    signature: NotRequired[str]
    visibility: NotRequired[str]
    doc: NotRequired[str]
    parent: NotRequired[SymbolLocation]
    match: NotRequired[str]
    passed_over: NotRequired[list[str]]  # others of the name: code goes before documentation
    total_passed_over: NotRequired[int]  # if not all are listed
    flags: NotRequired[list[str]]


class SourceRemarks(TypedDict, total=False):
    """How much of the source was left out, and where it goes on."""

    truncated: bool
    omitted_lines: int
    suggested_next_actions: list[SuggestedAction]


class OutlineSymbol(TypedDict):
    """A symbol with the symbols nested in it."""

    symbol_id: NotRequired[str]  # absent if it is not in the index yet
    name: str
    qualified_name: NotRequired[
        str
    ]  # only if it is not that of the parent, or the module, and name
    kind: str
    line_start: int
    line_end: int
    signature: NotRequired[str]
    visibility: NotRequired[str]  # absent if public
    flags: NotRequired[list[str]]
    children: NotRequired[list["OutlineSymbol"]]
    omitted: NotRequired[int]


class OutlineRemarks(TypedDict, total=False):
    """Why an outline has no symbols or not all."""

    skip_reason: str
    omitted: int
    suggested_next_actions: list[SuggestedAction]


class TextRemarks(TypedDict, total=False):
    """Where a search for text goes on, or why it found nothing."""

    next_cursor: str
    empty_reason: EmptyReason
    filtered_out: int
    suggested_next_actions: list[SuggestedAction]


class TextMatch(TypedDict):
    """A line that matches."""

    path: str
    line: int
    column: int
    text: str
    flags: NotRequired[list[str]]
    before: NotRequired[list[str]]
    after: NotRequired[list[str]]


class RankedFields(TypedDict, total=False):
    """What `explain_ranking` says of a region that ranks."""

    rank: int
    candidate_rank: int
    duplicate_of: str
    scoring: Scoring
    scoring_details: dict[str, str]
    beaten_by: list[BeatenBy]


class UnrankedFields(TypedDict, total=False):
    """What `explain_ranking` says of a region that does not rank."""

    unranked_reason: UnrankedReason
    explanation: str
    skip_reason: str
    filters: list[str]
    candidate_regions: list[CandidateRegion]
    terms: list[str]
    held_terms: list[str]
    suggested_next_actions: list[SuggestedAction]
