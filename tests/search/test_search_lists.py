"""Which hits there are, on which ref, in which order, through which filters, page by page."""

import pytest

from cruxe.model.errors import InvalidInputError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.polyglot import (
    FEATURE_BRANCH,
    Failure,
    ids_of,
    names_of,
    paths_of,
    results_of,
    search_with,
)
from tests.support.repositories import MakeRepo

QUERIES = ["client", "token", "rate limit", "request handler", "cache", "berth NOT vendor"]


def pages_of(opened: Repository, query: str, size: int, **filters: str) -> list[list[object]]:
    """All pages of a list."""
    pages: list[list[object]] = []
    cursor: str | None = None
    for _ in range(200):
        answer = search_with(opened, query, {"limit": size, "cursor": cursor, **filters})
        pages.append(ids_of(answer))
        following = answer.get("next_cursor")
        if following is None:
            return pages
        cursor = str(following)
    pytest.fail("the pages do not end")


@requirement("SEARCH-CURSOR")
@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_pages_put_together_are_the_whole_list(harbor: Repository, query: str, size: int) -> None:
    whole = harbor.search_code(query, limit=100)
    pages = pages_of(harbor, query, size)

    assert "next_cursor" not in whole
    assert [each for page in pages for each in page] == ids_of(whole)
    assert {len(page) for page in pages[:-1]} <= {size}


@requirement("SEARCH-CURSOR")
def test_a_cursor_goes_with_any_shape_of_the_same_list(harbor: Repository) -> None:
    cursor = str(harbor.search_code("client", limit=2)["next_cursor"])
    wanted = ids_of(harbor.search_code("client", limit=5))[2:]

    following = harbor.search_code(
        "client", limit=3, cursor=cursor, detail_level="context", ranking_explain_level="full"
    )
    assert ids_of(following) == wanted


@requirement("SEARCH-CURSOR", "SEARCH-ARGUMENTS")
@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("server", {}),
        ("client", {"language": "go"}),
        ("client", {"kind": "method"}),
        ("client", {"path": "src/"}),
        ("client", {"ref": FEATURE_BRANCH}),
    ],
)
def test_a_cursor_of_another_request_is_refused(
    harbor: Repository, query: str, options: dict[str, str]
) -> None:
    cursor = str(harbor.search_code("client", limit=1)["next_cursor"])

    with pytest.raises(InvalidInputError) as caught:
        search_with(harbor, query, {"cursor": cursor, **options})

    assert Failure.of(caught.value) == Failure(
        "invalid_input",
        "the cursor cannot be used: it belongs to another request",
        "ask again without the cursor",
        {"field": "cursor"},
    )


@requirement("SEARCH-CURSOR", "SEARCH-ARGUMENTS")
@pytest.mark.parametrize("cursor", ["", "x", "1-2", "--", "1-2-3-4", "\0", "\ud800", "9" * 5_000])
def test_what_is_no_cursor_is_refused(harbor: Repository, cursor: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        harbor.search_code("client", cursor=cursor)

    failure = Failure.of(caught.value)
    assert (failure.code, failure.remedy, failure.data) == (
        "invalid_input",
        "ask again without the cursor",
        {"field": "cursor"},
    )


@requirement("SEARCH-ORDER")
@pytest.mark.parametrize("query", [*QUERIES, "get", "init", "the"])
def test_results_come_best_first_and_in_one_order(harbor: Repository, query: str) -> None:
    results = results_of(harbor.search_code(query, limit=100))
    scores = [float(str(result["score"])) for result in results]

    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)


@requirement("SEARCH-ORDER")
def test_equally_good_files_are_ordered_by_path(repo: MakeRepo) -> None:
    bodies = "".join(
        f"-- {name}/unit.py\ndef common_thing() -> int:\n    return {number}\n"
        for number, name in enumerate("cabd")
    )
    opened = open_repository(repo(bodies).root)
    opened.sync_repo()

    results = results_of(opened.search_code("common_thing"))
    assert len(results) == 4
    shown = [result["path"] for result in results]
    assert shown == sorted(map(str, shown))
    assert ids_of(opened.search_code("common_thing")) == [each["result_id"] for each in results]


