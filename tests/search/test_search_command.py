"""`cruxe search` as a person and as a program use it."""

import json
import os

import pytest

from cruxe.repository import Repository
from tests.requirements import requirement
from tests.support.command import TEA, Finished, run_cruxe
from tests.support.golden_files import check_golden
from tests.support.polyglot import FEATURE_BRANCH, Polyglot, bytes_of, ids_of
from tests.support.repositories import MakeRepo

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "golden", "search")


def search(polyglot: Polyglot, *arguments: str) -> Finished:
    """Run the command on the repository that is indexed already."""
    return run_cruxe(polyglot.repo.root, "search", *arguments)


@requirement("SEARCH-COMMAND")
def test_the_first_search_indexes_the_repository(repo: MakeRepo) -> None:
    found = run_cruxe(repo(TEA).root, "search", "Leaf")

    assert (found.code, found.stderr) == (0, "")
    assert found.stdout.startswith("tea/leaf.py:1  ")
    assert "class tea.leaf.Leaf" in found.stdout.splitlines()[0]


@requirement("SEARCH-COMMAND")
@pytest.mark.usefixtures("harbor")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("plain", ("rate", "limiter", "--limit", "3")),
        ("explain_basic", ("LruCache", "--limit", "2", "--explain", "basic")),
        ("explain_full", ("LruCache", "--limit", "2", "--explain", "full")),
        ("context", ("LruCache.get", "--limit", "1", "--detail", "context")),
        ("location", ("cache", "--limit", "3", "--detail", "location")),
        ("unsure", ("zebra pauses quota", "--limit", "1")),
    ],
)
def test_a_pipe_gets_plain_text(polyglot: Polyglot, name: str, arguments: tuple[str, ...]) -> None:
    found = search(polyglot, *arguments)

    assert found.code == 0
    assert "\x1b" not in found.stdout + found.stderr
    check_golden(os.path.join(GOLDEN, f"command_{name}.txt"), f"{found.stdout}--\n{found.stderr}")


@requirement("SEARCH-COMMAND", "SEARCH-BYTES", "S004-BUNDLES")
def test_json_is_the_answer_of_the_api(polyglot: Polyglot, harbor: Repository) -> None:
    plain = search(polyglot, "rate limiter", "--json", "--limit", "4")
    shaped = search(
        polyglot,
        *("cache", "--json", "--explain", "full", "--detail", "context", "--path", "src/**"),
    )
    other = search(polyglot, "AuditTrail", "--json", "--ref", FEATURE_BRANCH, "--compact")
    filtered = search(polyglot, *("token", "--json", "--language", "python", "--kind", "function"))
    by_role = search(polyglot, "token", "--json", "--role", "type")
    question = "how are clients kept from asking too often"
    by_words = search(polyglot, question, "--json", "--semantic-ratio", "0")

    whole = harbor.search_code("rate limiter", limit=4, group_by="file")
    assert (plain.answer, plain.stderr) == (whole, "")
    assert plain.stdout.encode() == bytes_of(whole) + b"\n"
    assert shaped.answer == harbor.search_code(
        "cache",
        ranking_explain_level="full",
        detail_level="context",
        path="src/**",
        group_by="file",
    )
    assert other.answer == harbor.search_code(
        "AuditTrail", ref=FEATURE_BRANCH, compact=True, group_by="file"
    )
    assert filtered.answer == harbor.search_code(
        "token", language="python", kind="function", group_by="file"
    )
    assert by_role.answer == harbor.search_code("token", role="type", group_by="file")
    assert by_words.answer == harbor.search_code(question, semantic_ratio=0.0, group_by="file")
    assert by_words.answer != harbor.search_code(question, group_by="file")


@requirement("SEARCH-COMMAND")
def test_a_query_behind_explain_is_a_query(polyglot: Polyglot, harbor: Repository) -> None:
    found = search(polyglot, "--explain", "rate limiter", "--json", "--limit", "4")

    assert found.answer == harbor.search_code(
        "rate limiter", limit=4, ranking_explain_level="basic", group_by="file"
    )


