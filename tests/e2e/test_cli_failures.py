"""What the command says and gives back when it cannot do what it was asked."""

import os
import sys
from typing import NamedTuple, cast

import pytest

from tests.requirements import requirement
from tests.support.command import TEA, Finished, run_cruxe
from tests.support.repositories import MakeRepo


class Case(NamedTuple):
    """A command line that fails."""

    words: tuple[str, ...]
    code: int
    error: str  # the code in the envelope
    message: str
    remedy: str


USAGE = (
    Case(
        ("lcate", "x"),
        2,
        "invalid_input",
        "there is no command 'lcate'; did you mean 'locate'?",
        "cruxe --help",
    ),
    Case(("-C", "."), 2, "invalid_input", "no command was given", "cruxe --help"),
    Case(
        ("--limit", "3", "locate", "x"),
        2,
        "invalid_input",
        "there is no option --limit before the command",
        "put the options of a command after its name; cruxe --help",
    ),
    Case(
        ("locate", "x", "--limt", "3"),
        2,
        "invalid_input",
        "there is no option --limt; did you mean --limit?",
        "cruxe locate --help",
    ),
    Case(
        ("locate", "x", "y"),
        2,
        "invalid_input",
        "'y' is one argument too many",
        "cruxe locate --help",
    ),
    Case(
        ("locate",),
        2,
        "invalid_input",
        "the following arguments are required: NAME",
        "cruxe locate --help",
    ),
    Case(
        ("locate", "x", "--limit", "0"),
        2,
        "invalid_input",
        "argument --limit: '0' is not a number from 1 to 100",
        "cruxe locate --help",
    ),
    Case(
        ("outline", "x", "--depth", "al"),
        2,
        "invalid_input",
        "argument --depth: 'al' is none of top, all; did you mean 'all'?",
        "cruxe outline --help",
    ),
    Case(
        ("gc", "--older-than", "-1"),
        2,
        "invalid_input",
        "argument --older-than: '-1' is not a number from 0 to 36500",
        "cruxe gc --help",
    ),
)

FAILURES = (
    Case(
        ("locate", "Leaf", "--ref", "mian"),
        1,
        "invalid_input",
        "ref 'mian' does not exist in {root}",
        "use one of: main",
    ),
    Case(
        ("outline", "leaf.py"),
        1,
        "file_not_found",
        "leaf.py is not in the index of this ref",
        "did you mean tea/leaf.py?",
    ),
    Case(
        ("outline", "../outside.py"),
        1,
        "file_not_found",
        "../outside.py is not in the index of this ref",
        "`cruxe why PATH` tells why",
    ),
    Case(
        ("locate", "Leaf", "--no-sync", "--ref", "HEAD"),
        1,
        "ref_not_indexed",
        "HEAD is not indexed",
        "run `cruxe index --ref HEAD`",
    ),
    Case(
        ("status", "-C", "nowhere"),
        1,
        "invalid_input",
        "nowhere does not exist",
        "give a directory that exists",
    ),
)


@requirement("CLI-EXIT", "CLI-JSON")
@pytest.mark.parametrize("case", USAGE, ids=lambda case: " ".join(case.words))
def test_wrong_usage_is_told_in_two_lines_or_one_document(home: str, case: Case) -> None:
    told = run_cruxe(home, *case.words)
    document = run_cruxe(home, "--json", *case.words)

    assert told == Finished(case.code, "", f"error: {case.message}\n  try: {case.remedy}\n")
    assert _error(document) == (case.error, case.message, case.remedy)
    assert (document.code, document.stderr) == (case.code, "")


@requirement("CLI-EXIT", "CLI-JSON")
@pytest.mark.parametrize("case", FAILURES, ids=lambda case: " ".join(case.words))
def test_a_failure_is_told_in_two_lines_or_one_document(repo: MakeRepo, case: Case) -> None:
    made = repo(TEA)
    run_cruxe(made.root, "index")
    message = case.message.format(root=made.root)

    told = run_cruxe(made.root, *case.words)
    document = run_cruxe(made.root, *case.words, "--json")

    assert told == Finished(case.code, "", f"error: {message}\n  try: {case.remedy}\n")
    assert _error(document) == (case.error, message, case.remedy)
    assert (document.code, document.stderr) == (case.code, "")


