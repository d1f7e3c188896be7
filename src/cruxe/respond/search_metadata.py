"""The metadata of `search_code`: what ran, how sure the answer is, what to try instead."""

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
    """What suggestions are made from."""

    query: str
    name: str  # what in it is likeliest a name; empty where nothing is
    threshold: float
    defined: str = ""  # a name that has a definition; empty where none is known


def search_metadata(
    asked: Asked, reading: QueryReading, confidence: Confidence, semantics: Semantics
) -> "RetrievalMetadata":
    """The whole block of seed 003, false and null included."""
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
    """What to do about an answer that is not sure."""
    if not confidence.top_score:
        from cruxe.respond.empty_answer import suggested_action_if_empty

        return suggested_action_if_empty(asked.query, intent)
    if intent is QueryIntent.SYMBOL:
        name = asked.name or asked.query
        return f"Try search_code with natural language: 'where is {name} defined'"
    return _look_up(asked)


def _look_up(asked: Asked) -> str:
    """Only what has a definition is looked up by name."""
    if asked.defined:
        return f"Try locate_symbol with '{asked.defined}'"
    if asked.name:
        return f"Try search_text with '{asked.name}'"
    return "Try broader search terms or check index status."


# As sure as this a reading is wrong once in three times: worth a second try.
_ESCALATE_BELOW: Final = 0.65
_SECOND_TRIES: Final = {
    QueryIntent.SYMBOL: "retry as symbol: locate_symbol with the exact name",
    QueryIntent.NATURAL_LANGUAGE: "retry as natural_language: say in a sentence what is looked for",
    QueryIntent.PATH: "retry as path: give the path with its folders or its extension",
    QueryIntent.ERROR: "retry as error: search_text with the exact message",
}


def intent_metadata(reading: QueryReading) -> "IntentMetadata":
    """The fields of the metadata that speak of the intent."""
    return {
        "query_intent_confidence": reading.intent_confidence,
        "intent_escalation_hint": escalation_hint(reading),
    }


def escalation_hint(reading: QueryReading) -> str | None:
    """What to try if the query was read wrongly; nothing where the reading is sure enough."""
    if reading.intent_confidence >= _ESCALATE_BELOW:
        return None
    first, second, *_ = ranked(reading.by_intent)
    return f"Read as {first}, but not surely; {_SECOND_TRIES[second]}."


def intent_stats(reading: QueryReading) -> "IntentStats":
    """The object `stats.intent`."""
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
