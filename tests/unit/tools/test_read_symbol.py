"""`read_symbol`: the source of a symbol or region, as it stands in the file now."""

from collections.abc import Mapping
from typing import Final, cast

import pytest

from cruxe.model.errors import (
    AmbiguousSymbolError,
    EngineError,
    FileNotFoundInRefError,
    InvalidInputError,
    InvalidMaxTokensError,
    ResultNotFoundError,
    SymbolNotFoundError,
)
from cruxe.model.outcomes import PathPlace
from cruxe.repository import Repository, open_repository
from cruxe.tools.read_symbol import path_place
from tests.support.repositories import MakeRepo, Repo

FILES: Final = '''
    -- tea/pot.py
    LIMIT = 3


    class Pot:
        """Holds tea."""

        def pour(self, cups: int) -> None:
            """Fill cups."""
            self.left -= cups

        def empty(self) -> None:
            self.left = 0


    def pour() -> None:
        pass


    # the end
    -- notes.txt
    one
    two
    three
    -- logo.png
    \0\0
'''
POUR: Final = (
    '    def pour(self, cups: int) -> None:\n        """Fill cups."""\n        self.left -= cups'
)


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    """A repository."""
    return repo(FILES)


@pytest.fixture
def tea(made: Repo) -> Repository:
    """The same, indexed."""
    opened = open_repository(made.root)
    opened.sync_repo()
    return opened


def region(answer: Mapping[str, object]) -> tuple[object, ...]:
    return answer["path"], answer["line_start"], answer["line_end"], answer["source"]


def test_a_symbol_comes_with_its_source_and_all_that_is_known_of_it(tea: Repository) -> None:
    answer = dict(tea.read_symbol("Pot.pour"))
    located = cast("list[dict[str, object]]", tea.locate_symbol("Pot.pour")["results"])[0]

    assert answer.pop("metadata") == {
        "codecompass_protocol_version": "1.0",
        "freshness_status": "fresh",
        "indexing_status": "ready",
        "result_completeness": "complete",
        "ref": "main",
        "schema_status": "compatible",
    }
    assert answer == {
        "path": "tea/pot.py",
        "line_start": 7,
        "line_end": 9,
        "language": "python",
        "kind": "method",
        "name": "pour",
        "qualified_name": "tea.pot.Pot.pour",
        "symbol_id": located["symbol_id"],
        "symbol_stable_id": answer["symbol_stable_id"],
        "signature": "def pour(self, cups: int) -> None",
        "visibility": "public",
        "doc": "Fill cups.",
        "parent": {"kind": "class", "name": "Pot", "path": "tea/pot.py", "line": 4},
        "match": "qualified",
        "source": POUR,
    }


@pytest.mark.parametrize(
    "symbol",
    [
        "tea.pot.Pot.pour",
        "tea/pot.py:8",
        "tea/pot.py:8:13",
        "tea/pot.py:7-9",
        "tea/pot.py#L7-L9",
    ],
)
def test_names_and_places_lead_to_the_same_lines(tea: Repository, symbol: str) -> None:
    assert region(tea.read_symbol(symbol)) == ("tea/pot.py", 7, 9, POUR)


def test_handles_of_other_answers_are_understood(tea: Repository) -> None:
    symbol_id = tea.read_symbol("Pot.pour")["symbol_id"]
    found = cast("list[dict[str, str]]", tea.search_code("one two three")["results"])

    assert region(tea.read_symbol(symbol_id)) == ("tea/pot.py", 7, 9, POUR)
    assert region(tea.read_symbol(found[0]["result_id"])) == ("notes.txt", 1, 3, "one\ntwo\nthree")


def test_a_name_of_twelve_letters_is_a_name(tea: Repository, made: Repo) -> None:
    made.write("-- more.py\ndef get_queryset():\n    pass\n")
    tea.sync_repo()

    assert tea.read_symbol("get_queryset")["path"] == "more.py"


def test_a_line_outside_of_symbols_gives_the_lines_around_it(tea: Repository) -> None:
    assert region(tea.read_symbol("tea/pot.py:19"))[1:3] == (4, 19)
    assert region(tea.read_symbol("notes.txt:2")) == ("notes.txt", 1, 3, "one\ntwo\nthree")


def test_a_file_is_read_whole_and_lines_past_its_end_are_cut_off(tea: Repository) -> None:
    assert region(tea.read_symbol("notes.txt")) == ("notes.txt", 1, 3, "one\ntwo\nthree")
    assert region(tea.read_symbol("notes.txt:2-90")) == ("notes.txt", 2, 3, "two\nthree")


def test_an_ambiguous_name_lists_its_definitions(tea: Repository) -> None:
    with pytest.raises(AmbiguousSymbolError) as caught:
        tea.read_symbol("pour")

    assert caught.value.data == {
        "symbol": "pour",
        "candidates": (
            "tea/pot.py:7 method tea.pot.Pot.pour",
            "tea/pot.py:15 function tea.pot.pour",
        ),
        "total_candidates": 2,
    }


@pytest.mark.parametrize(
    ("symbol", "nearest"),
    [("Pto", ()), ("empti", ("tea.pot.Pot.empty",)), ("Cup.empty", ("tea.pot.Pot.empty",))],
)
def test_a_name_that_is_nowhere_comes_with_those_near_it(
    tea: Repository, symbol: str, nearest: tuple[str, ...]
) -> None:
    with pytest.raises(SymbolNotFoundError) as caught:
        tea.read_symbol(symbol)

    assert set(nearest) <= set(cast("tuple[str, ...]", caught.value.data["nearest"]))