@requirement("SEARCH-COMMAND", "SEARCH-CURSOR")
def test_the_cursor_of_an_answer_gives_the_next_page(
    polyglot: Polyglot, harbor: Repository
) -> None:
    first = search(polyglot, "client", "--limit", "2", "--json").answer
    cursor = str(first["next_cursor"])
    following = search(polyglot, "client", "--limit", "2", "--json", "--cursor", cursor).answer

    assert ids_of(first) + ids_of(following) == ids_of(harbor.search_code("client", limit=4))


@requirement("SEARCH-COMMAND")
@pytest.mark.usefixtures("harbor")
def test_nothing_found_is_exit_code_one(polyglot: Polyglot) -> None:
    told, sent = search(polyglot, "zebraquota"), search(polyglot, "zebraquota", "--json")

    remark = "nothing found in main: in none of 25 files, in any case\n"
    assert (told.code, told.stdout, told.stderr) == (1, "", remark)
    assert (sent.code, sent.answer["results"]) == (1, [])
    assert sent.answer["empty_reason"] == "confirmed_absent"


@requirement("SEARCH-COMMAND", "SEARCH-EMPTY")
@pytest.mark.usefixtures("harbor")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("LruCache", "--language", "rust"), "in main: --language leaves out 5"),
        (("höchstens", "--kind", "function"), "in main: text is not parsed"),
        (("how", "do", "zebras", "quack", "--semantic-ratio", "0"), "in main"),
    ],
)
def test_the_reason_of_an_empty_answer_is_told(
    polyglot: Polyglot, arguments: tuple[str, ...], told: str
) -> None:
    assert search(polyglot, *arguments).stderr == f"nothing found {told}\n"


@requirement("SEARCH-COMMAND")
@pytest.mark.usefixtures("harbor")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("x", "--limit", "0"), "'0' is not a number from 1 to 100"),
        (("x", "--limit", "101"), "'101' is not a number from 1 to 100"),
        (("x", "--limit", "ten"), "'ten' is not a number from 1 to 100"),
        (("x", "--semantic-ratio", "2"), "'2' is not a number from 0 to 1"),
        (("x", "--semantic-ratio", "nan"), "'nan' is not a number from 0 to 1"),
        (("x", "--explain", "ful"), "'ful' is none of basic, full; did you mean 'full'?"),
        (("x", "--detail", "all"), "'all' is none of location, signature, context"),
        ((), "query is empty"),
        (("x", "--language", "cobol"), "language is 'cobol'"),
    ],
)
def test_wrong_usage_is_exit_code_two(
    polyglot: Polyglot, arguments: tuple[str, ...], told: str
) -> None:
    found = search(polyglot, *arguments)

    assert (found.code, found.stdout) == (2, "")
    assert told in found.stderr


@requirement("SEARCH-COMMAND", "SEARCH-ARGUMENTS")
@pytest.mark.usefixtures("harbor")
@pytest.mark.parametrize(
    ("option", "value"), [("--kind", "klass"), ("--cursor", "nonsense"), ("--ref", "nowhere")]
)
def test_a_wrong_argument_is_the_envelope_of_invalid_input(
    polyglot: Polyglot, option: str, value: str
) -> None:
    found = search(polyglot, "x", option, value, "--json")
    error = found.answer["error"]

    assert found.code in (1, 2)
    assert isinstance(error, dict)
    assert error["code"] == "invalid_input"
    assert error["data"]["remediation"]


@pytest.mark.usefixtures("harbor")
def test_a_control_character_in_the_source_does_not_reach_the_terminal(repo: MakeRepo) -> None:
    made = repo('-- a.py\ndef ring_bell() -> str:\n    return "\x1b[31m\x07ring bell"\n')

    found = run_cruxe(made.root, "search", "return ring bell")

    assert found.code == 0
    assert not {"\x1b", "\x07"} & set(found.stdout)
    assert json.loads(run_cruxe(made.root, "search", "ring_bell", "--json").stdout)["results"]
