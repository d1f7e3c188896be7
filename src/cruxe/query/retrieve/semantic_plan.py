"""Whether and how far vectors take part in a ranking.

`plan_semantics` decides by settings, request and store before anything is searched; `decide`
decides by the first lexical hit.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.config.setting_choices import EmbeddingProvider, RerankProvider
from cruxe.embed.embedding_model import EmbeddingUnavailableError
from cruxe.embed.models import QUESTION_TIMEOUT_MS, are_gates_open, embedding_model, encoder_for
from cruxe.model.intent import QueryIntent, QueryReading
from cruxe.model.levels import SemanticMode
from cruxe.model.semantics import SemanticRun, Semantics, SemanticSkip
from cruxe.query.rank.policy import DEEP_ROWS, FITTED_RATIO, STANDARD_ROWS, SURE_SCORE
from cruxe.query.retrieve.dense import DenseChannel
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.understand.analysis import content_of

if TYPE_CHECKING:
    from cruxe.config.settings import SemanticSettings, Settings
    from cruxe.model.specs import SearchSpec

_DIGITS: Final = 6


class SemanticPlan(NamedTuple):
    """What a query may do with vectors."""

    channel: DenseChannel | None = None
    skipped: SemanticSkip | None = SemanticSkip.DISABLED  # why there is no channel
    ratio: float = 0.0  # the largest share of a score that similarity may give
    short_circuit: float = 1.0  # lexical confidence from which vectors are skipped
    deep_below: float = 0.0  # lexical confidence below which more rows are compared


LEXICAL_ONLY: Final = SemanticPlan()


class Reranking(NamedTuple):
    """What a reranker did."""

    provider: RerankProvider = RerankProvider.NONE  # whose order is shown
    has_fallback: bool = False  # the settings ask for another
    is_blocked: bool = False  # because a privacy gate is closed


def plan_semantics(
    settings: "Settings", spec: "SearchSpec", reading: QueryReading, opened: OpenedRef
) -> SemanticPlan:
    """Decide what can be decided before anything is searched."""
    semantic = settings.semantic
    ratio = _ratio(semantic, spec)
    skipped = _skip(semantic, reading.intent, ratio)
    if skipped is not None:
        return SemanticPlan(skipped=skipped)
    channel = _channel(semantic, spec.query, opened)
    if isinstance(channel, SemanticSkip):
        return SemanticPlan(skipped=channel)
    adaptive = settings.search.adaptive_plan
    return SemanticPlan(
        channel=channel,
        skipped=None,
        ratio=ratio,
        short_circuit=semantic.lexical_short_circuit_threshold,
        deep_below=adaptive.low_confidence_threshold if adaptive.enabled else 0.0,
    )


def decide(plan: SemanticPlan, best_score: float) -> SemanticRun:
    """Decide what vectors do, given the score of the first lexical hit."""
    confidence = round(min(1.0, best_score / SURE_SCORE), _DIGITS)
    if plan.channel is None:
        return SemanticRun(skipped=plan.skipped, lexical_confidence=confidence)
    if confidence >= plan.short_circuit:
        return SemanticRun(skipped=SemanticSkip.HIGH_CONFIDENCE, lexical_confidence=confidence)
    return SemanticRun(
        skipped=None,
        ratio=min(plan.ratio, FITTED_RATIO),
        lexical_confidence=confidence,
        model_version=plan.channel.model_version,
    )


def rows_to_look_at(plan: SemanticPlan, run: SemanticRun) -> int:
    """The number of rows to compare exactly: more if words find little."""
    return DEEP_ROWS if run.lexical_confidence < plan.deep_below else STANDARD_ROWS


def semantics_of(semantic: "SemanticSettings", run: SemanticRun, reranking: Reranking) -> Semantics:
    """What an answer's metadata report of vectors and the reranker."""
    is_triggered = run.skipped is None or run.skipped is SemanticSkip.NO_MATCHES
    return Semantics(
        mode=semantic.mode,
        is_enabled=semantic.mode is not SemanticMode.OFF,
        ratio_used=run.ratio,
        is_triggered=is_triggered,
        skipped_reason=run.skipped,
        is_external_blocked=is_blocked(semantic) or reranking.is_blocked,
        model_version=run.model_version,
        rerank_provider=reranking.provider,
        has_rerank_fallback=reranking.has_fallback,
        has_fallback=run.skipped is not None and run.skipped.is_fallback,
    )


def wants_reranking(semantic: "SemanticSettings") -> bool:
    """Whether the settings ask for a reranker."""
    is_off = semantic.mode is SemanticMode.OFF
    return not is_off and semantic.rerank.provider is not RerankProvider.NONE


def is_blocked(semantic: "SemanticSettings") -> bool:
    """Whether vectors are made outside this machine and a privacy gate is closed."""
    is_outside = semantic.embedding.provider is not EmbeddingProvider.LOCAL
    return is_outside and not are_gates_open(semantic)


def _ratio(semantic: "SemanticSettings", spec: "SearchSpec") -> float:
    if spec.semantic_ratio is not None:
        return spec.semantic_ratio
    of_intent = semantic.overrides.natural_language.ratio
    return semantic.ratio if of_intent is None else of_intent


def _skip(semantic: "SemanticSettings", intent: QueryIntent, ratio: float) -> SemanticSkip | None:
    if semantic.mode is SemanticMode.OFF:
        return SemanticSkip.DISABLED
    if semantic.mode is SemanticMode.RERANK_ONLY:
        return SemanticSkip.RERANK_ONLY
    if intent is not QueryIntent.NATURAL_LANGUAGE:
        return SemanticSkip.INTENT
    if not ratio:
        return SemanticSkip.RATIO_ZERO
    return SemanticSkip.BLOCKED if is_blocked(semantic) else None


def _channel(
    semantic: "SemanticSettings", query: str, opened: OpenedRef
) -> DenseChannel | SemanticSkip:
    model = embedding_model(semantic)
    if model is None:
        return SemanticSkip.MODEL_UNAVAILABLE
    reader = opened.vectors(model.version)
    if reader is None:
        return SemanticSkip.VECTORS_MISSING
    try:
        key = semantic.embedding.api_key if model.address else None
        encoder = encoder_for(model, key or None, QUESTION_TIMEOUT_MS)
        return DenseChannel(reader, encoder.query_vector(content_of(query)), model.version)
    except EmbeddingUnavailableError:
        return SemanticSkip.MODEL_UNAVAILABLE
