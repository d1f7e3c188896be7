"""The part of vectors in a query: what was requested, what ran, and why it did not."""

from enum import StrEnum
from typing import NamedTuple


class SemanticSkip(StrEnum):
    """Why vectors were not used for an answer."""

    DISABLED = "semantic_disabled"
    RERANK_ONLY = "mode_rerank_only"
    INTENT = "intent_not_nl"
    RATIO_ZERO = "semantic_ratio_zero"
    HIGH_CONFIDENCE = "lexical_high_confidence"
    BLOCKED = "external_provider_blocked"
    MODEL_UNAVAILABLE = "embedding_unavailable"
    VECTORS_MISSING = "vectors_not_ready"
    VECTORS_DAMAGED = "vectors_damaged"
    NO_MATCHES = "semantic_no_matches"

    @property
    def is_fallback(self) -> bool:
        """Whether vectors were wanted but unavailable."""
        return self in (
            SemanticSkip.BLOCKED,
            SemanticSkip.MODEL_UNAVAILABLE,
            SemanticSkip.VECTORS_MISSING,
            SemanticSkip.VECTORS_DAMAGED,
        )


class SemanticRun(NamedTuple):
    """How vectors were used in a ranking."""

    skipped: SemanticSkip | None  # None if they were used
    ratio: float = 0.0  # the largest share of a score that they could contribute
    lexical_confidence: float = 0.0
    model_version: str | None = None  # of the vectors that were searched


class Semantics(NamedTuple):
    """What an answer reports about vectors and rerankers; by default that none was used."""

    mode: str = "off"
    is_enabled: bool = False
    ratio_used: float = 0.0
    is_triggered: bool = False
    skipped_reason: str | None = "semantic_disabled"
    is_external_blocked: bool = False
    model_version: str | None = None
    rerank_provider: str = "none"
    has_rerank_fallback: bool = False
    has_fallback: bool = False
