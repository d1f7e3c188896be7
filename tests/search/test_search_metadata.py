"""What every answer says of itself: its state, what ran, how sure it is, what to try instead."""

from pathlib import Path

import pytest

from cruxe.model.errors import IndexNotReadyError, InvalidInputError, RefNotIndexedError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.polyglot import (
    FEATURE_BRANCH,
    Failure,
    Polyglot,
    metadata_of,
    open_with,
    results_of,
)
from tests.support.repositories import MakeRepo

ALWAYS = [
    *("codecompass_protocol_version", "freshness_status", "indexing_status"),
    *("result_completeness", "ref", "schema_status"),
]
SEED_003 = [
    *("semantic_mode", "semantic_enabled", "semantic_ratio_used", "semantic_triggered"),
    *("semantic_skipped_reason", "semantic_fallback", "external_provider_blocked"),
    *("embedding_model_version", "rerank_provider", "rerank_fallback", "low_confidence"),
    *("suggested_action", "confidence_threshold", "top_score", "score_margin"),
    *("channel_agreement", "query_intent_confidence", "intent_escalation_hint"),
]
NUMBERS = [
    *("confidence_threshold", "top_score", "score_margin", "channel_agreement"),
    *("query_intent_confidence", "semantic_ratio_used"),
]
QUERIES = [
    *("RateLimiter", "how are requests limited", "server/router.go", "zzznothing", "of the"),
    *("error: signature does not match", '"no such phrase anywhere"', "📦", "a b c d e"),
]


@requirement("S003-METADATA")
@pytest.mark.parametrize("query", QUERIES)
def test_the_whole_block_is_in_every_answer(harbor: Repository, query: str) -> None:
    answer = harbor.search_code(query)
    metadata = metadata_of(answer)

    assert [key for key in (*ALWAYS, *SEED_003) if key not in metadata] == []
    assert {key: metadata[key] for key in ALWAYS} == {
        "codecompass_protocol_version": "1.0",
        "freshness_status": "fresh",
        "indexing_status": "ready",
        "result_completeness": "complete",
        "ref": "main",
        "schema_status": "compatible",
    }
    for key in NUMBERS:
        value = metadata[key]
        assert isinstance(value, float)
        assert 0.0 <= value <= 1.0
    assert (metadata["suggested_action"] is None) == (metadata["low_confidence"] is False)
    keys = ["results", "query_intent", "total_candidates", "suggested_next_actions", "metadata"]
    assert [key for key in keys if key not in answer] == []


def test_only_known_keys_are_in_an_answer(harbor: Repository) -> None:
    answer = harbor.search_code("client", limit=1, ranking_explain_level="basic")

    assert sorted(answer) == [
        *("metadata", "next_cursor", "query_intent", "results"),
        *("suggested_next_actions", "total_candidates"),
    ]
    assert sorted(metadata_of(answer)) == sorted([*ALWAYS, *SEED_003, "ranking_reasons"])


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("RateLimiter", "symbol"),
        ("harbor::rate_limit::TokenBucket", "symbol"),
        ("where are requests limited per client", "natural_language"),
        ("src/harbor/rate_limit.py", "path"),
        ("https://example.org/a/b", "path"),
        ("ValueError: signature does not match", "error"),
    ],
)
def test_an_intent_is_one_of_four(harbor: Repository, query: str, intent: str) -> None:
    assert harbor.search_code(query)["query_intent"] == intent


@requirement("S003-INTENT-HINT")
def test_an_unsure_intent_gives_a_hint_and_a_sure_one_none(harbor: Repository) -> None:
    for query in (*QUERIES, "parse", "cache evict", "config limits", "Error handling", "a/b"):
        metadata = metadata_of(harbor.search_code(query))
        confidence = metadata["query_intent_confidence"]
        assert isinstance(confidence, float)
        assert (metadata["intent_escalation_hint"] is None) == (confidence >= 0.65), query


