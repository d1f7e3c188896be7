"""How a region's start is shown, and how answers give the reading of a query."""

from cruxe.model.intent import QueryReading
from cruxe.respond.search_answer import (
    PREVIEW_CHARACTERS,
    PREVIEW_LINES,
    intent_metadata,
    intent_stats,
    preview,
)


def test_a_preview_is_whole_within_its_lines_and_characters() -> None:
    short = [f"line {number}" for number in range(PREVIEW_LINES)]

    assert preview(short) == "\n".join(short)
    assert preview([]) == ""


def test_a_preview_ends_with_a_whole_line_and_a_mark_where_more_follows() -> None:
    many = [f"line {number}" for number in range(PREVIEW_LINES + 1)]
    wide = ["x" * 150] * 12

    assert preview(many) == "\n".join([*many[:PREVIEW_LINES], "…"])
    assert preview(wide) == "\n".join([*wide[: PREVIEW_CHARACTERS // 151], "…"])


def test_a_preview_has_a_first_line_of_bearable_length() -> None:
    assert preview(["x" * 5_000]) == "x" * 200 + " …"


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
        "intent_escalation_hint": "retry as symbol: locate_symbol with the exact name",
    }
