"""Reading a query never fails, and its numbers always fit together."""

import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cruxe.config.setting_choices import IntentRule
from cruxe.config.settings import IntentSettings
from cruxe.model.intent import ConfidenceBucket, IntentType, bucket_of
from cruxe.query.understand.intent_classifier import classify_intent
from cruxe.respond.search_answer import escalation_hint, intent_stats

ANY_TEXT = st.text(st.characters())  # with surrogates
PIECES = st.lists(
    st.sampled_from(
        [
            *("how ", "parse_it", " src/", ".py", ":12", "error: ", '"', "`", "::", "(", ")"),
            *("https://", "www.", "\n  at ", "failed ", "class ", "*", "\\", "\0", "é", "漢字"),
            *(" -> ", " "),
        ]
    )
).map("".join)
QUERIES = st.one_of(ANY_TEXT, PIECES)
ORDERS = st.permutations(list(IntentRule)).flatmap(
    lambda rules: st.integers(0, len(rules)).map(lambda count: tuple(rules[:count]))
)


@given(query=QUERIES, order=ORDERS)
@example(query="", order=())
@example(query="\ud800", order=tuple(IntentRule))
def test_any_query_under_any_order_has_probabilities(
    query: str, order: tuple[IntentRule, ...]
) -> None:
    reading = classify_intent(query, IntentSettings(rule_order=order))

    assert reading == classify_intent(query, IntentSettings(rule_order=order))
    for view in (reading.probabilities, reading.by_intent.values(), reading.by_type.values()):
        assert all(0.0 <= share <= 1.0 for share in view)
        assert abs(sum(view) - 1.0) < 1e-9


@given(query=QUERIES)
def test_low_confidence_abstains_to_mixed_and_no_other_does(query: str) -> None:
    reading = classify_intent(query, IntentSettings())
    is_low = bucket_of(reading.type_confidence) is ConfidenceBucket.LOW

    assert reading.abstains == is_low
    assert reading.effective_type is (IntentType.MIXED if is_low else reading.type)
    assert reading.by_type[reading.type] == reading.type_confidence


@given(query=QUERIES)
def test_the_statistics_say_what_the_reading_says(query: str) -> None:
    reading = classify_intent(query, IntentSettings())
    stats = intent_stats(reading)

    assert list(stats) == [
        *("type", "effectiveType", "confidenceByType", "confidence", "confidenceMargin"),
        *("confidenceBucket", "abstain", "state"),
    ]
    assert stats["abstain"] is (stats["confidenceBucket"] == "low")
    assert stats["state"] == ("uncertain" if stats["abstain"] else "certain")
    assert (escalation_hint(reading) is None) is (reading.intent_confidence >= 0.65)


@settings(max_examples=20)
@given(piece=PIECES, seed=st.integers(0, 2**32))
@example(piece="a(", seed=0)
@example(piece='File "', seed=0)
@example(piece="\n", seed=0)
@example(piece="select from ", seed=0)
def test_a_hundred_kilobytes_are_read_as_their_start_is(piece: str, seed: int) -> None:
    # Not a time: whatever follows the part that is read must not even be looked at.
    start = "x" + (piece or "x") * 2_000
    noise = "".join(random.Random(seed).choices("ab (:/.\n", k=100_000))  # noqa: S311 - no secret

    assert classify_intent(start + noise, IntentSettings()) == classify_intent(
        start + "y", IntentSettings()
    )
