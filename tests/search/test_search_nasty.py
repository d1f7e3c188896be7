"""No query crashes, none gives an error, and every answer can be sent."""

import pytest

from cruxe.model.errors import EngineError
from cruxe.repository import Repository
from tests.requirements import requirement
from tests.search.nasty import COUNT, nasty_queries
from tests.support.polyglot import Polyglot, bytes_of, metadata_of, results_of, search_with

ORDINARY = 300
INTENTS = {"symbol", "natural_language", "path", "error"}


@requirement("SEARCH-ANY-TEXT", "SEARCH-LIMIT-WHOLE")
def test_no_query_is_an_error(polyglot: Polyglot) -> None:
    assert _bad(polyglot.shared, nasty_queries()[:ORDINARY]) == {}


@pytest.mark.long
@requirement("SEARCH-ANY-TEXT", "SEARCH-LIMIT-WHOLE")
def test_none_of_two_thousand_queries_is_an_error(polyglot: Polyglot) -> None:
    queries = nasty_queries()

    assert len(queries) == COUNT
    assert _bad(polyglot.shared, queries) == {}


@requirement("SEARCH-ANY-TEXT", "SEARCH-ARGUMENTS")
@pytest.mark.parametrize("field", ["kind", "role", "language", "detail_level", "cursor", "ref"])
def test_nasty_text_for_a_parameter_is_invalid_input_and_nothing_else(
    polyglot: Polyglot, field: str
) -> None:
    codes = {
        _code(polyglot.shared, field, text)
        for text in nasty_queries()[:ORDINARY:7]
        if not (field == "ref" and len(text) > 10_000)  # longer than a command line may be
    }

    assert codes == {"invalid_input"}


@requirement("SEARCH-ANY-TEXT", "SEARCH-FILTERS")
def test_nasty_text_for_an_open_filter_only_filters(polyglot: Polyglot) -> None:
    codes = {_code(polyglot.shared, "path", text) for text in nasty_queries()[:ORDINARY:3]}

    assert codes == {""}


def _bad(opened: Repository, queries: list[str]) -> dict[str, str]:
    """The queries, shortened, whose answers are not as they should be."""
    bad: dict[str, str] = {}
    for query in filter(str.strip, queries):  # a blank one is no query
        try:
            problem = _problem(opened, query)
        except Exception as error:  # noqa: BLE001 - any error at all is what is looked for
            problem = f"{type(error).__name__}: {error}"
        if problem:
            bad[ascii(query[:60])] = problem[:200]
    return bad


def _problem(opened: Repository, query: str) -> str:
    answer = opened.search_code(query, limit=5, ranking_explain_level="basic")
    results = results_of(answer)
    if len(bytes_of(answer)) > 65_536:
        return "over the limit"
    if answer["query_intent"] not in INTENTS:
        return f"intent {answer['query_intent']}"
    if bool(results) == ("empty_reason" in answer):
        return "empty without a reason, or the reverse"
    if len(results) > 5:
        return "too many"
    metadata = metadata_of(answer)
    return "" if metadata["indexing_status"] == "ready" else "not ready"


def _code(opened: Repository, field: str, text: str) -> str:
    try:
        bytes_of(search_with(opened, "berth", {field: text}))
    except EngineError as error:
        return error.code.value
    return ""
