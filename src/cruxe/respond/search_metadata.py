"""The metadata of `search_code`: which channels ran, confidence, suggestions."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.hits import Confidence
from cruxe.model.intent import (
    PROBABILITY_DIGITS,
    QueryIntent,
    QueryReading,
    bucket_of,
    ranked,
)
from cruxe.model.semantics import Semantics

if TYPE_CHECKING:
    from cruxe.contract.ranking_parts import IntentStats
    from cruxe.contract.result_parts import IntentMetadata, RetrievalMetadata


class Asked(NamedTuple):
    """The input of suggestions."""

    query: str
    name: str  # its likeliest name; empty if it has none
    threshold: float
    defined: str = ""  # a name with a definition; empty if none is known


def search_metadata(
    asked: Asked, reading: QueryReading, confidence: Confidence, semantics: Semantics
) -> "RetrievalMetadata":
    """Return the whole block of seed 003, including false and null fields."""
    is_low = confidence.value < asked.threshold
    return {
        "semantic_mode": semantics.mode,
        "semantic_enabled": semantics.is_enabled,
        "semantic_ratio_used": semantics.ratio_used,
        "semantic_triggered": semantics.is_triggered,
        "semantic_skipped_reason": semantics.skipped_reason,
        "semantic_fallback": semantics.has_fallback,
        "external_provider_blocked": semantics.is_external_blocked,
        "embedding_model_version": semantics.model_version,
        "rerank_provider": semantics.rerank_provider,
        "rerank_fallback": semantics.has_rerank_fallback,
        "low_confidence": is_low,
        "suggested_action": suggested_action(asked, reading.intent, confidence) if is_low else None,
        "confidence_threshold": asked.threshold,
        "top_score": confidence.top_score,
        "score_margin": confidence.score_margin,
        "channel_agreement": confidence.channel_agreement,
        **intent_metadata(reading),
    }


def suggested_action(asked: Asked, intent: QueryIntent, confidence: Confidence) -> str:
    """Return what to do about an answer with low confidence."""
    if not confidence.top_score:
        from cruxe.respond.empty_answer import suggested_action_if_empty

        return suggested_action_if_empty(asked.query, intent)
    if intent is QueryIntent.SYMBOL:
        name = asked.name or asked.query
        return f"Try search_code with natural language: 'where is {name} defined'"
    return _look_up(asked)


def _look_up(asked: Asked) -> str:
    """Suggest a lookup; `locate_symbol` only for a name that has a definition."""
    if asked.defined:
        return f"Try locate_symbol with '{asked.defined}'"
    if asked.name:
        return f"Try search_text with '{asked.name}'"
    return "Try broader search terms or check index status."


# At this confidence one reading in three is wrong, so a second try is worthwhile.
_ESCALATE_BELOW: Final = 0.65
_SECOND_TRIES: Final = {
    QueryIntent.SYMBOL: "retry as symbol: locate_symbol with the exact name",
    QueryIntent.NATURAL_LANGUAGE: "retry as natural_language: say in a sentence what is looked for",
    QueryIntent.PATH: "retry as path: give the path with its folders or its extension",
    QueryIntent.ERROR: "retry as error: search_text with the exact message",
}


def intent_metadata(reading: QueryReading) -> "IntentMetadata":
    """Return the metadata fields about the intent."""
    return {
        "query_intent_confidence": reading.intent_confidence,
        "intent_escalation_hint": escalation_hint(reading),
    }


def escalation_hint(reading: QueryReading) -> str | None:
    """Return what to try if the query was misread, or None if the reading is sure enough."""
    if reading.intent_confidence >= _ESCALATE_BELOW:
        return None
    first, second, *_ = ranked(reading.by_intent)
    return f"Read as {first}, but not surely; {_SECOND_TRIES[second]}."


def intent_stats(reading: QueryReading) -> "IntentStats":
    """Return the object `stats.intent`."""
    by_type = reading.by_type
    first, second, *_ = sorted(by_type.values(), reverse=True)
    return {
        "type": reading.type,
        "effectiveType": reading.effective_type,
        "confidenceByType": by_type,
        "confidence": first,
        "confidenceMargin": round(first - second, PROBABILITY_DIGITS),
        "confidenceBucket": bucket_of(first),
        "abstain": reading.abstains,
        "state": "uncertain" if reading.abstains else "certain",
    }
