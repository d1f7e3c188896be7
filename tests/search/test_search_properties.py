"""What holds for every query: shapes and limits never change what is found, and numbers add up."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxe.model.levels import DetailLevel, RankingExplainLevel
from cruxe.model.symbols import ROLE_OF_KIND, SymbolKind
from cruxe.query.rank.policy import PASTED_ZONE_WEIGHTS
from cruxe.query.understand.analysis import MAX_TERMS, analyse_query, likely_name
from cruxe.query.understand.operators import (
    condition_of,
    is_satisfied,
    needs_text,
    read_expression,
)
from cruxe.respond.size_limits import fit_results, size_of
from cruxe.text.lines import sum_of_lines
from tests.requirements import requirement
from tests.support.polyglot import (
    Polyglot,
    Result,
    bytes_of,
    ids_of,
    open_with,
    reasons_of,
    results_of,
    search_with,
)

WORDS = [
    *("rate", "limit", "RateLimiter", "token", "cache", "client", "Router.ServeHTTP", "berth"),
    *("session", "the", "how", "account", "src/harbor", "error:", "test", "get", "LruCache"),
]
MARKS = ["AND", "OR", "NOT", "(", ")", '"', '"rate limit"', "-evict", "-", "::", "🚢", "\0"]
QUERIES = st.lists(st.sampled_from([*WORDS, *WORDS, *MARKS]), min_size=1, max_size=5).map(" ".join)
WORDY_QUERIES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
ANY_TEXT = st.one_of(st.text(st.characters()), QUERIES)  # with surrogates
LEVELS = st.sampled_from([each.value for each in DetailLevel])
EXPLAINS = st.sampled_from([each.value for each in RankingExplainLevel])
FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "language": st.sampled_from(["python", "go", "typescript", "markdown"]),
        "kind": st.sampled_from(["class", "function", "method"]),
        "path": st.sampled_from(["src/", "*.py", "server/**", "e"]),
    },
)
SHAPES = st.fixed_dictionaries({"detail_level": LEVELS, "ranking_explain_level": EXPLAINS})
FEW = settings(max_examples=25)


@requirement("SEARCH-SHAPE-ONLY", "S000-COMPACT-ORDER", "FR-105")
@FEW
@given(query=QUERIES, level=LEVELS, explain=EXPLAINS, compact=st.booleans())
def test_no_shape_changes_the_hits_or_their_order(
    polyglot: Polyglot, query: str, level: str, explain: str, *, compact: bool
) -> None:
    plain = polyglot.shared.search_code(query)
    shaped = polyglot.shared.search_code(
        query, detail_level=level, ranking_explain_level=explain, compact=compact
    )

    def places(answer: Mapping[str, object]) -> list[list[object]]:
        fields = ("result_id", "path", "line_start", "line_end", "kind", "name", "score")
        return [[result.get(field) for field in fields] for result in results_of(answer)]

    assert places(shaped) == places(plain)
    assert shaped["total_candidates"] == plain["total_candidates"]
    assert shaped.get("next_cursor") == plain.get("next_cursor")


@requirement("FR-101", "PARSE-CHUNKS", "SHOWN-LINES")
@FEW
@given(query=QUERIES, filters=FILTERS)
def test_lines_preview_and_name_of_a_result_are_of_the_same_thing(
    polyglot: Polyglot, query: str, filters: dict[str, str]
) -> None:
    options = {"detail_level": "context", "limit": 100, **filters}
    for result in results_of(search_with(polyglot.shared, query, options)):
        lines = _lines_of(polyglot, result)
        first, last = cast("int", result["line_start"]), cast("int", result["line_end"])

        assert cast("str", result["body_preview"]).split("\n")[0] == lines[first - 1]
        assert ("symbol_id" in result) == ("name" in result)
        if "symbol_id" in result:
            assert _lines_of_symbol(polyglot, result) == (first, last)


@requirement("SHOWN-HANDLE")
@FEW
@given(query=QUERIES, filters=FILTERS)
def test_the_handle_of_a_result_reads_what_it_shows(
    polyglot: Polyglot, query: str, filters: dict[str, str]
) -> None:
    options = {"detail_level": "context", "limit": 100, **filters}
    for result in results_of(search_with(polyglot.shared, query, options)):
        read = polyglot.shared.read_symbol(str(result["result_id"]))
        first, last = cast("int", result["line_start"]), cast("int", result["line_end"])

        assert (read["path"], read["line_start"], read["line_end"]) == (result["path"], first, last)
        assert read.get("symbol_id") == result.get("symbol_id")
        assert read["source"].split("\n") == _lines_of(polyglot, result)[first - 1 : last]


@requirement("SHOWN-SNIPPET")
@FEW
@given(query=QUERIES, filters=FILTERS, level=LEVELS)
def test_a_snippet_is_text_of_its_file_with_its_gaps_marked(
    polyglot: Polyglot, query: str, filters: dict[str, str], level: str
) -> None:
    options = {"detail_level": level, "limit": 100, **filters}
    for result in results_of(search_with(polyglot.shared, query, options)):
        text = "\n".join(_lines_of(polyglot, result))
        for part in str(result.get("snippet", "")).split("\n…\n"):
            assert part.removesuffix(" …") in text


@requirement("SHOWN-EVIDENCE", "SEARCH-FILTERS")
@FEW
@given(
    query=WORDY_QUERIES,
    kind=st.sampled_from(["class", "function", "method", "struct", "section"]),
    role=st.sampled_from([None, "callable", "type"]),
)
def test_a_filtered_hit_passes_its_filters_and_holds_something_of_the_query(
    polyglot: Polyglot, query: str, kind: str, role: str | None
) -> None:
    weights = analyse_query(query).weights
    answer = polyglot.shared.search_code(query, kind=kind, role=role, limit=100)
    for result in results_of(answer):
        read = polyglot.shared.read_symbol(str(result["result_id"]))
        said = [str(read.get("doc", "")).replace("\n", " "), *read["source"].split("\n")]

        assert read["kind"] == kind
        assert role in (None, ROLE_OF_KIND[SymbolKind(kind)])
        # Only where nothing holds a word do those that are near in meaning stand in.
        is_near = {each["provenance"] for each in results_of(answer)} == {"semantic"}
        assert sum_of_lines(said, weights) > 0 or is_near


def _lines_of(polyglot: Polyglot, result: Result) -> list[str]:
    return (Path(polyglot.repo.root) / str(result["path"])).read_text("utf-8").split("\n")


def _lines_of_symbol(polyglot: Polyglot, result: Result) -> tuple[int, int]:
    """Where a definition is, by its handle."""
    read = polyglot.shared.read_symbol(str(result["symbol_id"]))
    return read["line_start"], read["line_end"]


@requirement("SEARCH-SUM")
@FEW
@given(query=QUERIES, filters=FILTERS)
def test_contributions_sum_to_the_score_of_every_hit(
    polyglot: Polyglot, query: str, filters: dict[str, str]
) -> None:
    answer = search_with(
        polyglot.shared, query, {"ranking_explain_level": "full", "limit": 100, **filters}
    )

    for result, reason in zip(results_of(answer), reasons_of(answer), strict=True):
        contributions = reason["contributions"]
        assert isinstance(contributions, list)
        total = round(sum(each["effective"] for each in contributions), 6)
        assert result["score"] == reason["final_score"] == max(0.0, total)
        assert 0.0 <= total <= 1.0


@requirement("SEARCH-CURSOR", "SEARCH-FILTERS")
@FEW
@given(query=QUERIES, filters=FILTERS, size=st.integers(1, 6))
def test_pages_of_a_filtered_list_are_the_filtered_list(
    polyglot: Polyglot, query: str, filters: dict[str, str], size: int
) -> None:
    whole = ids_of(search_with(polyglot.shared, query, {"limit": 100, **filters}))
    collected: list[object] = []
    cursor: str | None = None
    for _ in range(len(whole) + 2):
        answer = search_with(polyglot.shared, query, {"limit": size, "cursor": cursor, **filters})
        collected += ids_of(answer)
        if "next_cursor" not in answer:
            break
        cursor = str(answer["next_cursor"])

    assert collected == whole


@requirement("SEARCH-ORDER")
@FEW
@given(query=QUERIES, sizes=st.tuples(st.integers(1, 50), st.integers(1, 50)))
def test_a_smaller_limit_gives_the_start_of_the_list(
    polyglot: Polyglot, query: str, sizes: tuple[int, int]
) -> None:
    fewer, more = sorted(sizes)
    longer = ids_of(polyglot.shared.search_code(query, limit=more))

    assert ids_of(polyglot.shared.search_code(query, limit=fewer)) == longer[:fewer]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place for settings that outlives single examples."""
    return tmp_path_factory.mktemp("bounded")