@requirement("CLI-EXIT")
def test_a_question_without_sync_needs_an_index(repo: MakeRepo) -> None:
    made = repo(TEA)

    told = run_cruxe(made.root, "locate", "Leaf", "--no-sync")
    document = run_cruxe(made.root, "locate", "Leaf", "--no-sync", "--json")

    assert told == Finished(
        1, "", "error: this repository is not indexed\n  try: run `cruxe index`\n"
    )
    assert _error(document)[0] == "index_not_ready"
    assert document.answer["metadata"] == {
        "codecompass_protocol_version": "1.0",
        "freshness_status": "stale",
        "indexing_status": "not_indexed",
        "result_completeness": "partial",
        "ref": "main",
        "schema_status": "not_indexed",
    }


@requirement("CLI-EXIT")
def test_a_config_file_that_is_missing_fails_and_one_of_the_repository_does_not(
    repo: MakeRepo,
) -> None:
    made = repo("-- .cruxe/config.toml\nnot toml [\n")

    missing = run_cruxe(made.root, "status", "--config", os.path.join(made.root, "none.toml"))
    broken = run_cruxe(made.root, "status")

    assert (missing.code, missing.stdout) == (1, "")
    assert missing.stderr.startswith("error: ")
    assert (broken.code, broken.stderr.startswith("config: ")) == (0, True)


@requirement("CLI-COMMANDS")
@pytest.mark.parametrize(
    "words", [(), ("--help",), ("-h",), ("help",), ("help", "locate"), ("locate", "--help")]
)
def test_help_is_an_answer(home: str, words: tuple[str, ...]) -> None:
    helped = run_cruxe(home, *words)

    assert (helped.code, helped.stderr) == (0, "")
    assert helped.stdout.startswith("usage: cruxe ")
    assert "Exit codes: 0 success, 1 failure or nothing found, 2 wrong usage." in helped.stdout


def test_the_version_is_told_wherever_it_is_asked_for(home: str) -> None:
    assert run_cruxe(home, "--version") == Finished(0, "cruxe 0.1.0\n", "")
    assert run_cruxe(home, "status", "--version") == Finished(0, "cruxe 0.1.0\n", "")


@requirement("CLI-JSON")
def test_verbose_speaks_on_standard_error_alone(repo: MakeRepo) -> None:
    made = repo(TEA)

    told = run_cruxe(made.root, "-v", "locate", "Leaf", "--json")

    assert told.answer["total_candidates"] == 1
    assert f"workspace {made.root}, store " in told.stderr
    assert "3 files read in " in told.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="every name is Unicode there")
def test_a_name_that_is_not_text_is_written_with_escapes(repo: MakeRepo) -> None:
    made = repo(TEA)

    told = run_cruxe(made.root, "why", "\udcff.py")
    document = run_cruxe(made.root, "status", "--ref", "\udcff", "--json")

    assert told.stdout.startswith("\\udcff.py is not indexed: ")
    assert _error(document)[1].startswith("ref '\\udcff' does not exist")


def _error(finished: Finished) -> tuple[str, str, str]:
    error = cast("dict[str, object]", finished.answer["error"])
    data = cast("dict[str, str]", error["data"])
    return str(error["code"]), str(error["message"]), data["remediation"]


@requirement("ERROR-METADATA")
@pytest.mark.parametrize(
    "words",
    [
        ("locate", "Leaf", "--limit", "0"),
        ("locate", "Leaf", "--limt", "3"),
        ("search", "", "--no-sync"),
        ("search", "x", "--language", "pyhton"),
    ],
)
def test_an_error_says_of_the_index_what_an_answer_would(
    repo: MakeRepo, words: tuple[str, ...]
) -> None:
    made = repo(TEA)
    before = run_cruxe(made.root, *words, "--json").answer["metadata"]
    answered = run_cruxe(made.root, "locate", "Leaf", "--json").answer["metadata"]

    here = run_cruxe(made.root, *words, "--json")
    beside = run_cruxe(os.path.dirname(made.root), "-C", made.root, *words, "--json")
    made.write("-- tea/new.py\nx = 1\n")
    stale = run_cruxe(made.root, *words, "--json").answer["metadata"]

    assert (here.code, beside.code) == (2, 2)
    assert here.answer["metadata"] == beside.answer["metadata"] == answered
    assert isinstance(before, dict)
    assert isinstance(stale, dict)
    assert before["indexing_status"] == "not_indexed"
    assert (stale["freshness_status"], stale["indexing_status"]) == ("stale", "ready")
