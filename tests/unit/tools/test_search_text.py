"""`search_text`: every line of a ref that holds a text, counted."""

import os
from collections.abc import Callable, Mapping
from typing import Final, cast

import pytest

from cruxe.freshness.check import FullCheck
from cruxe.model.errors import InvalidInputError
from cruxe.model.outcomes import Absence, AbsenceVerdict, Searched
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.repository import Repository, open_repository
from cruxe.store.local.snapshot import open_snapshot
from cruxe.tools.ref_session import RefSession, published_ref
from cruxe.tools.search_text import prove_absence
from cruxe.workspace.context import resolve_target
from tests.support.indexing import settle
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of

FILES: Final = """
    -- src/cart.py
    RATE = 3


    def total(rate):
        return rate * RATE
    -- src/cart.go
    package cart

    const Rate = 3
    -- notes.txt
    the rate is three
    -- logo.png
    \0\0
"""
PATHS: Final = ("src/cart.py", "src/cart.go", "notes.txt", "logo.png")


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    """A repository whose files look as if they had been written long ago."""
    written = repo(FILES)
    settle(written, *PATHS)
    return written


@pytest.fixture
def shop(made: Repo) -> Repository:
    """The same, indexed."""
    opened = open_repository(made.root)
    opened.sync_repo()
    return opened


def places(answer: Mapping[str, object]) -> list[str]:
    results = cast("list[dict[str, object]]", answer["results"])
    return [f"{each['path']}:{each['line']}:{each['column']}" for each in results]


def test_an_answer_tells_lines_counts_and_what_was_searched(shop: Repository) -> None:
    answer = shop.search_text("Rate", context_lines=1)

    assert answer == {
        "results": [
            {
                "path": "src/cart.go",
                "line": 3,
                "column": 7,
                "text": "const Rate = 3",
                "before": [""],
            }
        ],
        "total_matches": 1,
        "total_files": 1,
        "case": "sensitive",
        "searched": {"files": 3, "skipped": {"binary": 1}},
        "metadata": {
            "codecompass_protocol_version": "1.0",
            "freshness_status": "fresh",
            "indexing_status": "ready",
            "result_completeness": "complete",
            "ref": "main",
            "schema_status": "compatible",
        },
    }


def test_lines_come_by_path_and_line_each_once(shop: Repository) -> None:
    answer = shop.search_text("rate")

    assert (answer["total_matches"], answer["total_files"], answer["case"]) == (
        5,
        3,
        "insensitive",
    )
    assert places(answer) == [
        "notes.txt:1:5",
        "src/cart.go:3:7",
        "src/cart.py:1:1",
        "src/cart.py:4:11",
        "src/cart.py:5:12",
    ]


@pytest.mark.parametrize(("case", "found"), [("smart", 1), ("sensitive", 1), ("insensitive", 5)])
def test_the_case_rule_can_be_chosen(shop: Repository, case: str, found: int) -> None:
    assert shop.search_text("Rate", case=case)["total_matches"] == found


def test_a_regular_expression_matches_within_lines(shop: Repository) -> None:
    assert places(shop.search_text(r"^\w+ Rate\b|rate \*", regex=True)) == [
        "src/cart.go:3:1",
        "src/cart.py:5:12",
    ]


def test_a_literal_may_go_over_the_ends_of_lines(shop: Repository) -> None:
    assert places(shop.search_text("(rate):\r\n    return")) == ["src/cart.py:4:10"]


@pytest.mark.parametrize(
    ("path", "language", "found"),
    [("*.py", None, 3), ("cart", None, 4), (None, "go", 1), ("*.py", "python", 3)],
)
def test_filters_choose_files(
    shop: Repository, path: str | None, language: str | None, found: int
) -> None:
    assert shop.search_text("rate", path=path, language=language)["total_matches"] == found


