"""The reading of a query as answers give it."""

from cruxe.model.intent import QueryReading
from cruxe.respond.search_metadata import intent_metadata, intent_stats

SURE = QueryReading((0.9, 0.04, 0.03, 0.01, 0.01, 0.01))
UNSURE = QueryReading((0.46, 0.44, 0.05, 0.02, 0.01, 0.02))


def test_the_statistics_of_a_sure_reading() -> None:
    assert intent_stats(SURE) == {
        "type": "code",
        "effectiveType": "code",
        "confidenceByType": {"code": 0.9, "prose": 0.04, "path": 0.01, "url": 0.01, "mixed": 0.04},
        "confidence": 0.9,
        "confidenceMargin": 0.86,
        "confidenceBucket": "high",
        "abstain": False,
        "state": "certain",
    }


def test_the_statistics_of_an_unsure_reading_abstain_to_mixed() -> None:
    assert intent_stats(UNSURE) == {
        "type": "code",
        "effectiveType": "mixed",
        "confidenceByType": {"code": 0.46, "prose": 0.44, "path": 0.02, "url": 0.01, "mixed": 0.07},
        "confidence": 0.46,
        "confidenceMargin": 0.02,
        "confidenceBucket": "low",
        "abstain": True,
        "state": "uncertain",
    }


def test_a_sure_reading_gives_no_hint() -> None:
    assert intent_metadata(SURE) == {
        "query_intent_confidence": 0.9,
        "intent_escalation_hint": None,
    }


def test_an_unsure_reading_says_what_else_to_try() -> None:
    assert intent_metadata(UNSURE) == {
        "query_intent_confidence": 0.49,
        "intent_escalation_hint": (
            "Read as natural_language, but not surely;"
            " retry as symbol: locate_symbol with the exact name."
        ),
    }