@pytest.mark.parametrize(
    ("symbol", "error"),
    [
        (" ", InvalidInputError),
        ("notes.txt:0", InvalidInputError),
        ("notes.txt:4", InvalidInputError),
        ("notes.txt:3-2", InvalidInputError),
        ("gone.py:3", FileNotFoundInRefError),
        ("../notes.txt:3", FileNotFoundInRefError),
        ("logo.png", FileNotFoundInRefError),
        ("000000000000", SymbolNotFoundError),
        ("\ud800", SymbolNotFoundError),
        ("a" * 100_000, SymbolNotFoundError),
    ],
)
def test_what_cannot_be_read_says_why(
    tea: Repository, symbol: str, error: type[EngineError]
) -> None:
    with pytest.raises(error):
        tea.read_symbol(symbol)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("4", "has no line 4; its last is 3"),
        ("0-2", "has no line 0; its last is 3"),
        ("3-2", "has no lines from 3 to 2"),
    ],
)
def test_lines_that_a_file_does_not_have_are_named(
    tea: Repository, lines: str, problem: str
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        tea.read_symbol(f"notes.txt:{lines}")

    assert caught.value.message == f"notes.txt {problem}"


def test_source_over_the_budget_is_cut_at_a_line_and_says_where_it_goes_on(
    tea: Repository,
) -> None:
    answer = tea.read_symbol("Pot", max_tokens=24)

    assert (answer["line_start"], answer["line_end"]) == (4, 12)
    assert answer["source"] == 'class Pot:\n    """Holds tea."""\n'
    assert (answer["truncated"], answer["omitted_lines"]) == (True, 6)
    assert answer["suggested_next_actions"] == [
        {"tool": "read_symbol", "symbol": "tea/pot.py:7-12"}
    ]
    rest = tea.read_symbol("tea/pot.py:7-12")["source"]
    assert f"{answer['source']}\n{rest}" == tea.read_symbol("Pot")["source"]
    metadata = cast("dict[str, object]", answer["metadata"])
    assert metadata["result_completeness"] == "truncated"


def test_a_budget_of_bytes_holds_and_a_line_that_is_too_long_is_cut(
    tea: Repository, made: Repo
) -> None:
    assert tea.read_symbol("notes.txt", max_bytes=8)["source"] == "one\ntwo"
    made.write_bytes("long.txt", b"word " * 900 + b"\nend\n")
    tea.sync_repo()

    answer = tea.read_symbol("long.txt", max_tokens=10)

    assert (answer["source"], answer["omitted_lines"]) == ("word word …", 1)


@pytest.mark.parametrize("max_tokens", [0, -1, 200_001])
def test_a_budget_that_makes_no_sense_is_refused(tea: Repository, max_tokens: int) -> None:
    with pytest.raises(InvalidMaxTokensError):
        tea.read_symbol("Pot", max_tokens=max_tokens)
    with pytest.raises(InvalidInputError):
        tea.read_symbol("Pot", max_bytes=0)


def test_a_changed_file_is_read_as_it_is_now(tea: Repository, made: Repo) -> None:
    old_id = tea.read_symbol("Pot.pour")["symbol_id"]
    chunk_id = cast("list[dict[str, str]]", tea.search_code("one two")["results"])[0]["result_id"]
    made.write(
        "-- tea/pot.py\n# moved\n\nclass Pot:\n    def pour(self) -> int:\n        return 1\n"
    )
    made.write("-- notes.txt\nfour\n")
    moved = ("tea/pot.py", 4, 5, "    def pour(self) -> int:\n        return 1")

    for symbol in ("Pot.pour", old_id, "tea/pot.py:5"):
        answer = tea.read_symbol(symbol)
        assert region(answer) == moved
        assert answer["signature"] == "def pour(self) -> int"
        assert answer["parent"] == {"kind": "class", "name": "Pot", "path": "tea/pot.py", "line": 3}
        assert cast("dict[str, object]", answer["metadata"])["freshness_status"] == "stale"
    with pytest.raises(SymbolNotFoundError, match="no longer in"):
        tea.read_symbol("Pot.empty")
    with pytest.raises(ResultNotFoundError):
        tea.read_symbol(chunk_id)
    tea.sync_repo()
    assert region(tea.read_symbol(old_id)) == moved


def test_another_ref_is_read_as_it_was_committed(tea: Repository, made: Repo) -> None:
    made.branch("old")
    made.write("-- tea/pot.py\nclass Pot: ...\n")
    made.commit()
    tea.sync_repo()
    tea.sync_repo(ref="old")

    assert region(tea.read_symbol("Pot.pour", ref="old")) == ("tea/pot.py", 7, 9, POUR)
    assert tea.read_symbol("Pot")["source"] == "class Pot: ..."
    assert region(tea.read_symbol("tea/pot.py:8", ref="old")) == ("tea/pot.py", 7, 9, POUR)


def test_a_secret_is_shown_neither_in_the_source_nor_in_the_signature(
    tea: Repository, made: Repo
) -> None:
    token = "ghp_" + "x7Kq2mZ9pL4vT8wB3nR6yF1dH5sJ0cGaEuQo"
    made.write(f"-- deploy.py\ndef push(key: str = '{token}') -> None:\n    '''{token}'''\n")
    tea.sync_repo()

    assert token not in repr(tea.read_symbol("push"))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a.py:12", PathPlace("a.py", 12)),
        ("a.py:12:7:", PathPlace("a.py", 12)),
        ("a.py:3-9", PathPlace("a.py", 3, 9)),
        ("C:\\x\\a.py:3", PathPlace("C:\\x\\a.py", 3)),
        ("a.py#L3", PathPlace("a.py", 3)),
        ("std::vector", PathPlace("std::vector")),
        ("Foo#bar", PathPlace("Foo#bar")),
    ],
)
def test_places_are_told_from_names(text: str, place: PathPlace) -> None:
    assert path_place(text) == place