def test_what_only_the_filters_leave_out_is_counted(shop: Repository) -> None:
    answer = shop.search_text("const", language="python")

    assert (answer["empty_reason"], answer["filtered_out"]) == ("filtered_out", 1)
    assert answer["suggested_next_actions"] == [
        {"tool": "search_text", "regex": False, "pattern": "const"}
    ]


def test_a_literal_that_is_nowhere_is_confirmed_absent(shop: Repository) -> None:
    nowhere = shop.search_text("warehouse")

    assert (nowhere["results"], nowhere["empty_reason"]) == ([], "confirmed_absent")
    assert nowhere["searched"] == {"files": 3, "skipped": {"binary": 1}}
    assert shop.search_text("ware.*house", regex=True)["empty_reason"] == "no_match"


def test_changed_new_and_removed_files_are_searched_as_they_are(
    shop: Repository, made: Repo
) -> None:
    made.write("-- src/cart.py\nnothing = 1\nwarehouse = 2\n-- new.py\nclass Warehouse: ...\n")
    made.write_bytes("new.bin", b"\0warehouse")
    made.remove("notes.txt")

    answer = shop.search_text("warehouse")

    assert places(answer) == ["new.py:1:7", "src/cart.py:2:1"]
    assert answer["searched"] == {"files": 3, "changed_files": 3, "skipped": {"binary": 2}}
    assert cast("dict[str, object]", answer["metadata"])["freshness_status"] == "stale"
    assert places(shop.search_text("rate")) == ["src/cart.go:3:7"]
    assert places(shop.search_text("warehouse", language="python")) == places(answer)


def test_another_ref_is_searched_as_it_was_committed(shop: Repository, made: Repo) -> None:
    made.branch("old")
    made.write("-- src/cart.py\nRATE = 4\n")
    made.commit()
    shop.sync_repo(ref="old")

    assert places(shop.search_text("return rate", ref="old")) == ["src/cart.py:5:5"]
    assert shop.search_text("return rate")["empty_reason"] == "confirmed_absent"


def test_pages_put_together_are_the_whole_list(shop: Repository) -> None:
    whole = places(shop.search_text("a", limit=None))
    pages: list[str] = []
    cursor: object = None
    while True:
        page = shop.search_text("a", limit=2, cursor=cast("str | None", cursor))
        pages += places(page)
        assert page["total_matches"] == len(whole)
        cursor = page.get("next_cursor")
        if cursor is None:
            break

    assert pages == whole


def test_a_cursor_is_refused_after_a_change_and_for_another_pattern(
    shop: Repository, made: Repo
) -> None:
    cursor = shop.search_text("rate", limit=1)["next_cursor"]
    with pytest.raises(InvalidInputError, match="another request"):
        shop.search_text("total", limit=1, cursor=cursor)
    made.write("-- more.py\nrate = 1\n")
    shop.sync_repo()

    with pytest.raises(InvalidInputError, match="changed since"):
        shop.search_text("rate", limit=1, cursor=cursor)


