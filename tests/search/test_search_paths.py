"""A file or folder that a query names comes first, however the path is written."""

import pytest

from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.polyglot import metadata_of, paths_of, reasons_of, results_of
from tests.support.repositories import MakeRepo


@requirement("SEARCH-PATHS")
@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("settings.py", "src/harbor/settings.py"),
        ("src/harbor/settings.py", "src/harbor/settings.py"),
        ("./src/harbor/settings.py", "src/harbor/settings.py"),
        ("harbor/settings", "src/harbor/settings.py"),
        ("src\\harbor\\settings.py", "src/harbor/settings.py"),
        ("src/harbor/rate_limit.py:48", "src/harbor/rate_limit.py"),
        ("`router.go:3:7`", "server/router.go"),
        ("SERVER/Router.go", "server/router.go"),
        ("limits.toml", "config/limits.toml"),
        ("README.md", "README.md"),
        ("tests/test_cache.py", "tests/test_cache.py"),
        ("session.test.ts", "web/src/session.test.ts"),
        ("session.ts", "web/src/session.ts"),
        ("src/harbor/storage", "src/harbor/storage/cache.py"),
        ("vendor/", "vendor/tinycache/cache.py"),
        ("what does config/limits.toml say about the cache", "config/limits.toml"),
    ],
)
def test_a_file_that_is_named_comes_first(harbor: Repository, query: str, path: str) -> None:
    answer = harbor.search_code(query, ranking_explain_level="full")

    assert paths_of(answer)[0] == path
    contributions = reasons_of(answer)[0]["contributions"]
    assert isinstance(contributions, list)
    assert "path_match" in [each["signal"] for each in contributions]
    assert metadata_of(answer)["low_confidence"] is False


@requirement("SEARCH-PATHS")
@pytest.mark.parametrize("query", ["cache", "Router.ServeHTTP", "how are tokens signed", "and/or"])
def test_a_query_that_names_no_path_is_scored_as_ever(harbor: Repository, query: str) -> None:
    for reason in reasons_of(harbor.search_code(query, ranking_explain_level="full")):
        contributions = reason["contributions"]
        assert isinstance(contributions, list)
        assert "path_match" not in [each["signal"] for each in contributions]


@requirement("SEARCH-PATHS")
def test_a_file_without_an_extension_is_found_by_its_name_alone(repo: MakeRepo) -> None:
    opened = open_repository(
        repo(
            "-- deploy/Makefile\nall:\n\techo x\n-- a.py\n# see the Makefile\nMakefile = 1\n"
            "-- Makefile.py\ndef makefile(): ...\n"
        ).root
    )
    opened.sync_repo()

    assert paths_of(opened.search_code("Makefile"))[0] == "deploy/Makefile"


@requirement("SEARCH-PATHS", "SEARCH-FILTERS")
def test_filters_hold_for_files_that_are_named(harbor: Repository) -> None:
    by_path = harbor.search_code("settings.py", path="web/**")
    by_kind = harbor.search_code("settings.py", kind="class")
    by_language = harbor.search_code("settings.py", language="go")

    assert "src/harbor/settings.py" not in paths_of(by_path) + paths_of(by_language)
    assert {result["kind"] for result in results_of(by_kind)} <= {"class"}


@requirement("SEARCH-PATHS", "SEARCH-REFS")
def test_only_files_of_the_ref_are_named(harbor: Repository) -> None:
    here = harbor.search_code("retry.rs")
    there = harbor.search_code("retry.rs", ref="feature/audit")

    assert paths_of(here)[0] == "tariff/src/retry.rs"
    assert "tariff/src/retry.rs" not in paths_of(there)


@requirement("SEARCH-PATHS")
@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("*.go", {"server/middleware/rate_limit.go", "server/router.go"}),
        ("server/**/*.go", {"server/middleware/rate_limit.go", "server/router.go"}),
        ("server/*/*.go", {"server/middleware/rate_limit.go"}),
    ],
)
def test_a_glob_names_all_files_that_match(harbor: Repository, query: str, paths: set[str]) -> None:
    answer = harbor.search_code(query)

    assert {*paths_of(answer)} == paths
    assert float(str(metadata_of(answer)["query_intent_confidence"])) >= 0.5
    assert (answer["query_intent"], metadata_of(answer)["low_confidence"]) == ("path", False)
    assert "**kwargs" not in paths_of(harbor.search_code("**kwargs"))
