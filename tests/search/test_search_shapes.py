"""How results are written: the fields of each detail level, compact, and what they weigh."""

import pytest

from cruxe.model.errors import InvalidInputError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.polyglot import (
    Failure,
    Result,
    bytes_of,
    ids_of,
    metadata_of,
    paths_of,
    results_of,
)
from tests.support.repositories import MakeRepo

LOCATION = ["path", "line_start", "line_end", "kind", "name", "score", "result_id"]
SIGNATURE = [
    *LOCATION,
    *("result_type", "language", "provenance", "symbol_id", "qualified_name", "signature"),
    "visibility",
]
QUERIES = ["RateLimiter", "session expired", "Account", "parse_expression", "cache", "berth ship"]
# Of JSON with paths, names and handles; prose has more bytes a token.
BYTES_PER_TOKEN = 3.5
KETTLE = """\
-- kettle.py
class Kettle:
    def brew(self, leaves):
        honey = sugar
        return Kettle.brew(leaves)
"""


@requirement("FR-101", "FR-102")
def test_a_location_is_a_place_a_name_a_score_and_a_handle(harbor: Repository) -> None:
    (result,) = results_of(harbor.search_code("check_rate_limit", detail_level="location", limit=1))

    assert list(result) == LOCATION
    assert {key: result[key] for key in LOCATION[:5]} == {
        "path": "src/harbor/rate_limit.py",
        "line_start": 48,
        "line_end": 51,
        "kind": "function",
        "name": "check_rate_limit",
    }


@requirement("FR-101", "FR-103")
def test_a_signature_adds_what_the_definition_is(harbor: Repository) -> None:
    usual = harbor.search_code("check_rate_limit", limit=1)
    (result,) = results_of(usual)

    assert usual == harbor.search_code("check_rate_limit", limit=1, detail_level="signature")
    assert list(result) == SIGNATURE
    assert {key: result[key] for key in result if key not in LOCATION} == {
        "result_type": "symbol",
        "language": "python",
        "provenance": "lexical",
        "symbol_id": result["result_id"],
        "qualified_name": "harbor.rate_limit.check_rate_limit",
        "signature": "def check_rate_limit(limiter: RateLimiter, client: str) -> None",
        "visibility": "public",
    }


@requirement("FR-103", "SC-102")
def test_a_line_is_shown_where_the_signature_does_not_say_it_already(harbor: Repository) -> None:
    (inside,) = results_of(harbor.search_code("oldest entry evicted popitem", limit=1))
    (itself,) = results_of(harbor.search_code("LruCache", limit=1))

    assert "the oldest one is evicted" in str(inside["snippet"])
    assert "oldest" not in str(inside["signature"])
    assert ("snippet" in itself, itself["signature"]) == (False, "class LruCache")


@requirement("FR-103", "SC-102")
def test_a_line_is_shown_where_it_says_enough_of_what_is_unsaid(repo: MakeRepo) -> None:
    opened = open_repository(repo(KETTLE).root)
    opened.sync_repo()

    def snippet_of(query: str) -> object:
        (result,) = results_of(opened.search_code(query, limit=1))
        return result.get("snippet")

    assert snippet_of("brew sugar honey") == "honey = sugar"
    assert snippet_of("Kettle brew") is None
    assert snippet_of("brew sugar butter flour") is None
    assert snippet_of("brew sugar honey butter flour eggs raisins") == "honey = sugar"


@requirement("SC-102")
def test_a_signature_takes_few_tokens(harbor: Repository) -> None:
    results = [result for query in QUERIES for result in results_of(harbor.search_code(query))]
    tokens = [len(bytes_of(result)) / BYTES_PER_TOKEN for result in results]

    assert len(results) > 30
    assert sum(tokens) / len(tokens) <= 120


@requirement("SC-102")
def test_an_endless_signature_and_an_endless_line_are_cut(repo: MakeRepo) -> None:
    arguments = ", ".join(f"argument_{n}: int" for n in range(200))
    values = " + ".join(f"argument_{n}" for n in range(200))
    opened = open_repository(repo(f"-- a.py\ndef total({arguments}):\n    return {values}\n").root)
    opened.sync_repo()
    (named,) = results_of(opened.search_code("total", limit=1))
    (inside,) = results_of(opened.search_code("return argument_7", limit=1))

    assert (len(str(named["signature"])), str(named["signature"])[-1]) == (122, "…")
    assert (len(str(inside["snippet"])), str(inside["snippet"])[-1]) == (66, "…")


@requirement("FR-101", "FR-104")
def test_a_context_adds_the_text_the_parent_and_the_neighbours(harbor: Repository) -> None:
    answer = harbor.search_code("LruCache.get", detail_level="context", limit=1)
    (result,) = results_of(answer)
    path = "src/harbor/storage/cache.py"

    heavy = ["snippet", "body_preview", "parent", "related_symbols", "also_at"]
    assert list(result) == [*SIGNATURE, *heavy]
    assert result["also_at"] == ["vendor/tinycache/cache.py:13"]
    assert result["body_preview"] == (
        "    def get(self, key: str) -> bytes | None:\n"
        '        """Look an entry up and mark it as used."""\n'
        "        if key not in self.entries:\n"
        "            return None\n"
        "        self.entries.move_to_end(key)\n"
        "        return self.entries[key]"
    )
    assert result["parent"] == {"kind": "class", "name": "LruCache", "path": path, "line": 6}
    related = result["related_symbols"]
    assert isinstance(related, list)
    places = [(each["name"], each["line"]) for each in related]
    assert ("put", 20) in places
    assert ("__init__", 9) in places
    assert [list(each) for each in related] == [["kind", "name", "path", "line"]] * len(related)


