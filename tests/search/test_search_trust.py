"""`stats` of an explained answer: the reading of the query, and how far to trust the answer."""

from typing import cast

import pytest

from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.polyglot import Answer, bytes_of, metadata_of
from tests.support.repositories import MakeRepo

QUERIES = ["RateLimiter", "how are tokens signed", "server/router.go", "zebraQuota", "a b c d e"]
INTENT_FIELDS = [
    *("type", "effectiveType", "confidenceByType", "confidence", "confidenceMargin"),
    *("confidenceBucket", "abstain", "state"),
]
SIGNALS = [
    *("intentAbstained", "noResults", "lowCoverage", "narrowMargin", "channelsDisagree"),
    *("parseFallback", "staleIndex", "droppedResults", "semanticMissing"),
]


@requirement("S004-INTENT", "S004-TRUST", "S004-EXPLAIN")
@pytest.mark.parametrize("query", QUERIES)
def test_full_has_stats_and_the_other_levels_have_none(harbor: Repository, query: str) -> None:
    full = harbor.search_code(query, ranking_explain_level="full")
    stats = cast("dict[str, Answer]", full["stats"])

    assert list(stats) == ["intent", "trust"]
    assert list(stats["intent"]) == INTENT_FIELDS
    assert bytes_of(full) == bytes_of(harbor.search_code(query, ranking_explain_level="full"))
    for level in ("off", "basic"):
        assert "stats" not in harbor.search_code(query, ranking_explain_level=level)


@requirement("S004-INTENT")
@pytest.mark.parametrize("query", QUERIES)
def test_a_reading_is_normalised_and_a_low_one_abstains(harbor: Repository, query: str) -> None:
    intent = _stats(harbor, query)["intent"]
    shares = cast("dict[str, float]", intent["confidenceByType"])

    assert list(shares) == ["code", "prose", "path", "url", "mixed"]
    assert sum(shares.values()) == pytest.approx(1.0, abs=0.001)
    first, second = sorted(shares.values(), reverse=True)[:2]
    assert (intent["confidence"], intent["confidenceMargin"]) == (first, round(first - second, 4))
    is_low = intent["confidenceBucket"] == "low"
    assert (intent["abstain"], intent["state"]) == (is_low, "uncertain" if is_low else "certain")
    assert intent["effectiveType"] == ("mixed" if is_low else intent["type"])


@requirement("S004-TRUST")
def test_a_perfect_hit_has_high_trust_and_no_reasons_against_it(harbor: Repository) -> None:
    answer = harbor.search_code("check_rate_limit", ranking_explain_level="full")
    trust = cast("dict[str, Answer]", answer["stats"])["trust"]
    confidence = cast("Answer", trust["confidence"])

    assert list(trust) == ["schemaVersion", "confidence", "signals", "reasonCodes"]
    assert trust["schemaVersion"] == 1
    assert list(confidence) == ["value", "margin", "bucket", "buckets"]
    assert confidence["bucket"] == "high"
    assert confidence["margin"] == metadata_of(answer)["score_margin"]
    assert confidence["buckets"] == {
        "low": {"minInclusive": 0.0, "maxExclusive": 0.55},
        "medium": {"minInclusive": 0.55, "maxExclusive": 0.8},
        "high": {"minInclusive": 0.8, "maxInclusive": 1.0},
    }
    assert list(cast("Answer", trust["signals"])) == SIGNALS
    assert (set(cast("Answer", trust["signals"]).values()), trust["reasonCodes"]) == ({False}, [])


@requirement("S004-TRUST")
def test_what_weakens_an_answer_is_a_signal_and_a_code(harbor: Repository, repo: MakeRepo) -> None:
    empty = _stats(harbor, "zebraQuota")["trust"]
    made = repo("-- a.py\ndef alpha() -> int:\n    return 1\n-- b.txt\nzeta\n")
    opened = open_repository(made.root)
    opened.sync_repo()
    made.write("-- c.py\nx = 1\n")
    stale = _stats(open_repository(made.root), "zeta")["trust"]

    assert empty["reasonCodes"] == ["no_results"]
    assert cast("Answer", empty["confidence"])["bucket"] == "low"
    assert {"parse_fallback", "stale_index"} <= set(cast("list[str]", stale["reasonCodes"]))
    signals = cast("Answer", stale["signals"])
    assert (signals["parseFallback"], signals["staleIndex"]) == (True, True)


@requirement("S004-TRUST")
def test_a_region_with_definitions_in_it_was_parsed(repo: MakeRepo) -> None:
    words = ("iota", "kappa", "lambda_", "zeta")
    made = repo("-- a.py\n" + "".join(f"def {word}():\n    pass\n\n\n" for word in words))
    opened = open_repository(made.root)
    opened.sync_repo()
    query = "iota beside kappa and zeta"
    (only,) = cast("list[Answer]", opened.search_code(query)["results"])

    assert only["result_type"] == "snippet"
    assert cast("Answer", _stats(opened, query)["trust"]["signals"])["parseFallback"] is False


def _stats(opened: Repository, query: str) -> dict[str, Answer]:
    answer = opened.search_code(query, ranking_explain_level="full")
    return cast("dict[str, Answer]", answer["stats"])
