"""Copies in search: collapsed, counted, told; and pages that are parts of one list."""

from collections.abc import Mapping
from typing import Final, cast

import pytest

from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.repositories import MakeRepo

Answer = Mapping[str, object]
COPIED: Final = """\
def settle_invoice(ledger, invoice, today):
    entry = ledger.open(invoice.number)
    for line in invoice.lines:
        entry.debit(line.account, line.amount, currency=invoice.currency)
    entry.credit(invoice.customer, invoice.total, currency=invoice.currency)
    ledger.close(entry, today)
    return entry
"""
OTHER: Final = """\
def invoice_{name}(ledger):
    {name} = ledger.{name}("invoice")
    return [{name}.settle, {name}.number, ledger]
"""
NAMES: Final = ("total", "customer", "reminder", "archive", "refund")


def files(copies: int) -> str:
    """Copies of one function, one of them with other words, and functions of their own."""
    parts = [f"-- pkg{number}/settle.py\n{COPIED}" for number in range(copies)]
    parts.append(
        f"-- vendor/old/settle.py\n{COPIED.replace('return entry', 'return entry.number')}"
    )
    parts.append("-- other/settle.py\n" + COPIED.replace("invoice", "bill"))
    parts += [f"-- own/{name}.py\n{OTHER.format(name=name)}" for name in NAMES]
    return "".join(parts)


@pytest.fixture
def billing(repo: MakeRepo) -> Repository:
    made = open_repository(repo(files(4)).root)
    made.sync_repo()
    return made


def results(answer: Answer) -> list[dict[str, object]]:
    return cast("list[dict[str, object]]", answer["results"])


def metadata(answer: Answer) -> dict[str, object]:
    return cast("dict[str, object]", answer["metadata"])


def all_pages(made: Repository, query: str, limit: int) -> list[Answer]:
    pages: list[Answer] = [made.search_code(query, limit=limit, detail_level="context")]
    while "next_cursor" in pages[-1]:
        cursor = str(pages[-1]["next_cursor"])
        page = made.search_code(query, limit=limit, detail_level="context", cursor=cursor)
        pages.append(page)
    return pages


@requirement("FR-105b", "S000-DEDUP-ONE", "S000-DEDUP-COUNT")
def test_copies_in_other_files_give_way_to_the_best(billing: Repository) -> None:
    answer = billing.search_code("settle_invoice", detail_level="context", limit=3)

    first, second, _ = results(answer)
    assert (first["path"], first["also_at"]) == (
        "pkg0/settle.py",
        ["pkg1/settle.py:1", "pkg2/settle.py:1", "pkg3/settle.py:1", "vendor/old/settle.py:1"],
    )
    assert second["path"] == "other/settle.py"
    assert metadata(answer)["suppressed_duplicate_count"] == 4


@requirement("FR-105b")
def test_a_page_is_refilled_where_copies_fall_out(billing: Repository) -> None:
    answer = billing.search_code("settle_invoice", limit=4)

    assert len(results(answer)) == 4
    assert len({each["path"] for each in results(answer)}) == 4


@requirement("FR-105b")
@pytest.mark.parametrize("limit", [1, 2, 3, 5])
def test_pages_are_parts_of_one_list_whatever_their_length(billing: Repository, limit: int) -> None:
    whole = billing.search_code("settle invoice ledger", limit=100, detail_level="context")
    pages = all_pages(billing, "settle invoice ledger", limit)

    assert "next_cursor" not in whole
    assert [each["result_id"] for page in pages for each in results(page)] == [
        each["result_id"] for each in results(whole)
    ]
    suppressed = [metadata(page).get("suppressed_duplicate_count", 0) for page in pages]
    assert sum(cast("list[int]", suppressed)) == metadata(whole)["suppressed_duplicate_count"]
    assert all(len(results(page)) == limit for page in pages[:-1])


@requirement("FR-105b")
def test_a_page_does_not_end_between_a_hit_and_its_copies(billing: Repository) -> None:
    answer = billing.search_code("settle_invoice", limit=1, detail_level="context")

    assert [each["path"] for each in results(answer)] == ["pkg0/settle.py"]
    assert len(cast("list[str]", results(answer)[0]["also_at"])) == 4


def test_more_copies_than_are_fetched_at_once_collapse_into_one(repo: MakeRepo) -> None:
    made = open_repository(repo(files(40)).root)
    made.sync_repo()

    answer = made.search_code("settle_invoice", limit=2, detail_level="context")

    first, second = results(answer)
    assert len(cast("list[str]", first["also_at"])) == 40
    assert not str(second["path"]).startswith("pkg")


def test_texts_that_only_resemble_each_other_both_stay(billing: Repository) -> None:
    paths = [each["path"] for each in results(billing.search_code("settle ledger", limit=20))]

    assert "other/settle.py" in paths
    assert sum(path.startswith("pkg") for path in map(str, paths)) == 1
