"""`explain_ranking` and `cruxe explain`: the rank of a line, why, and what beat it."""

import os
from typing import cast

import pytest

from cruxe.model.errors import FileNotFoundInRefError, InvalidInputError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.command import run_cruxe
from tests.support.golden_files import check_golden
from tests.support.polyglot import (
    FEATURE_BRANCH,
    Answer,
    Failure,
    Polyglot,
    bytes_of,
    metadata_of,
    results_of,
)
from tests.support.repositories import MakeRepo

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "golden", "search")
CACHE = "src/harbor/storage/cache.py"
QUERIES = ["RateLimiter", "Router.ServeHTTP", "how are tokens signed", "evict", "session expired"]


@requirement("EXPLAIN-RANK")
@pytest.mark.parametrize("query", QUERIES)
def test_every_result_of_a_search_has_the_rank_that_it_has_there(
    harbor: Repository, query: str
) -> None:
    found = harbor.search_code(query, ranking_explain_level="full")
    reasons = cast("list[Answer]", metadata_of(found)["ranking_reasons"])

    for rank, (result, reason) in enumerate(zip(results_of(found), reasons, strict=True), start=1):
        explained = harbor.explain_ranking(query, str(result["path"]), _line(result))
        scoring = _mapping(explained["scoring"])
        assert (explained["rank"], scoring["total"]) == (rank, result["score"])
        assert scoring["signal_accounting"] == reason["contributions"]
        assert explained["total_candidates"] == found["total_candidates"]


@requirement("EXPLAIN-RANK", "SEARCH-SUM")
@pytest.mark.parametrize("query", QUERIES)
def test_contributions_sum_to_the_score_and_differences_to_the_lead(
    harbor: Repository, query: str
) -> None:
    last = results_of(harbor.search_code(query))[-1]

    explained = harbor.explain_ranking(query, str(last["path"]), _line(last))

    scoring = _mapping(explained["scoring"])
    given = [each["effective"] for each in _numbers(scoring["signal_accounting"])]
    assert max(0.0, round(sum(given), 6)) == scoring["total"]
    rivals = cast("list[Answer]", explained["beaten_by"])
    assert [each["rank"] for each in rivals] == list(range(1, len(rivals) + 1))
    for rival in rivals:
        differences = [each["difference"] for each in _numbers(rival["signals"])]
        assert sum(differences) == pytest.approx(rival["ahead_by"], abs=5e-7)
        assert [abs(each) for each in differences] == sorted(map(abs, differences), reverse=True)


@requirement("EXPLAIN-RANK")
def test_the_whole_answer_about_a_beaten_region(harbor: Repository) -> None:
    explained = harbor.explain_ranking("LruCache", "config/limits.toml", 5)

    assert list(explained) == [
        *("query", "result", "rank", "candidate_rank", "total_candidates", "scoring"),
        *("scoring_details", "beaten_by", "metadata"),
    ]
    (rival,) = cast("list[Answer]", explained["beaten_by"])
    assert (rival["path"], rival["line_start"], rival["name"]) == (CACHE, 6, "LruCache")
    assert _mapping(explained["result"])["qualified_name"] == "config/limits.cache"
    assert list(_mapping(explained["scoring"])) == [
        *("bm25", "exact_match", "qualified_name", "path_affinity", "definition_boost"),
        *("kind_match", "test_file_penalty", "total", "signal_accounting"),
    ]
    assert "data_penalty_reason" in _mapping(explained["scoring_details"])
    assert explained == harbor.explain_ranking("LruCache", "config/limits.toml", 5)


@requirement("EXPLAIN-RANK")
def test_a_line_inside_a_result_and_the_line_of_a_further_one_are_told_apart(
    harbor: Repository,
) -> None:
    inside = harbor.explain_ranking("LruCache.get", CACHE, 15)
    other = harbor.explain_ranking("LruCache.get", CACHE, 16)

    assert _mapping(inside["result"]) == _mapping(other["result"])
    assert (inside["rank"], _mapping(inside["result"])["name"]) == (1, "get")


@requirement("EXPLAIN-RANK")
def test_a_copy_is_told_with_its_original(harbor: Repository) -> None:
    explained = harbor.explain_ranking("LruCache", "vendor/tinycache/cache.py", 6)

    assert "rank" not in explained
    assert (explained["candidate_rank"], explained["duplicate_of"]) == (2, f"{CACHE}:6")


