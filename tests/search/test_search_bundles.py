"""Results by file, where a caller asks for them: `group_by` of `search_code`."""

from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxe.model.errors import InvalidInputError
from cruxe.repository import Repository
from tests.requirements import requirement
from tests.support.polyglot import (
    Answer,
    Failure,
    Polyglot,
    Result,
    bytes_of,
    ids_of,
    open_with,
    results_of,
    search_with,
)

QUERY = "client request token"
QUERIES = st.sampled_from(
    [QUERY, "rate limit", "cache", "harbor notes", "RateLimiter", "zebra xylophone", "the"]
)
SHAPES = st.fixed_dictionaries(
    {},
    optional={
        "detail_level": st.sampled_from(["location", "signature", "context"]),
        "ranking_explain_level": st.sampled_from(["off", "basic", "full"]),
        "compact": st.booleans(),
        "limit": st.integers(1, 50),
    },
)
FEW = settings(max_examples=25)


def groups_of(answer: Answer) -> list[Result]:
    """The bundles of an answer that has some."""
    return cast("list[Result]", cast("Answer", answer["bundles"])["groups"])


def members_of(answer: Answer) -> list[Result]:
    """The results that the bundles speak of, by their place among the results."""
    hits = [hit for group in groups_of(answer) for hit in cast("list[Result]", group["hits"])]
    return sorted(hits, key=lambda hit: cast("int", hit["index"]))


def check_agreement(answer: Answer) -> None:
    """The bundles are of the results that are sent, and of no others."""
    fields = ("result_id", "line_start", "line_end", "score")
    told = [[hit[field] for field in fields] for hit in members_of(answer)]
    assert told == [[result[field] for field in fields] for result in results_of(answer)]
    assert [hit["index"] for hit in members_of(answer)] == list(range(len(told)))
    places = {result["result_id"]: result["path"] for result in results_of(answer)}
    for group in groups_of(answer):
        hits = cast("list[Result]", group["hits"])
        assert {places[hit["result_id"]] for hit in hits} == {group["file"]}


@requirement("S004-BUNDLES")
def test_a_search_grouped_by_file_has_bundles(harbor: Repository) -> None:
    answer = harbor.search_code("rate limit", group_by="file", limit=20)

    assert list(answer)[:2] == ["results", "bundles"]
    assert list(groups_of(answer)[0]) == [
        *("bundleId", "file", "language", "hitCount", "totalScore", "topScore", "modeCount"),
        *("modes", "hits"),
    ]
    assert list(members_of(answer)[0]) == [
        *("index", "result_id", "line_start", "line_end", "score", "mode")
    ]
    assert {group["language"] for group in groups_of(answer)} > {"go", "python"}
    check_agreement(answer)


@requirement("S004-BUNDLES")
def test_the_mode_of_a_hit_is_that_of_its_language(harbor: Repository) -> None:
    answer = harbor.search_code("harbor", group_by="file", limit=50)

    modes = {str(group["language"]): group["modes"] for group in groups_of(answer)}
    assert modes == {
        "yaml": ["code"],
        "python": ["code"],
        "java": ["code"],
        "markdown": ["prose"],
    }


@requirement("S004-BUNDLES")
def test_nothing_found_is_in_no_bundle(harbor: Repository) -> None:
    answer = harbor.search_code("zebraquota", group_by="file")

    assert answer["bundles"] == {"schemaVersion": 1, "groups": []}


@requirement("S004-BUNDLES", "SEARCH-ARGUMENTS")
def test_results_are_grouped_by_nothing_else(harbor: Repository) -> None:
    with pytest.raises(InvalidInputError) as raised:
        harbor.search_code("rate limit", group_by="flie")

    assert Failure.of(raised.value) == Failure(
        "invalid_input",
        "group_by is 'flie'; did you mean file?",
        "use one of file",
        {"field": "group_by", "choices": ("file",)},
    )


@requirement("S004-BUNDLES", "SEARCH-SHAPE-ONLY")
@FEW
@given(query=QUERIES, shape=SHAPES)
def test_grouping_adds_bundles_and_changes_nothing_else(
    polyglot: Polyglot, query: str, shape: dict[str, object]
) -> None:
    plain = search_with(polyglot.shared, query, shape)
    grouped = dict(search_with(polyglot.shared, query, {**shape, "group_by": "file"}))

    check_agreement(grouped)
    again = search_with(polyglot.shared, query, {**shape, "group_by": "file"})
    assert bytes_of(again) == bytes_of(grouped)
    del grouped["bundles"]
    assert bytes_of(grouped) == bytes_of(plain)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place for settings that outlives single examples."""
    return tmp_path_factory.mktemp("bounded")


@requirement("S004-BUNDLES", "SEARCH-LIMIT-WHOLE", "S000-LIMIT-TRUNCATED")
@FEW
@given(query=QUERIES, shape=SHAPES, limit=st.integers(1_600, 9_000))
def test_a_cut_answer_has_bundles_of_what_is_left(
    polyglot: Polyglot, folder: Path, query: str, shape: dict[str, object], limit: int
) -> None:
    wanted = {**shape, "group_by": "file"}
    bounded = open_with(polyglot, folder, f"[search]\nmax_response_bytes = {limit}")
    whole = search_with(polyglot.shared, query, wanted)
    answer = search_with(bounded, query, wanted)
    count = len(results_of(answer))

    assert len(bytes_of(answer)) <= limit
    assert ids_of(answer) == ids_of(whole)[:count]
    assert bool(results_of(whole)) <= bool(count)
    if "bundles" in answer:
        check_agreement(answer)
    else:
        assert count <= 1
    if len(bytes_of(whole)) <= limit:
        assert answer == whole


@requirement("S004-BUNDLES", "SEARCH-CURSOR")
def test_pages_of_bundled_results_are_the_whole_list(polyglot: Polyglot, tmp_path: Path) -> None:
    bounded = open_with(polyglot, tmp_path, "[search]\nmax_response_bytes = 3000")
    whole = ids_of(polyglot.shared.search_code(QUERY, limit=50))
    collected: list[object] = []
    cursor: str | None = None
    for _ in whole:
        answer = bounded.search_code(QUERY, limit=50, cursor=cursor, group_by="file")
        check_agreement(answer)
        collected += ids_of(answer)
        if "next_cursor" not in answer:
            break
        cursor = str(answer["next_cursor"])

    assert collected == whole


@requirement("S004-BUNDLES")
def test_a_cursor_goes_on_with_or_without_bundles(harbor: Repository) -> None:
    plain = harbor.search_code(QUERY, limit=2)
    grouped = harbor.search_code(QUERY, limit=2, group_by="file")

    assert plain["next_cursor"] == grouped["next_cursor"]
    cursor = str(plain["next_cursor"])
    following = harbor.search_code(QUERY, limit=2, cursor=cursor, group_by="file")
    check_agreement(following)
