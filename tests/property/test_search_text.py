"""Searching for text over real stores: what a scan of all files gives, on pages as in one piece."""

import itertools
import random
from collections.abc import Mapping
from typing import Final, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cruxe.model.errors import InvalidInputError
from cruxe.repository import Repository, open_repository
from tests.support.repositories import Repo, write_repo

WORDS: Final = (
    "rate",
    "Rate",
    "limit",
    "rate_limit",
    "x",
    "(",
    "é",
    "\u017fea",
    "\u212aelvin",
    "\t",
    "'",
)
TEXT: Final = st.lists(st.sampled_from([*WORDS, " ", "\n"]), max_size=30).map("".join)
LITERAL: Final = st.lists(st.sampled_from([*WORDS, " "]), min_size=1, max_size=3).map("".join)


class Searched(NamedTuple):
    """An indexed repository and what was written into it."""

    repository: Repository
    texts: dict[str, str]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    """Files of random words; some are written after they were indexed, one is taken away."""
    chance = random.Random(7)  # noqa: S311 - the same files in every run
    texts = {f"d{n % 4}/f{n}.txt": _random_text(chance) for n in range(40)}
    folder = tmp_path_factory.mktemp("text")
    made = write_repo(folder / "repo", "-- gone.txt\nrate limit\n")
    _write(made, texts)
    with pytest.MonkeyPatch.context() as patch:
        # Before any test has a home of its own.
        for name in ("HOME", "USERPROFILE"):
            patch.setenv(name, str(folder / "home"))
        opened = open_repository(made.root)
        opened.sync_repo()
    late = {f"d{n}/f{n}.txt": _random_text(chance) for n in range(3)}
    _write(made, late | {"new.txt": "rate_limit\n"})
    made.remove("gone.txt")
    return Searched(opened, texts | late | {"new.txt": "rate_limit\n"})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(literal=LITERAL)
def test_a_search_gives_what_a_scan_of_all_files_gives(searched: Searched, literal: str) -> None:
    expected = [
        (path, number)
        for path in sorted(searched.texts)
        for number, line in enumerate(searched.texts[path].split("\n"), 1)
        if literal in line
    ]

    found = searched.repository.search_text(literal, case="sensitive", limit=None)

    assert _places(found) == expected
    assert found["total_matches"] == len(expected)
    assert found["total_files"] == len({path for path, _ in expected})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(literal=LITERAL)
def test_without_case_at_least_as_much_is_found(searched: Searched, literal: str) -> None:
    expected = [
        (path, number)
        for path in sorted(searched.texts)
        for number, line in enumerate(searched.texts[path].split("\n"), 1)
        if literal.casefold() in line.casefold()
    ]

    found = searched.repository.search_text(literal, case="insensitive", limit=None)

    assert _places(found) == expected


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(literal=LITERAL, limit=st.integers(1, 100))
def test_pages_are_parts_of_one_list(searched: Searched, literal: str, limit: int) -> None:
    whole = searched.repository.search_text(literal, limit=None)
    pages: list[tuple[str, int]] = []
    cursor: str | None = None
    for _ in itertools.count():
        page = searched.repository.search_text(literal, limit=limit, cursor=cursor)
        pages += _places(page)
        if "next_cursor" not in page:
            break
        cursor = str(page["next_cursor"])

    assert pages == _places(whole)


def test_five_hundred_nasty_patterns_give_answers_or_invalid_input(searched: Searched) -> None:
    patterns = _nasty_patterns()
    assert len(patterns) >= 500
    refused = 0
    for pattern in patterns:
        assert "results" in searched.repository.search_text(pattern, limit=5)
        try:
            searched.repository.search_text(pattern, regex=True, limit=5)
        except InvalidInputError as error:
            refused += error.data["field"] == "pattern"

    assert 0 < refused < len(patterns)


def _nasty_patterns() -> list[str]:
    chance = random.Random(11)  # noqa: S311 - the same patterns in every run
    pieces = [
        *map(chr, range(33)),
        *("\x7f", "\x85", "\u2028", "\ufeff", "\u202e", "\u05e9\u05dc\u05d5\u05dd", "\ufffd"),
        *("\U0001f600", "\U0001f469\u200d\U0001f680", "e\u0301", "\ud800", "\udfff", "\U0010ffff"),
        *("(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "\\", "^", "$", ".", "-", "\\Q", "\\E"),
        *("(?=", "(?<!", "(?P<", "(?i", "\\1", "\\p{", "\\x{", "[[:", ":]]", "{999}", "{1001}"),
        *("a", "rate", "%", "'", '"', "--", "../", "\\u0041", "(a+)+$", "(.*)*", "(x+x+)+y"),
    ]
    mixed = ["".join(chance.choices(pieces, k=chance.randint(2, 8))) for _ in range(420)]
    # Unclosed brackets and braces, over and over: what reads them must not start anew at each.
    long = [
        "[a" * 4_900,
        "\\p{" * 3_300,
        "(?P<" * 2_400,
        "[[:" * 3_300,
        "rate|" * 1_900,
        "a" * 100_000,
        "é" * 50_000,
        "rate|" * 20_000,
        "(" * 50_000,
        "[a" * 30_000,
    ]
    bombs = [
        "(a?){999}" * 9 + "b",
        "((a{1,30}){1,30})b",
        "(.*a){20}",
        "\\pL{99}" * 9,
        ".{999}" * 99,
    ]
    return [*pieces, *mixed, *long, *bombs]


def _random_text(chance: random.Random) -> str:
    words = chance.choices([*WORDS, " ", "\n", "\n"], k=chance.randint(1, 60))
    return "".join(words) + "\n"


def _write(made: Repo, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        made.write_bytes(path, text.encode())


def _places(answer: Mapping[str, object]) -> list[tuple[str, int]]:
    results = answer["results"]
    assert isinstance(results, list)
    return [(each["path"], each["line"]) for each in results]