@requirement("EXPLAIN-UNRANKED")
@pytest.mark.parametrize(
    ("query", "place", "filters", "expected"),
    [
        ("LruCache", ("src/harbor/auth/tokens.py", 7), {}, ("no_term", "holds no word")),
        ("LruCache", (CACHE, 1), {}, ("other_region", "by lines 6-29, not by line 1")),
        ("LruCache", (CACHE, 6), {"language": "rust"}, ("filtered_out", "left out by language")),
        ("LruCache", (CACHE, 6), {"path": "*.go"}, ("filtered_out", "left out by path")),
        ("LruCache", (CACHE, 6), {"kind": "trait"}, ("filtered_out", "left out by kind")),
        ("LruCache", (CACHE, 6), {"role": "callable"}, ("filtered_out", "left out by role")),
        ('"LruCache" -entries', (CACHE, 6), {}, ("not_demanded", "does not hold what the quotes")),
        ("LruCache AND deposit", (CACHE, 6), {}, ("not_demanded", "does not hold what the quotes")),
        ("?!", (CACHE, 6), {}, ("no_term", "holds no word")),
    ],
)
def test_a_line_that_is_no_candidate_gets_the_reason(
    harbor: Repository,
    query: str,
    place: tuple[str, int],
    filters: dict[str, str],
    expected: tuple[str, str],
) -> None:
    explained = harbor.explain_ranking(
        query,
        *place,
        language=filters.get("language"),
        path=filters.get("path"),
        kind=filters.get("kind"),
        role=filters.get("role"),
    )

    assert explained["unranked_reason"] == expected[0]
    assert expected[1] in str(explained["explanation"])
    assert _mapping(explained["result"]) == {"path": place[0], "line_start": place[1]}
    assert explained["suggested_next_actions"] != []
    assert "scoring" not in explained


@requirement("EXPLAIN-UNRANKED")
def test_a_file_that_is_left_out_of_the_index_says_why(repo: MakeRepo) -> None:
    opened = open_repository(repo("-- a.py\nx = 1\n-- logo.png\n\0\0\n").root)
    opened.sync_repo()

    explained = opened.explain_ranking("logo", "logo.png", 1)

    assert (explained["unranked_reason"], explained["skip_reason"]) == ("not_indexed", "binary")
    assert explained["explanation"] == "logo.png is not indexed: binary"


@requirement("EXPLAIN-UNRANKED")
def test_a_file_far_below_all_others_is_said_to_be_so(repo: MakeRepo) -> None:
    better = "".join(f"-- pier{n:03}.py\ndef crane_{n}():\n    crane = {n}\n" for n in range(320))
    last = "-- zz.py\n" + "".join(f"other_{n} = {n}\n" for n in range(400)) + "# a crane\n"
    opened = open_repository(repo(better + last).root)
    opened.sync_repo()

    explained = opened.explain_ranking("crane", "zz.py", 2)

    assert (explained["unranked_reason"], explained["held_terms"]) == ("below_cutoff", ["cran"])


@requirement("EXPLAIN-ARGUMENTS")
def test_wrong_places_and_depths_are_refused(harbor: Repository) -> None:
    with pytest.raises(FileNotFoundInRefError):
        harbor.explain_ranking("cache", "src/nowhere.py", 1)
    for line in (0, 30, 10**6):
        with pytest.raises(InvalidInputError) as caught:
            harbor.explain_ranking("cache", CACHE, line)
        assert Failure.of(caught.value) == Failure(
            "invalid_input",
            f"{CACHE} has no line {line}; its last is 29",
            "give a line of the file",
            {"field": "result_line_start", "line_count": 29},
        )
    for limit in (19, 501):
        with pytest.raises(InvalidInputError, match=f"limit is {limit}"):
            harbor.explain_ranking("cache", CACHE, 6, limit=limit)


@requirement("EXPLAIN-RANK")
def test_another_ref_is_explained_as_it_is_searched(harbor: Repository) -> None:
    found = results_of(harbor.search_code("AuditTrail", ref=FEATURE_BRANCH))[0]

    explained = harbor.explain_ranking(
        "AuditTrail", str(found["path"]), _line(found), ref=FEATURE_BRANCH
    )

    assert explained["rank"] == 1
    assert metadata_of(explained)["ref"] == FEATURE_BRANCH


@requirement("EXPLAIN-COMMAND")
@pytest.mark.usefixtures("harbor")
@pytest.mark.parametrize(
    ("name", "code", "arguments"),
    [
        ("beaten", 0, ("LruCache", "config/limits.toml:5")),
        ("copy", 0, ("LruCache", "vendor/tinycache/cache.py:6")),
        ("unranked", 1, ("LruCache", f"{CACHE}:1")),
        ("filtered", 1, ("LruCache", f"{CACHE}:6", "--language", "rust")),
    ],
)
def test_the_command_tells_rank_signals_and_rivals(
    polyglot: Polyglot, name: str, code: int, arguments: tuple[str, ...]
) -> None:
    told = run_cruxe(polyglot.repo.root, "explain", *arguments)

    assert told.code == code
    text = f"{told.stdout}--\n{told.stderr}"
    check_golden(os.path.join(GOLDEN, f"command_explain_{name}.txt"), text)


@requirement("EXPLAIN-COMMAND")
def test_json_of_the_command_is_the_answer_of_the_api(
    polyglot: Polyglot, harbor: Repository
) -> None:
    sent = run_cruxe(polyglot.repo.root, "explain", "LruCache", "config/limits.toml:5", "--json")
    without_line = run_cruxe(polyglot.repo.root, "explain", "LruCache", CACHE, "--json")

    wanted = harbor.explain_ranking("LruCache", "config/limits.toml", 5)
    assert (sent.code, sent.stdout.encode()) == (0, bytes_of(wanted) + b"\n")
    assert without_line.code == 2
    assert _mapping(without_line.answer["error"])["code"] == "invalid_input"


def _line(result: Answer) -> int:
    return cast("int", result["line_start"])


def _mapping(value: object) -> Answer:
    return cast("Answer", value)


def _numbers(value: object) -> list[dict[str, float]]:
    return cast("list[dict[str, float]]", value)