@requirement("SEARCH-REFS")
def test_each_branch_answers_from_its_own_files(harbor: Repository) -> None:
    def found(query: str, ref: str | None) -> object:
        answer = harbor.search_code(query, ref=ref, limit=100)
        return [name for name in names_of(answer) if name == query]

    assert found("AuditTrail", None) == []
    assert found("AuditTrail", FEATURE_BRANCH) == ["AuditTrail"]
    assert found("with_retry", None) == ["with_retry"]
    assert found("with_retry", FEATURE_BRANCH) == []
    assert found("load_settings_with_environment", "main") == []
    assert found("load_settings_with_environment", FEATURE_BRANCH) == [
        "load_settings_with_environment"
    ]
    assert found("LruCache", None) == found("LruCache", FEATURE_BRANCH) == ["LruCache"]


@requirement("SEARCH-REFS")
def test_a_file_that_two_branches_share_has_one_handle(harbor: Repository) -> None:
    here = results_of(harbor.search_code("sign_token", limit=1))[0]
    there = results_of(harbor.search_code("sign_token", limit=1, ref=FEATURE_BRANCH))[0]

    assert here["result_id"] == there["result_id"]
    assert len(str(here["result_id"])) <= 12


@requirement("SEARCH-REFS", "SEARCH-ARGUMENTS")
@pytest.mark.parametrize("ref", ["", "nowhere", "a b", "..", "-x", "\0", "\ud800", "HEAD~99"])
def test_a_ref_that_does_not_exist_is_invalid_input(harbor: Repository, ref: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        harbor.search_code("berth", ref=ref)

    assert caught.value.data["ref"] == ref


@requirement("SEARCH-FILTERS")
@pytest.mark.parametrize("kind", ["class", "function", "method", "interface", "struct", "section"])
def test_only_results_of_the_kind_asked_for_come(harbor: Repository, kind: str) -> None:
    results = [
        result
        for query in ("rate limit", "token", "cache", "account", "Router", "quick start")
        for result in results_of(harbor.search_code(query, kind=kind, limit=100))
    ]

    assert {result["kind"] for result in results} == {kind}


@requirement("SEARCH-FILTERS")
def test_the_definition_that_says_what_was_asked_is_first_of_its_kind(harbor: Repository) -> None:
    def first(query: str, kind: str) -> object:
        return names_of(harbor.search_code(query, kind=kind))[0]

    assert first("rate limit", "function") == "check_rate_limit"
    assert first("rate limit", "interface") == "Limiter"
    assert first("evict", "method") == "evict"
    assert first("money", "class") == "Account"


@requirement("SEARCH-FILTERS")
@pytest.mark.parametrize(
    ("role", "kinds"),
    [
        ("type", {"class", "enum", "interface", "struct"}),
        ("callable", {"function", "method"}),
    ],
)
def test_only_results_of_the_role_asked_for_come(
    harbor: Repository, role: str, kinds: set[str]
) -> None:
    results = results_of(harbor.search_code("token limiter session", role=role, limit=100))

    assert {result["kind"] for result in results} == kinds


@requirement("SEARCH-FILTERS")
@pytest.mark.parametrize("language", ["python", "go", "rust", "java", "typescript", "markdown"])
def test_only_results_of_the_language_asked_for_come(harbor: Repository, language: str) -> None:
    query = "a request for a berth with a token of an account in the session parser"
    answer = harbor.search_code(query, language=language, limit=100)

    assert {result["language"] for result in results_of(answer)} == {language}
    everything = results_of(harbor.search_code(query, limit=100))
    assert {each["path"] for each in everything if each["language"] == language} <= {
        *paths_of(answer)
    }


@requirement("SEARCH-FILTERS")
@pytest.mark.parametrize(
    ("path", "prefixes"),
    [
        ("src/", {"src/harbor/rate_limit.py"}),
        ("RATE_LIMIT.GO", {"server/middleware/rate_limit.go"}),
        ("*.go", {"server/middleware/rate_limit.go"}),
        ("src/*.py", set()),
        ("src/**", {"src/harbor/rate_limit.py"}),
        ("**/rate_limit.??", {"server/middleware/rate_limit.go", "src/harbor/rate_limit.py"}),
        ("server/**/*.go", {"server/middleware/rate_limit.go"}),
    ],
)
def test_only_results_below_the_path_asked_for_come(
    harbor: Repository, path: str, prefixes: set[str]
) -> None:
    paths = set(map(str, paths_of(harbor.search_code("check rate limit", path=path, limit=100))))

    wanted = {each for each in paths if "rate_limit" in each and not each.startswith("tests/")}
    assert wanted - {"web/src/session.ts"} == prefixes


@requirement("SEARCH-FILTERS")
def test_filters_are_anded(harbor: Repository) -> None:
    answer = harbor.search_code(
        "token", language="python", kind="function", path="src/harbor/auth/", limit=100
    )

    assert sorted(map(str, names_of(answer))) == ["sign_token", "verify_token"]


@requirement("SEARCH-ARGUMENTS")
@pytest.mark.parametrize(
    ("field", "value", "nearest"), [("kind", "klass", "class"), ("role", "callble", "callable")]
)
def test_an_unknown_kind_or_role_is_invalid_input(
    harbor: Repository, field: str, value: str, nearest: str
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        search_with(harbor, "x", {field: value})

    failure = Failure.of(caught.value)
    assert (failure.code, failure.message) == (
        "invalid_input",
        f"{field} is {value!r}; did you mean {nearest}?",
    )
    assert failure.data["field"] == field
    choices = failure.data["choices"]
    assert isinstance(choices, tuple)
    assert failure.remedy == f"use one of {', '.join(choices)}"
    assert nearest in choices


@pytest.mark.parametrize(
    ("query", "name"),
    [("rate limit", "check_rate_limit"), ("parser.rs", "Parser")],
)
def test_the_part_shown_of_a_file_is_not_chosen_by_what_all_its_parts_share(
    harbor: Repository, query: str, name: str
) -> None:
    assert names_of(harbor.search_code(query, limit=1)) == [name]


@requirement("SEARCH-SPELLINGS")
@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("check_rate_limit", "check_rate_limit"),
        ("checkRateLimit", "check_rate_limit"),
        ("CHECK_RATE_LIMIT", "check_rate_limit"),
        ("check-rate-limit", "check_rate_limit"),
        ("get_http_response", "getHTTPResponse"),
        ("gethttpresponse", "getHTTPResponse"),
        ("http response", "getHTTPResponse"),
        ("RateLimiter.allow", "allow"),
        ("Parser::parse_expression", "parse_expression"),
        ("org.harbor.ledger.Account", "Account"),
        ("sweep expired", "sweepExpired"),
        ("LruCache()", "LruCache"),
    ],
)
def test_a_name_is_found_whole_in_any_spelling_and_by_its_parts(
    harbor: Repository, query: str, name: str
) -> None:
    assert names_of(harbor.search_code(query, limit=1)) == [name]


@requirement("SEARCH-CURSOR", "FR-105b")
def test_a_copy_is_not_shown_on_a_later_page_than_its_original(repo: MakeRepo) -> None:
    body = "".join(
        f"    total = total * {number} + weigh(cargo, {number})\n" for number in range(9)
    )
    copied = f"def weigh_cargo(cargo: list[int]) -> int:\n    total = 0\n{body}    return total\n"
    other = "def weigh_cargo(scale: object) -> None:\n    raise NotImplementedError(scale)\n"
    text = f"-- cargo.py\n{copied}-- scale.py\n{other}-- vendor/old/cargo.py\n{copied}"
    opened = open_repository(repo(text).root)
    opened.sync_repo()

    whole = ids_of(opened.search_code("weigh_cargo", limit=100))

    assert len(whole) == 2
    assert [each for page in pages_of(opened, "weigh_cargo", 1) for each in page] == whole