@requirement("S003-THRESHOLD")
def test_the_threshold_decides_what_counts_as_low_and_is_told(
    polyglot: Polyglot, harbor: Repository, tmp_path: Path
) -> None:
    configured = open_with(polyglot, tmp_path, "[semantic]\nconfidence_threshold = 0.99")
    query = "how are requests limited"

    def judged(opened: Repository, threshold: float | None = None) -> tuple[object, object]:
        metadata = metadata_of(opened.search_code(query, confidence_threshold=threshold))
        return metadata["confidence_threshold"], metadata["low_confidence"]

    assert judged(harbor) == (0.5, False)
    assert judged(harbor, 0.99) == (0.99, True)
    assert judged(configured) == (0.99, True)
    assert judged(configured, 0.0) == (0.0, False)


@requirement("SEARCH-ARGUMENTS")
@pytest.mark.parametrize("threshold", [-0.01, 1.01, float("nan"), float("inf")])
def test_a_threshold_that_is_no_share_is_invalid_input(
    harbor: Repository, threshold: float
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        harbor.search_code("x", confidence_threshold=threshold)

    assert Failure.of(caught.value) == Failure(
        "invalid_input",
        f"confidence_threshold is {threshold}",
        "use a number from 0 to 1",
        {"field": "confidence_threshold"},
    )


@requirement("SEARCH-ARGUMENTS")
@pytest.mark.parametrize("limit", [-1, 0, 101, 10**9])
def test_a_limit_out_of_range_is_invalid_input(harbor: Repository, limit: int) -> None:
    with pytest.raises(InvalidInputError) as caught:
        harbor.search_code("x", limit=limit)

    assert Failure.of(caught.value) == Failure(
        "invalid_input", f"limit is {limit}", "use a number from 1 to 100", {"field": "limit"}
    )


@requirement("S003-ACTION-LANGUAGE")
def test_an_unsure_answer_to_a_question_suggests_the_name_in_it(harbor: Repository) -> None:
    named = harbor.search_code("why does TokenBucket overflow", confidence_threshold=1.0)
    other = harbor.search_code("how does LruCache keep a TokenBucket", confidence_threshold=1.0)

    assert metadata_of(named)["suggested_action"] == "Try locate_symbol with 'TokenBucket'"
    assert metadata_of(other)["suggested_action"] == "Try locate_symbol with 'LruCache'"


@requirement("S003-ACTION-LANGUAGE", "SEARCH-SUGGESTED-NAME")
@pytest.mark.parametrize(
    ("query", "action"),
    [
        ("where is rate limiting implemented", "Try locate_symbol with 'check_rate_limit'"),
        ("what about exponential pauses", "Try locate_symbol with 'with_retry'"),
        (
            "why does zebra bucket overflow pauses",
            "Try locate_symbol with 'harbor.rate_limit.RateLimiter.__init__'",
        ),
        ("Größe der Schiffe heute", "Try search_text with 'Schiffe'"),
    ],
)
def test_what_an_unsure_answer_suggests_can_be_found(
    harbor: Repository, query: str, action: str
) -> None:
    answer = harbor.search_code(query, confidence_threshold=1.0)

    assert results_of(answer) != []
    assert metadata_of(answer)["suggested_action"] == action
    word = action.split("'")[1]
    if action.startswith("Try locate_symbol"):
        located = harbor.locate_symbol(word)
        assert located["matches"] == {"exact": 1}
        assert results_of(located)[0]["name"] == results_of(answer)[0]["name"]
    else:
        assert harbor.search_text(word)["total_matches"] == 1


@requirement("SEARCH-SUGGESTED-NAME")
def test_a_word_of_the_query_that_is_a_name_is_suggested_where_the_first_result_has_none(
    repo: MakeRepo,
) -> None:
    made = repo("-- NOTES.txt\nlantern ships at night\n-- a.py\ndef lantern():\n    pass\n")
    opened = open_repository(made.root)
    opened.sync_repo()

    answer = opened.search_code(
        "what lantern do ships have", path="NOTES.txt", confidence_threshold=1.0
    )

    assert results_of(answer)[0]["path"] == "NOTES.txt"
    assert metadata_of(answer)["suggested_action"] == "Try locate_symbol with 'lantern'"


@requirement("S003-ACTION-SYMBOL", "S003-ACTION-PATH", "S003-ACTION-NOTHING", "SEARCH-EMPTY")
@pytest.mark.parametrize(
    ("query", "reason", "action"),
    [
        ("zebraQuota", "confirmed_absent", "Try search_code with broader query: 'zebraQuota'"),
        (
            "zz/qq/xx.kt",
            "confirmed_absent",
            "Check file path spelling or try search_code with filename",
        ),
        (
            "how do zebras quack loudly",
            "no_match",
            "No results found. Try broader search terms or check index status.",
        ),
    ],
)
def test_an_empty_answer_suggests_what_fits_its_intent(
    harbor: Repository, query: str, reason: str, action: str
) -> None:
    answer = harbor.search_code(query, semantic_ratio=0.0)

    assert (answer["results"], answer["total_candidates"]) == ([], 0)
    assert answer["empty_reason"] == reason
    assert metadata_of(answer)["suggested_action"] == action
    assert metadata_of(answer)["low_confidence"] is True
    assert (metadata_of(answer)["top_score"], metadata_of(answer)["score_margin"]) == (0.0, 0.0)


@requirement("S003-ACTION-SYMBOL")
def test_an_unsure_symbol_suggests_a_question(harbor: Repository) -> None:
    answer = harbor.search_code("limiterBucketThing", confidence_threshold=1.0)

    assert results_of(answer) != []
    assert metadata_of(answer)["suggested_action"] == (
        "Try search_code with natural language: 'where is limiterBucketThing defined'"
    )


@requirement("SEARCH-SUGGESTED-ACTION")
@pytest.mark.parametrize(
    ("query", "action"),
    [
        ("harbor/rate_limits.py", "Check file path spelling or try search_code with filename"),
        (
            "Error: the rate limit of harbor was exceeded",
            "Try search_text with a part of the message that does not vary",
        ),
    ],
)
def test_an_unsure_path_or_error_suggests_nothing_unrelated(
    harbor: Repository, query: str, action: str
) -> None:
    answer = harbor.search_code(query, confidence_threshold=1.0)

    assert results_of(answer) != []
    assert metadata_of(answer)["suggested_action"] == action


@pytest.mark.parametrize("query", ["RateLimiter", "LruCache", "Router.ServeHTTP", "sign_token"])
def test_a_perfect_hit_is_never_unsure(harbor: Repository, query: str) -> None:
    assert metadata_of(harbor.search_code(query))["low_confidence"] is False


@requirement("SEARCH-EMPTY")
def test_filters_that_leave_nothing_are_named_with_what_they_take_away(harbor: Repository) -> None:
    all_of_them = harbor.search_code("LruCache")["total_candidates"]
    by_language = harbor.search_code("LruCache", language="rust")
    by_both = harbor.search_code("LruCache", language="rust", path="nowhere/")
    by_one = harbor.search_code("LruCache", language="python", kind="trait")

    assert (by_language["results"], by_language["empty_reason"]) == ([], "filtered_out")
    assert by_language["filtered_out"] == {"language": all_of_them}
    assert by_both["filtered_out"] == {"language": all_of_them, "path": all_of_them}
    assert by_one["empty_reason"] == "filtered_out"
    nothing = harbor.search_code("zzz nothing", language="rust", semantic_ratio=0.0)
    assert nothing["empty_reason"] == "no_match"


def test_the_next_step_is_to_the_first_definition(harbor: Repository) -> None:
    answer = harbor.search_code("LruCache")

    assert answer["suggested_next_actions"] == [{"tool": "locate_symbol", "name": "LruCache"}]


@requirement("SEARCH-REFS")
def test_an_unindexed_ref_and_an_unindexed_tree_say_how_to_get_an_index(repo: MakeRepo) -> None:
    made = repo("-- a.py\nx = 1\n")
    made.branch("other")
    opened = open_repository(made.root)

    with pytest.raises(IndexNotReadyError) as not_ready:
        opened.search_code("x")
    assert not_ready.value.code.value == "index_not_ready"
    opened.sync_repo()
    with pytest.raises(RefNotIndexedError) as unindexed:
        opened.search_code("x", ref="other")
    assert Failure.of(unindexed.value) == Failure(
        "ref_not_indexed",
        "other is not indexed",
        "run `cruxe index --ref other`",
        {"ref": "other"},
    )


@requirement("SEARCH-REFS")
def test_metadata_names_the_ref_that_was_searched(harbor: Repository) -> None:
    names = [
        metadata_of(harbor.search_code("berth", ref=ref))["ref"]
        for ref in (None, "main", FEATURE_BRANCH)
    ]

    assert names == ["main", "main", FEATURE_BRANCH]
