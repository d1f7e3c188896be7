"""Why results rank where they do: the levels, who chooses one, and that they are the score."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from cruxe.model.errors import InvalidInputError
from cruxe.repository import Repository
from tests.requirements import requirement
from tests.support.polyglot import (
    Failure,
    Polyglot,
    ids_of,
    metadata_of,
    open_with,
    reasons_of,
    results_of,
)

BASIC_FIELDS = [
    *("result_index", "exact_match", "path_boost", "definition_boost"),
    *("semantic_similarity", "final_score"),
]
FULL_FIELDS = [
    *("result_index", "exact_match_boost", "qualified_name_boost", "path_affinity"),
    *("definition_boost", "kind_match", "bm25_score", "final_score", "contributions"),
]
QUERIES = ["RateLimiter", "Router.ServeHTTP", "how are tokens signed", "server/router.go", "evict"]


@requirement("S000-EXPLAIN-OFF", "FR-114", "FR-115a")
def test_off_has_no_ranking_reasons(harbor: Repository) -> None:
    usual = harbor.search_code("RateLimiter")
    off = harbor.search_code("RateLimiter", ranking_explain_level="off")

    assert "ranking_reasons" not in metadata_of(usual)
    assert off == usual


@requirement("S000-EXPLAIN-BASIC", "FR-114", "FR-115a")
@pytest.mark.parametrize("query", QUERIES)
def test_basic_has_the_six_compact_factors_of_every_result(harbor: Repository, query: str) -> None:
    answer = harbor.search_code(query, ranking_explain_level="basic")
    reasons = reasons_of(answer)

    assert [list(reason) for reason in reasons] == [BASIC_FIELDS] * len(results_of(answer))
    assert [reason["result_index"] for reason in reasons] == list(range(len(reasons)))
    assert [reason["final_score"] for reason in reasons] == _scores(answer)


@requirement("S000-EXPLAIN-FULL", "FR-114", "FR-115", "FR-115a")
@pytest.mark.parametrize("query", QUERIES)
def test_full_has_the_eight_factors_and_what_they_are_sums_of(
    harbor: Repository, query: str
) -> None:
    answer = harbor.search_code(query, ranking_explain_level="full")
    reasons = reasons_of(answer)

    assert [list(reason) for reason in reasons] == [FULL_FIELDS] * len(results_of(answer))
    assert [reason["result_index"] for reason in reasons] == list(range(len(reasons)))
    assert [reason["final_score"] for reason in reasons] == _scores(answer)
    for reason in reasons:
        contributions = reason["contributions"]
        assert isinstance(contributions, list)
        assert [list(each) for each in contributions] == [
            ["signal", "raw", "clamped", "effective"]
        ] * len(contributions)


def test_the_factors_of_an_exact_qualified_name_are_the_ones_that_count(harbor: Repository) -> None:
    answer = harbor.search_code("Router.ServeHTTP", ranking_explain_level="full", limit=1)
    (reason,) = reasons_of(answer)
    basic = reasons_of(
        harbor.search_code("Router.ServeHTTP", ranking_explain_level="basic", limit=1)
    )[0]

    factors = (
        *("exact_match_boost", "qualified_name_boost", "definition_boost", "kind_match"),
        "bm25_score",
    )
    assert [name for name in factors if not reason[name]] == []
    assert (basic["exact_match"], basic["definition_boost"], basic["path_boost"]) == (
        reason["exact_match_boost"],
        reason["definition_boost"],
        reason["path_affinity"],
    )
    assert basic["semantic_similarity"] == 0.0


@requirement("S000-EXPLAIN-PRECEDENCE")
@pytest.mark.parametrize(
    ("toml", "asked", "fields"),
    [
        ("", None, []),
        ("", "basic", BASIC_FIELDS),
        ('[search]\nranking_explain_level = "basic"', None, BASIC_FIELDS),
        ('[search]\nranking_explain_level = "basic"', "off", []),
        ('[search]\nranking_explain_level = "basic"', "full", FULL_FIELDS),
        ("[debug]\nranking_reasons = true", None, FULL_FIELDS),
        ("[debug]\nranking_reasons = true", "basic", BASIC_FIELDS),
        ("[debug]\nranking_reasons = true", "off", []),
        ("[debug]\nranking_reasons = false", None, []),
        (
            '[search]\nranking_explain_level = "basic"\n[debug]\nranking_reasons = true',
            None,
            BASIC_FIELDS,
        ),
        (
            '[search]\nranking_explain_level = "off"\n[debug]\nranking_reasons = true',
            None,
            [],
        ),
        ('[search]\nranking_explain_level = "verbose"', None, []),
        ('[search]\nranking_explain_level = "verbose"', "basic", BASIC_FIELDS),
        (
            '[search]\nranking_explain_level = "verbose"\n[debug]\nranking_reasons = true',
            None,
            [],
        ),
        ("[search]\nranking_explain_level = 3", None, []),
    ],
)
def test_the_request_goes_before_the_setting_and_the_setting_before_the_legacy_flag(
    polyglot: Polyglot, tmp_path: Path, toml: str, asked: str | None, fields: list[str]
) -> None:
    opened = open_with(polyglot, tmp_path, toml)

    answer = opened.search_code("LruCache", limit=1, ranking_explain_level=asked)

    found = metadata_of(answer).get("ranking_reasons", [])
    assert isinstance(found, list)
    assert [list(reason) for reason in found] == ([fields] if fields else [])
    assert ("ranking_reasons" in metadata_of(answer)) == bool(fields)


@requirement("SEARCH-ARGUMENTS")
def test_an_unknown_level_in_a_request_is_invalid_input(harbor: Repository) -> None:
    with pytest.raises(InvalidInputError) as caught:
        harbor.search_code("LruCache", ranking_explain_level="ful")

    assert Failure.of(caught.value) == Failure(
        "invalid_input",
        "ranking_explain_level is 'ful'; did you mean full?",
        "use one of off, basic, full",
        {"field": "ranking_explain_level", "choices": ("off", "basic", "full")},
    )


@requirement("SEARCH-SUM")
def test_a_budget_clamps_what_a_signal_gives_and_the_sum_still_holds(
    polyglot: Polyglot, tmp_path: Path
) -> None:
    toml = "[search.ranking_signal_budgets.exact_match]\nmin = 0.0\nmax = 0.5"
    bounded = open_with(polyglot, tmp_path, toml)
    answer = bounded.search_code("LruCache", ranking_explain_level="full")
    free = polyglot.shared.search_code("LruCache", ranking_explain_level="full")

    (exact,) = _contributions(answer, 0, "exact_match")
    (unbounded,) = _contributions(free, 0, "exact_match")
    assert (exact["raw"], exact["clamped"]) == (unbounded["raw"], 0.5)
    assert exact["effective"] < unbounded["effective"]
    assert _sums(answer) == _scores(answer)
    assert sorted(map(str, ids_of(answer))) == sorted(map(str, ids_of(free)))


@requirement("SEARCH-SUM")
@pytest.mark.parametrize("query", QUERIES)
def test_the_contributions_sum_to_the_score(harbor: Repository, query: str) -> None:
    answer = harbor.search_code(query, ranking_explain_level="full", limit=100)

    assert _sums(answer) == _scores(answer)
    assert metadata_of(answer)["top_score"] == _scores(answer)[0]


def _scores(answer: Mapping[str, object]) -> list[object]:
    return [result["score"] for result in results_of(answer)]


def _contributions(answer: Mapping[str, object], place: int, signal: str) -> list[dict[str, float]]:
    contributions = reasons_of(answer)[place]["contributions"]
    assert isinstance(contributions, list)
    return [each for each in contributions if each["signal"] == signal]


def _sums(answer: Mapping[str, object]) -> list[float]:
    sums: list[float] = []
    for reason in reasons_of(answer):
        contributions = reason["contributions"]
        assert isinstance(contributions, list)
        sums.append(max(0.0, round(sum(each["effective"] for each in contributions), 6)))
    return sums