def test_an_answer_over_the_hard_limit_is_a_prefix_that_can_be_continued(
    shop: Repository, made: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.write("-- many.txt\n" + "needle and a good deal of hay around it\n" * 60)
    shop.sync_repo()
    whole = places(shop.search_text("needle", limit=100))
    monkeypatch.setenv("CRUXE_SEARCH_MAX_RESPONSE_BYTES", "4096")
    narrow = open_repository(made.root)

    first = narrow.search_text("needle", limit=100)
    metadata = cast("dict[str, object]", first["metadata"])

    assert metadata["result_completeness"] == "truncated"
    assert metadata["safety_limit_applied"] is True
    second = narrow.search_text("needle", limit=100, cursor=first["next_cursor"])
    assert 1 < len(places(first)) < 60
    assert (places(first) + places(second))[:50] == whole[:50]


def test_long_lines_are_cut_around_the_match(shop: Repository, made: Repo) -> None:
    made.write_bytes("long.txt", b"\n" + b"x" * 900 + b" needle " + b"y" * 900 + b"\n")

    answer = shop.search_text("needle")
    (result,) = cast("list[dict[str, str]]", answer["results"])

    assert places(answer) == ["long.txt:2:902"]
    assert result["text"].startswith("…x")
    assert " needle y" in result["text"]
    assert len(result["text"]) == 302


def test_columns_count_characters_and_other_encodings_are_read(
    shop: Repository, made: Repo
) -> None:
    made.write_bytes("wide.txt", "\ufeffä needle\r\n".encode("utf-16-le"))
    made.write_bytes("old.txt", "über needle\r\n".encode("cp1252"))

    assert places(shop.search_text("needle")) == ["old.txt:1:6", "wide.txt:1:3"]
    assert places(shop.search_text("ÜBER", case="insensitive")) == ["old.txt:1:1"]


def test_a_secret_in_a_line_is_not_shown(shop: Repository, made: Repo) -> None:
    token = "ghp_" + "x7Kq2mZ9pL4vT8wB3nR6yF1dH5sJ0cGaEuQo"
    made.write(f"-- deploy.py\nneedle = '{token}'\n")

    (result,) = cast("list[dict[str, str]]", shop.search_text("needle")["results"])

    assert token not in result["text"]
    assert result["text"].startswith("needle = '[REDACTED")


@pytest.mark.parametrize(
    ("field", "ask"),
    [
        ("pattern", lambda shop: shop.search_text("")),
        ("limit", lambda shop: shop.search_text("x", limit=0)),
        ("limit", lambda shop: shop.search_text("x", limit=101)),
        ("context_lines", lambda shop: shop.search_text("x", context_lines=11)),
        ("case", lambda shop: shop.search_text("x", case="smrt")),
    ],
)
def test_a_wrong_argument_names_its_field(
    shop: Repository, field: str, ask: Callable[[Repository], object]
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        ask(shop)

    assert caught.value.data["field"] == field


def test_past_the_deadline_nothing_is_claimed(
    shop: Repository, made: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cruxe.model.deadlines.Deadline.has_passed", True)

    answer = shop.search_text("wareh?ouse", regex=True)

    assert answer["empty_reason"] == "not_proven"
    assert cast("dict[str, object]", answer["metadata"])["result_completeness"] == "partial"
    assert _absence(shop, "a").verdict is AbsenceVerdict.PRESENT
    made.write("-- new.py\nx = 1\n")
    assert _absence(shop, "warehouse").verdict is AbsenceVerdict.NOT_PROVEN


def test_absence_is_proven_by_index_and_changed_files_in_any_case(
    shop: Repository, made: Repo
) -> None:
    skipped = {"binary": 1}
    assert _absence(shop, "WareHouse") == Absence(
        AbsenceVerdict.CONFIRMED_ABSENT, Searched(3, 0, skipped)
    )
    assert _absence(shop, "rAtE").verdict is AbsenceVerdict.PRESENT
    made.write("-- new.py\nWAREHOUSE = 1\n")
    assert _absence(shop, "WareHouse") == Absence(AbsenceVerdict.PRESENT, Searched(4, 1, skipped))


def test_a_file_that_vanishes_is_skipped_with_a_reason(
    shop: Repository, made: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = resolve_target(shop.context.workspace, None)
    check = FullCheck(shop.context, target)
    with open_snapshot(layout_of(shop.context)) as snapshot:
        assert check.is_fresh(snapshot)
    os.remove(made.path("notes.txt"))
    monkeypatch.setattr(FullCheck, "is_fresh", lambda *_: True)

    assert shop.search_text("three")["searched"] == {
        "files": 2,
        "skipped": {"binary": 1, "vanished": 1},
    }


def _absence(shop: Repository, literal: str) -> Absence:
    target = resolve_target(shop.context.workspace, None)
    check = FullCheck(shop.context, target)
    with open_snapshot(layout_of(shop.context)) as snapshot:
        opened = OpenedRef(snapshot, published_ref(snapshot, target, shop.context).ref_id)
        return prove_absence(RefSession(shop.context, target, opened, check), literal)
