"""The soak's check: what answers show is compared with the files, and a wrong line is noticed."""

from collections.abc import Callable
from typing import Final

import pytest

from benchmarks.harness.shown_lines import Answer, Entry, entries_of, wrong_entries
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.repositories import MakeRepo, Repo

PATH: Final = "shop/cart.py"
FILES: Final = """
    -- shop/cart.py
    import os


    class Cart:
        @property
        def total(
            self,  # the one that pays
            discount: int = 0,
        ) -> int:
            # What the customer owes.
            return discount

        def empty(self) -> None:
            os.abort()
"""
Ask = Callable[[Repository], Answer]
QUESTIONS: Final[dict[str, tuple[str, Ask]]] = {
    "outline": ("get_file_outline", lambda shop: shop.get_file_outline(PATH)),
    "symbol": ("read_symbol", lambda shop: shop.read_symbol("Cart.total")),
    "lines": ("read_symbol", lambda shop: shop.read_symbol(f"{PATH}:2-20")),
    "budget": ("read_symbol", lambda shop: shop.read_symbol("Cart", max_tokens=20)),
    "text": ("search_text", lambda shop: shop.search_text("customer", context_lines=1)),
    "located": ("locate_symbol", lambda shop: shop.locate_symbol("empty")),
    "located in context": (
        "locate_symbol",
        lambda shop: shop.locate_symbol("total", detail_level="context"),
    ),
    "found in context": (
        "search_code",
        lambda shop: shop.search_code("customer total", detail_level="context"),
    ),
}
all_questions = pytest.mark.parametrize("question", QUESTIONS)


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    return repo(FILES)


def entries(made: Repo, question: str) -> list[Entry]:
    shop = open_repository(made.root)
    shop.sync_repo()
    tool, ask = QUESTIONS[question]
    found = entries_of(tool, ask(shop))
    assert found, "the answer shows nothing"
    return found


def lines_of(made: Repo) -> list[str]:
    with open(made.path(PATH), encoding="utf-8") as file:
        return file.read().split("\n")


@requirement("SOAK-CHECK")
@all_questions
def test_an_answer_that_agrees_with_its_file_is_right(made: Repo, question: str) -> None:
    lines = lines_of(made)

    assert wrong_entries(entries(made, question), lambda _: [lines]) == []
    assert wrong_entries(entries(made, question), lambda _: [["other"], lines]) == []


@requirement("SOAK-CHECK")
@all_questions
def test_an_answer_that_is_a_line_off_is_noticed(made: Repo, question: str) -> None:
    found, lines = entries(made, question), lines_of(made)

    assert wrong_entries(found, lambda _: [["", *lines]])[:1] == found[:1]
    assert wrong_entries(found, lambda _: [lines[1:]])[:1] == found[:1]
    assert wrong_entries(found, lambda _: []) == found


@requirement("SOAK-CHECK")
@all_questions
def test_a_line_that_is_not_there_is_noticed(made: Repo, question: str) -> None:
    found = entries(made, question)
    altered = [line.replace("o", "0") for line in lines_of(made)]

    assert wrong_entries(found, lambda _: [altered])[:1] == found[:1]


@requirement("SOAK-CHECK")
def test_half_of_one_version_and_half_of_another_is_noticed() -> None:
    answer: Answer = {"path": PATH, "line_start": 1, "line_end": 2, "source": "old\nnew"}
    found = entries_of("read_symbol", answer)

    assert wrong_entries(found, lambda _: [["old", "old"], ["new", "new"]]) == found
    assert wrong_entries(found, lambda _: [["old", "old"], ["old", "new"]]) == []


@requirement("SOAK-CHECK")
@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("a long li …", "a long ti …", "a long line"),
        ("…ong li…", "…ong ti…", "a long line"),
        ('key = "[REDACTED]"', 'kay = "[REDACTED]"', 'key = "abc"'),
        ('key = "[REDACTED:token]"', 'key = "[REDACTED:token]!', 'key = "abc"'),
    ],
)
def test_what_was_left_out_of_a_line_may_be_anything_but_the_rest_must_agree(
    right: str, wrong: str, line: str
) -> None:
    answer: Answer = {
        "results": [{"path": PATH, "line": 1, "text": shown} for shown in (right, wrong)]
    }
    found = entries_of("search_text", answer)

    assert wrong_entries(found, lambda _: [[line]]) == found[1:]


@requirement("SOAK-CHECK")
def test_a_head_may_leave_out_some_comments_and_keep_others() -> None:
    lines = ["def total(  # owed", "    self,  # who pays", "):"]

    def located(signature: str) -> list[Entry]:
        span = {"line_start": 1, "line_end": 3}
        result: Answer = {"path": PATH, "name": "total", "signature": signature, **span}
        return entries_of("locate_symbol", {"results": [result]})

    for right in ("def total( self, )", "def total( self, # who pays )", "def total( # owed sel …"):
        assert wrong_entries(located(right), lambda _: [lines]) == []
    for wrong in ("def total( self, # who paid )", "def total( )", "def totals( self, )"):
        assert wrong_entries(located(wrong), lambda _: [lines]) == located(wrong)
