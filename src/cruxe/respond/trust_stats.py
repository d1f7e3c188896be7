"""The object `stats.trust`: the confidence of an answer and what weakens it."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.hits import Confidence
from cruxe.model.intent import (
    HIGH_CONFIDENCE,
    MEDIUM_CONFIDENCE,
    ConfidenceBucket,
    QueryReading,
    bucket_of,
)
from cruxe.respond.search_answer import METADATA_DIGITS

if TYPE_CHECKING:
    from cruxe.contract.ranking_parts import BucketBounds, TrustSignals, TrustStats

_SCHEMA_VERSION: Final = 1
_BUCKETS: Final["dict[ConfidenceBucket, BucketBounds]"] = {
    ConfidenceBucket.LOW: {"minInclusive": 0.0, "maxExclusive": MEDIUM_CONFIDENCE},
    ConfidenceBucket.MEDIUM: {
        "minInclusive": MEDIUM_CONFIDENCE,
        "maxExclusive": HIGH_CONFIDENCE,
    },
    ConfidenceBucket.HIGH: {"minInclusive": HIGH_CONFIDENCE, "maxInclusive": 1.0},
}
# Half of the query's terms, by weight, are missing from the best result.
_LOW_COVERAGE: Final = 0.5
# At this margin the order of the first two results is arbitrary.
_NARROW_MARGIN: Final = 0.02
_LOW_AGREEMENT: Final = 0.4


class Degradations(NamedTuple):
    """The known weaknesses of an answer."""

    is_empty: bool
    is_stale: bool
    has_dropped: bool  # results whose lines no longer exist
    is_unparsed: bool  # the best result is in no definition and has none in it
    is_semantic: bool  # words and vectors were both searched
    is_semantic_missing: bool  # vectors were wanted but not used


def trust_stats(reading: QueryReading, confidence: Confidence, wrong: Degradations) -> "TrustStats":
    """Return the object `stats.trust`."""
    signals: TrustSignals = {
        "intentAbstained": reading.abstains,
        "noResults": wrong.is_empty,
        "lowCoverage": not wrong.is_empty and confidence.term_coverage < _LOW_COVERAGE,
        "narrowMargin": not wrong.is_empty and confidence.score_margin < _NARROW_MARGIN,
        "channelsDisagree": wrong.is_semantic and confidence.channel_agreement < _LOW_AGREEMENT,
        "parseFallback": wrong.is_unparsed,
        "staleIndex": wrong.is_stale,
        "droppedResults": wrong.has_dropped,
        "semanticMissing": wrong.is_semantic_missing,
    }
    return {
        "schemaVersion": _SCHEMA_VERSION,
        "confidence": {
            "value": confidence.value,
            "margin": round(confidence.score_margin, METADATA_DIGITS),
            "bucket": bucket_of(confidence.value),
            "buckets": _BUCKETS,
        },
        "signals": signals,
        "reasonCodes": [_code(name) for name, is_set in signals.items() if is_set],
    }


def _code(signal: str) -> str:
    """Convert a signal name to a code: `staleIndex` to `stale_index`."""
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in signal)
