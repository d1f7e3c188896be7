"""The reading of a query as answers give it: fields of the metadata, and `stats.intent`."""

from typing import TYPE_CHECKING, Final

from cruxe.model.intent import (
    PROBABILITY_DIGITS,
    QueryIntent,
    QueryReading,
    bucket_of,
    ranked,
)

if TYPE_CHECKING:
    from cruxe.contract.ranking_parts import IntentStats
    from cruxe.contract.result_parts import IntentMetadata

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