@requirement("S000-LIMIT-TRUNCATED", "SEARCH-LIMIT-WHOLE")
@FEW
@given(query=QUERIES, shape=SHAPES, limit=st.integers(1_600, 9_000))
def test_a_cut_answer_is_a_prefix_within_the_limit(
    polyglot: Polyglot, folder: Path, query: str, shape: dict[str, str], limit: int
) -> None:
    bounded = open_with(polyglot, folder, f"[search]\nmax_response_bytes = {limit}")
    whole = search_with(polyglot.shared, query, shape)
    answer = search_with(bounded, query, shape)
    count = len(results_of(answer))

    assert len(bytes_of(answer)) <= limit
    assert ids_of(answer) == ids_of(whole)[:count]
    assert bool(results_of(whole)) <= bool(count)
    if len(bytes_of(whole)) <= limit:
        assert answer == whole


RESULTS = st.lists(
    st.fixed_dictionaries(
        {"path": st.text(max_size=20), "line_start": st.integers(1, 9_999)},
        optional={
            "signature": st.text(max_size=60),
            "snippet": st.text(max_size=60),
            "body_preview": st.text(max_size=200),
        },
    ),
    max_size=8,
)


@requirement("SEARCH-LIMIT-WHOLE")
@given(results=RESULTS, room=st.integers(0, 2_000), has_reasons=st.booleans())
def test_what_fits_is_a_prefix_with_its_reasons(
    results: list[Result], room: int, *, has_reasons: bool
) -> None:
    reasons: list[Result] = [{"result_index": place} for place, _ in enumerate(results)]
    fitted = fit_results(results, room, reasons if has_reasons else [])
    count = len(fitted.results)

    assert bool(results) == bool(count)
    if count == 1:
        kept = {key: results[0][key] for key in fitted.results[0]}
        assert fitted.results == [kept]
        assert {"path", "line_start"} <= set(kept)
        assert fitted.reasons in ([], reasons[:1])
    else:
        assert fitted.results == results[:count]
        assert fitted.reasons == (reasons[:count] if has_reasons else [])
        sizes = [size_of(each) + 1 for each in (*fitted.results, *fitted.reasons)]
        assert sum(sizes) <= room or not results


@requirement("SEARCH-ANY-TEXT")
@given(text=ANY_TEXT)
def test_reading_a_query_never_fails(text: str) -> None:
    analysis = analyse_query(text, "harbor")

    assert analysis == analyse_query(text, "harbor")
    assert len(analysis.terms) <= MAX_TERMS
    assert len({term for term, _ in analysis.terms}) == len(analysis.terms)
    # The parts of a pasted text add up, each counting its words up to four times.
    most = 1.0 if analysis.pasted is None else 2 * sum(PASTED_ZONE_WEIGHTS.values())
    assert all(0.0 < weight <= most for _, weight in analysis.terms)
    assert isinstance(likely_name(analysis), str)


@requirement("SEARCH-OPERATORS", "SEARCH-ANY-TEXT")
@given(text=ANY_TEXT, line=ANY_TEXT)
def test_every_demand_can_be_asked_of_the_index_and_of_a_text(text: str, line: str) -> None:
    expression = read_expression(text)
    if expression is None:
        return
    demand = expression.demand

    assert condition_of(demand) == condition_of(demand)
    assert is_satisfied(demand, line) in (True, False)
    assert needs_text(demand) in (True, False)
    assert all(isinstance(word, str) for word in expression.wanted_words())