@requirement("S002-CONTEXT-OMITS", "FR-104")
def test_without_a_parent_or_neighbours_their_fields_are_left_out(harbor: Repository) -> None:
    alone = results_of(harbor.search_code("getHTTPResponse", detail_level="context", limit=1))[0]
    region = _result_at(harbor, "höchstens", "NOTES.txt")

    assert list(alone) == [*SIGNATURE, "snippet", "body_preview"]
    assert list(region) == [
        *("path", "line_start", "line_end", "score", "result_id", "result_type", "language"),
        *("provenance", "snippet", "body_preview"),
    ]
    assert region["result_type"] == "snippet"


def test_a_body_of_some_lines_is_previewed_whole(harbor: Repository) -> None:
    (result,) = results_of(harbor.search_code("TokenBucket", detail_level="context", limit=1))
    lines = str(result["body_preview"]).split("\n")

    assert (result["line_start"], result["line_end"]) == (8, 29)
    assert (len(lines), lines[0], lines[-1]) == (22, "class TokenBucket:", "        return True")


@requirement("FR-105", "S000-COMPACT-ORDER", "SEARCH-SHAPE-ONLY")
@pytest.mark.parametrize("query", QUERIES)
def test_neither_level_nor_compact_changes_what_is_found(harbor: Repository, query: str) -> None:
    wanted = harbor.search_code(query)
    places = [_place(result) for result in results_of(wanted)]

    for level in ("location", "signature", "context"):
        for compact in (False, True):
            answer = harbor.search_code(query, detail_level=level, compact=compact)
            assert [_place(result) for result in results_of(answer)] == places
            assert ids_of(answer) == ids_of(wanted)
            assert metadata_of(answer) == metadata_of(wanted)
            assert answer["total_candidates"] == wanted["total_candidates"]


@requirement("S000-COMPACT-FIELDS", "FR-105a")
@pytest.mark.parametrize("level", ["location", "signature", "context"])
def test_compact_leaves_out_all_text_and_keeps_handles(harbor: Repository, level: str) -> None:
    full = harbor.search_code("LruCache.get", detail_level=level, compact=False)
    compact = harbor.search_code("LruCache.get", detail_level=level, compact=True)
    heavy = {"snippet", "body_preview", "parent", "related_symbols", "also_at", "flags"}
    heavy |= {"signature", "language", "visibility", "result_type"}
    # Said already: the id is `result_id`, and a name is shortened or left out.
    heavy |= {"symbol_id", "qualified_name"}

    assert [
        {key: value for key, value in result.items() if key != "qualified_name"}
        for result in results_of(compact)
    ] == [
        {key: value for key, value in result.items() if key not in heavy}
        for result in results_of(full)
    ]
    for short, result in zip(results_of(compact), results_of(full), strict=True):
        whole = str(result.get("qualified_name", result.get("name", "")))
        assert result.get("symbol_id") in (None, short["result_id"])
        assert whole.endswith(str(short.get("qualified_name", short.get("name", ""))))
    assert {key: value for key, value in compact.items() if key != "results"} == {
        key: value for key, value in full.items() if key != "results"
    }
    assert harbor.search_code("LruCache.get", detail_level=level) == full


@requirement("SEARCH-ARGUMENTS")
def test_an_unknown_detail_level_is_invalid_input(harbor: Repository) -> None:
    with pytest.raises(InvalidInputError) as caught:
        harbor.search_code("x", detail_level="contxt")

    assert Failure.of(caught.value) == Failure(
        "invalid_input",
        "detail_level is 'contxt'; did you mean context?",
        "use one of location, signature, context",
        {"field": "detail_level", "choices": ("location", "signature", "context")},
    )


@requirement("SC-101")
def test_a_location_takes_few_tokens(harbor: Repository) -> None:
    results = [
        result
        for query in QUERIES
        for result in results_of(harbor.search_code(query, detail_level="location"))
    ]
    tokens = [len(bytes_of(result)) / BYTES_PER_TOKEN for result in results]

    assert len(results) > 30
    assert sum(tokens) / len(tokens) <= 60


@requirement("FR-105b", "S000-DEDUP-COUNT")
def test_a_copy_in_another_file_is_counted_and_told_with_the_original(harbor: Repository) -> None:
    answer = harbor.search_code("LruCache", detail_level="context")
    without = harbor.search_code("getHTTPResponse", limit=1)

    assert results_of(answer)[0]["also_at"] == ["vendor/tinycache/cache.py:6"]
    assert metadata_of(answer)["suppressed_duplicate_count"] == 1
    assert [path for path in paths_of(answer) if str(path).startswith("vendor/")] == []
    assert "suppressed_duplicate_count" not in metadata_of(without)


@requirement("S000-DEDUP-ONE")
@pytest.mark.parametrize("query", [*QUERIES, "evict NOT example", "RateLimiter.allow", "limiter"])
def test_no_symbol_and_no_region_comes_twice(harbor: Repository, query: str) -> None:
    results = results_of(harbor.search_code(query, limit=100))
    places = [(result["path"], result["line_start"], result["line_end"]) for result in results]
    symbols = [result["symbol_id"] for result in results if "symbol_id" in result]

    assert len(set(places)) == len(places) > 0
    assert len(set(symbols)) == len(symbols)


def _place(result: Result) -> list[object]:
    return [result.get(key) for key in LOCATION]


def _result_at(harbor: Repository, query: str, path: str) -> Result:
    results = results_of(harbor.search_code(query, detail_level="context", path=path))
    return results[0]
