"""The size of a file in hybrid search: it adds to what a file says, and to nothing else."""

import math
from typing import Final, cast

import pytest

from cruxe.repository import Repository, open_repository
from tests.semantic.conftest import SOURCES
from tests.support.polyglot import paths_of, reasons_of
from tests.support.repositories import Repo, split_files

QUESTION: Final = "where is the payment of an invoice given back"
OTHER_LINES: Final = "".join(
    f"\n\ndef step_{number}():\n    return {number}\n" for number in range(90)
)


def points_by_size(repository: Repository) -> dict[str, float]:
    """What each file gains by its size, of those that gain anything."""
    answer = repository.search_code(QUESTION, ranking_explain_level="full")
    found: dict[str, float] = {}
    for path, reason in zip(paths_of(answer), reasons_of(answer), strict=True):
        for each in cast("list[dict[str, object]]", reason["contributions"]):
            if each["signal"] == "file_size":
                found.setdefault(str(path), cast("float", each["raw"]))
    return found


def test_the_best_file_gains_by_its_lines(opened: Repository, shop: Repo) -> None:
    small = points_by_size(opened)["src/money.py"]
    text = split_files(SOURCES)["src/money.py"] + OTHER_LINES
    shop.write_bytes("src/money.py", text.encode())
    opened.sync_repo()

    large = points_by_size(opened)["src/money.py"]

    few, many = (each.count("\n") for each in (split_files(SOURCES)["src/money.py"], text))
    assert large / small == pytest.approx(math.log1p(many) / math.log1p(few), rel=1e-3)


def test_a_file_that_says_nothing_of_the_question_gains_nothing(opened: Repository) -> None:
    assert "src/keeper.go" not in points_by_size(opened)


def test_words_alone_do_not_look_at_sizes(
    opened: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")

    assert points_by_size(open_repository(opened.root)) == {}
