"""A line in plain form is read as argparse reads it; every other line is left to argparse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.serve.cli.catalogue import CATALOGUE, load_command
from cruxe.serve.cli.parser import parser_of
from cruxe.serve.cli.plain import read_plain

COMMANDS = [name for name in CATALOGUE if load_command(name).has_plain_form]
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
        ["name", "--language", "go", "--compact"],
    ],
)
@pytest.mark.parametrize("name", COMMANDS)
def test_the_usual_lines_are_plain(name: str, words: list[str]) -> None:
    assert read_plain(load_command(name), words) is not None


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["a", "--json", "b"],
        ["name", "--limit", "5"],
        ["name", "--ref"],
        ["name", "--ref", "--json"],
        ["--", "name"],
        ["name", "--nonsense"],
    ],
)
@pytest.mark.parametrize("name", COMMANDS)
def test_what_needs_a_judgement_is_not_plain(name: str, words: list[str]) -> None:
    assert read_plain(load_command(name), words) is None
