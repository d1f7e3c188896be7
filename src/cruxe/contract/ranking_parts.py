"""Parts of results that explain a rank: scores, their contributions, confidence.

Only type checkers and schema generation import this.
"""

from typing import Literal, NotRequired, TypedDict

from cruxe.model.intent import ConfidenceBucket, IntentType


class SignalContribution(TypedDict):
    """What one signal adds to a score."""

    signal: str
    raw: float
    clamped: float
    effective: float


class RankingReason(TypedDict):
    """Why a result ranks where it does; which factors it names depends on the explain level."""

    result_index: int
    definition_boost: float
    final_score: float
    exact_match: NotRequired[float]
    path_boost: NotRequired[float]
    semantic_similarity: NotRequired[float]
    exact_match_boost: NotRequired[float]
    qualified_name_boost: NotRequired[float]
    path_affinity: NotRequired[float]
    kind_match: NotRequired[float]
    bm25_score: NotRequired[float]
    contributions: NotRequired[list[SignalContribution]]


class ExplainedRegion(TypedDict):
    """The region that `explain_ranking` is about, or one that ranks before it."""

    path: str
    line_start: int
    line_end: NotRequired[int]
    kind: NotRequired[str]
    name: NotRequired[str]
    qualified_name: NotRequired[str]
    result_id: NotRequired[str]


class ScoringFactors(TypedDict):
    """The contributions to a score, summed by factor."""

    bm25: float
    exact_match: float
    qualified_name: float
    path_affinity: float
    definition_boost: float
    kind_match: float
    test_file_penalty: float


class Scoring(ScoringFactors):
    """A score and the contributions that it is the sum of."""

    total: float
    signal_accounting: list[SignalContribution]


class SignalDifference(TypedDict):
    """What one signal contributes to two regions."""

    signal: str
    theirs: float
    ours: float
    difference: float


class BeatenBy(ExplainedRegion):
    """A region that ranks before the one that was asked about."""

    rank: int
    score: float
    ahead_by: float
    signals: list[SignalDifference]


class CandidateRegion(TypedDict):
    """Another region of the same file that is a candidate."""

    line_start: int
    line_end: int
    place: int


class IntentStats(TypedDict):
    """How a query was classified."""

    type: IntentType
    effectiveType: IntentType
    confidenceByType: dict[IntentType, float]
    confidence: float
    confidenceMargin: float
    confidenceBucket: ConfidenceBucket
    abstain: bool
    state: Literal["certain", "uncertain"]


class BucketBounds(TypedDict):
    """The bounds of a confidence bucket."""

    minInclusive: float
    maxExclusive: NotRequired[float]
    maxInclusive: NotRequired[float]


class TrustConfidence(TypedDict):
    """The confidence of a result, and the bucket it falls into."""

    value: float
    margin: float
    bucket: ConfidenceBucket
    buckets: dict[ConfidenceBucket, BucketBounds]


class TrustSignals(TypedDict):
    """What weakens a result."""

    intentAbstained: bool
    noResults: bool
    lowCoverage: bool
    narrowMargin: bool
    channelsDisagree: bool
    parseFallback: bool
    staleIndex: bool
    droppedResults: bool
    semanticMissing: bool


class TrustStats(TypedDict):
    """How far a result can be trusted."""

    schemaVersion: int
    confidence: TrustConfidence
    signals: TrustSignals
    reasonCodes: list[str]


class SearchStats(TypedDict):
    """The statistics of a search at explain level `full`."""

    intent: IntentStats
    trust: TrustStats
