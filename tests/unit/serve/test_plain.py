"""A line in plain form is read as argparse reads it; every other line is left to argparse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.serve.cli.arguments import read_plain
from cruxe.serve.cli.command import CATALOGUE, load_command
from cruxe.serve.cli.parser import parser_of

COMMANDS = [name for name in CATALOGUE if load_command(name).has_plain_form]
QUESTIONS = [name for name in COMMANDS if name != "sync"]  # which take words besides options
WORDS = st.sampled_from(
    [
        *("name", "two words", "", "-", "--", "-x", "-5", "a=b", "--json", "--json=1", "-v"),
        *("-C", "dir", "-Cdir", "-C=dir", "--config", "--config=f", "--ref", "main", "--no-sync"),
        *("--limit", "5", "--limit=5", "--kind", "class", "--explain", "full", "--compact"),
        *("--language", "--language=go", "--path", "--detail", "--detail=context", "--help"),
    ]
)


@pytest.mark.parametrize("name", COMMANDS)
@given(words=st.lists(WORDS, max_size=6))
def test_what_is_read_plainly_is_what_argparse_reads(name: str, words: list[str]) -> None:
    command = load_command(name)
    plain = read_plain(command, words)

    if plain is not None:
        full = parser_of(name, CATALOGUE[name].summary, command).read(words, command.args())
        read = vars(full)
        read.pop("help", None)
        assert {field: getattr(plain, field) for field in read} == read


@pytest.mark.parametrize(
    "words",
    [
        ["name"],
        ["-C", "dir", "name", "--json"],
        ["name", "--no-sync", "--ref=main", "-v"],
    ],
)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_usual_lines_are_plain(name: str, words: list[str]) -> None:
    assert read_plain(load_command(name), words) is not None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("locate", ["name", "--language", "go", "--compact", "--limit", "5"]),
        ("search", ["--limit=5", "two", "words", "--detail", "context"]),
        ("outline", ["path", "--depth", "top"]),
        ("show", ["name", "--max-tokens=500"]),
        ("text", ["text", "-i", "--context", "2"]),
        ("sync", ["--ref", "main"]),
    ],
)
def test_values_that_can_be_used_are_plain(name: str, words: list[str]) -> None:
    assert read_plain(load_command(name), words) is not None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("locate", ["name", "--limit", "0"]),
        ("locate", ["name", "--kind", "nonsense"]),
        ("search", ["name", "--semantic-ratio", "2"]),
        ("outline", ["path", "--depth=half"]),
        ("text", ["text", "-is"]),
        ("sync", ["word"]),
    ],
)
def test_values_that_cannot_be_used_are_left_to_argparse(name: str, words: list[str]) -> None:
    assert read_plain(load_command(name), words) is None


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["a", "--json", "b"],
        ["name", "--ref"],
        ["name", "--ref", "--json"],
        ["--", "name"],
        ["name", "--nonsense"],
    ],
)
@pytest.mark.parametrize("name", QUESTIONS)
def test_what_needs_a_judgement_is_not_plain(name: str, words: list[str]) -> None:
    assert read_plain(load_command(name), words) is None
