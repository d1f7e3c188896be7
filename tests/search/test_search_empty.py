"""Zeros have reasons: proven absence, what was searched for it, and what to do next."""

import pytest

from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.indexing import settle
from tests.support.polyglot import FEATURE_BRANCH, metadata_of, search_with
from tests.support.repositories import MakeRepo, split_files

PORT = """\
-- quay/crane.py
def lift(box: int) -> int:
    return box
-- quay/notes.txt
lift the box -> gently
-- logo.png
\0\0
"""


@pytest.fixture
def quay(repo: MakeRepo) -> Repository:
    opened = open_repository(repo(PORT).root)
    opened.sync_repo()
    return opened


@requirement("SEARCH-ABSENT")
@pytest.mark.parametrize("query", ["zebraQuota", '"the lift box"', "zz/qq/xx.kt", "📦", "~~~"])
def test_one_text_that_no_file_holds_is_confirmed_absent(quay: Repository, query: str) -> None:
    answer = quay.search_code(query)

    assert (answer["results"], answer["empty_reason"]) == ([], "confirmed_absent")
    assert answer["case"] == "insensitive"
    assert answer["searched"] == {"files": 2, "skipped": {"binary": 1}}
    assert metadata_of(answer)["result_completeness"] == "complete"


@requirement("SEARCH-ABSENT")
@pytest.mark.parametrize("query", ["->", '"gently"x', "how do zebras quack", "-lift"])
def test_nothing_is_proven_of_what_is_not_one_text_or_occurs(quay: Repository, query: str) -> None:
    answer = quay.search_code(query)

    if not answer["results"]:
        assert answer["empty_reason"] == "no_match"
        assert "searched" not in answer or query == "->"


@requirement("SEARCH-ABSENT")
def test_signs_that_occur_lead_to_the_search_for_text(quay: Repository) -> None:
    answer = quay.search_code("->")

    assert (answer["results"], answer["empty_reason"]) == ([], "no_match")
    assert answer["suggested_next_actions"] == [{"tool": "search_text", "pattern": "->"}]


@requirement("SEARCH-ABSENT")
def test_a_changed_file_is_read_for_the_proof(repo: MakeRepo) -> None:
    made = repo(PORT)
    settle(made, *split_files(PORT))
    open_repository(made.root).sync_repo()
    made.write("-- quay/new.py\nZEBRA_QUOTA = 1\n")
    opened = open_repository(made.root)

    absent, present = opened.search_code("giraffe"), opened.search_code("zebra_quota")

    assert absent["empty_reason"] == "confirmed_absent"
    assert absent["searched"] == {"files": 3, "changed_files": 1, "skipped": {"binary": 1}}
    assert metadata_of(absent)["freshness_status"] == "stale"
    assert (present["results"], present["empty_reason"]) == ([], "stale")
    assert present["suggested_next_actions"] == [{"tool": "sync_repo"}]


@requirement("SEARCH-EMPTY")
def test_a_question_to_a_stale_index_that_finds_nothing_is_stale(repo: MakeRepo) -> None:
    made = repo(PORT)
    open_repository(made.root).sync_repo()
    made.write("-- quay/new.py\nx = 1\n")

    answer = open_repository(made.root).search_code("how do zebras quack", semantic_ratio=0.0)

    assert (answer["results"], answer["empty_reason"]) == ([], "stale")


@requirement("SEARCH-ABSENT")
def test_past_the_deadline_nothing_is_proven(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(PORT)
    open_repository(made.root).sync_repo()
    made.write("-- quay/new.py\nx = 1\n")
    monkeypatch.setattr("cruxe.model.deadlines.Deadline.has_passed", True)

    answer = open_repository(made.root).search_code("giraffe")

    assert (answer["results"], answer["empty_reason"]) == ([], "not_proven")
    assert metadata_of(answer)["result_completeness"] == "partial"
    assert answer["suggested_next_actions"] == [{"tool": "search_text", "pattern": "giraffe"}]


@requirement("SEARCH-EMPTY")
@pytest.mark.parametrize(
    ("query", "options", "reason", "actions"),
    [
        (
            "LruCache",
            {"language": "rust"},
            "filtered_out",
            [{"tool": "search_code", "query": "LruCache"}],
        ),
        (
            "höchstens",
            {"kind": "function"},
            "language_not_parsed",
            [{"tool": "search_code", "query": "höchstens"}],
        ),
        ("zebraQuota", {}, "confirmed_absent", []),
        (
            "how do zebras quack",
            {"role": "type", "semantic_ratio": 0.0},
            "no_match",
            [],
        ),
        ("?! ...", {}, "no_match", []),
    ],
)
def test_every_reason_has_its_next_actions(
    harbor: Repository,
    query: str,
    options: dict[str, object],
    reason: str,
    actions: list[dict[str, object]],
) -> None:
    answer = search_with(harbor, query, options)

    assert (answer["results"], answer["empty_reason"]) == ([], reason)
    assert answer["suggested_next_actions"] == actions


@requirement("SEARCH-EMPTY")
def test_a_language_that_is_not_parsed_is_named(harbor: Repository) -> None:
    unparsed = harbor.search_code("höchstens", kind="function")

    assert unparsed["languages"] == ["text"]


@requirement("SEARCH-DEFAULT-REF")
def test_a_question_without_a_ref_is_about_the_configured_one(
    harbor: Repository,
) -> None:
    configured = _with_default_ref(harbor, FEATURE_BRANCH)

    asked = configured.search_code("AuditTrail", limit=3)
    assert asked == harbor.search_code("AuditTrail", limit=3, ref=FEATURE_BRANCH)
    assert configured.locate_symbol("AuditTrail") == harbor.locate_symbol(
        "AuditTrail", ref=FEATURE_BRANCH
    )
    assert configured.search_code("LruCache", ref="main") == harbor.search_code("LruCache")


@requirement("SEARCH-DEFAULT-REF")
@pytest.mark.parametrize("name", ["gone", "--help", "main\n", "a..b"])
def test_a_configured_ref_that_does_not_exist_is_a_notice(harbor: Repository, name: str) -> None:
    configured = _with_default_ref(harbor, name)

    assert configured.search_code("LruCache") == harbor.search_code("LruCache")
    (notice,) = configured.context.notices
    assert (notice.key, notice.given, notice.used) == (
        "search.default_ref",
        name,
        "the working tree",
    )
    assert harbor.context.notices == ()


def _with_default_ref(opened: Repository, ref: str) -> Repository:
    loaded = opened.context.loaded
    search = loaded.settings.search.replace(default_ref=ref)
    changed = loaded._replace(settings=loaded.settings.replace(search=search))
    return Repository(opened.context._replace(loaded=changed))
