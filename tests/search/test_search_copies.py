"""No file pays for a region that was folded as a copy of another file's."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.polyglot import (
    DATA_DIR_VARIABLE,
    Answer,
    metadata_of,
    reasons_of,
    results_of,
    search_with,
)
from tests.support.repositories import GIT_ENVIRONMENT, MakeRepo, write_repo

QUESTION: Final = "how does the ledger settle an invoice"
_REMINDERS: Final = "\n".join(f"    letter.add(invoice.reminder_{n})" for n in range(40))
REMIND: Final = f"def remind_customer(ledger, invoice):\n{_REMINDERS}\n    ledger.post(letter)\n"
_ROWS: Final = "\n".join(f"    report.add(row_{n}, column)" for n in range(40))
REPORT: Final = f"def report_year(invoice):\n{_ROWS}\n    return report\n"
# One chunk, and several chunks of one definition.
LENGTHS: Final = (30, 90)


def settle(length: int) -> str:
    steps = "\n".join(f"    entry.debit(invoice.line_{n}, ledger.account)" for n in range(length))
    return f"def settle_invoice(ledger, invoice):\n{steps}\n    return ledger.close(entry)\n"


def billing(length: int = 30, copies: int = 1, others: int = 1) -> str:
    """Copies of one file's best region, each before a region of its own, and other files."""
    parts = [f"-- ledger/settle_invoice.py\n{settle(length)}"]
    parts += [
        f"-- old{n}/main.py\n{settle(length)}\n\n{REMIND.replace('reminder_', f'notice_{n}_')}"
        for n in range(copies)
    ]
    parts += [f"-- year{n}/main.py\n{REPORT.replace('row_', f'row_{n}_')}" for n in range(others)]
    return "".join(parts)


def opened(repo: MakeRepo, files: str) -> Repository:
    made = open_repository(repo(files).root)
    made.sync_repo()
    return made


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    """More candidates than are compared with one another, many of them copies."""
    folder = tmp_path_factory.mktemp("ledgers")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (GIT_ENVIRONMENT | {"HOME": str(folder / "home")}).items():
            patch.setenv(name, value)
        patch.setenv(DATA_DIR_VARIABLE, str(folder / "data"))
        made = open_repository(write_repo(folder / "repo", billing(copies=45, others=40)).root)
        made.sync_repo()
        yield made


def named(answer: Answer) -> list[tuple[object, object]]:
    return [(each["path"], each.get("name")) for each in results_of(answer)]


def parts_of(reason: Mapping[str, object]) -> dict[str, float]:
    """What each signal gives to a score."""
    given = cast("list[dict[str, object]]", reason["contributions"])
    return {str(each["signal"]): cast("float", each["effective"]) for each in given}


def sums_of(answer: Answer) -> list[float]:
    return [max(0.0, round(sum(parts_of(each).values()), 6)) for each in reasons_of(answer)]


def scores_of(answer: Answer) -> list[object]:
    return [each["score"] for each in results_of(answer)]


def explain(made: Repository, path: str, line: int, limit: int = 100) -> Answer:
    return made.explain_ranking(QUESTION, path, line, limit=limit)


def all_pages(made: Repository, query: str, limit: int) -> list[Answer]:
    options: dict[str, object] = {"limit": limit, "ranking_explain_level": "full"}
    pages = [search_with(made, query, options)]
    while "next_cursor" in pages[-1]:
        cursor = pages[-1]["next_cursor"]
        pages.append(search_with(made, query, {**options, "cursor": cursor}))
    return pages


def joined(pages: list[Answer]) -> list[tuple[object, object]]:
    return [(each["result_id"], each["score"]) for page in pages for each in results_of(page)]


def suppressed_in(page: Answer) -> int:
    return cast("int", metadata_of(page).get("suppressed_duplicate_count", 0))


@requirement("SHOWN-COPIES-COST")
@pytest.mark.parametrize("length", LENGTHS)
def test_the_next_region_of_a_file_does_not_pay_for_a_folded_copy(
    repo: MakeRepo, length: int
) -> None:
    made = opened(repo, billing(length))
    answer = made.search_code(QUESTION, ranking_explain_level="full")

    assert named(answer) == [
        ("ledger/settle_invoice.py", "settle_invoice"),
        ("old0/main.py", "remind_customer"),
        ("year0/main.py", "report_year"),
    ]
    assert "saturation" not in parts_of(reasons_of(answer)[1])
    assert sums_of(answer) == scores_of(answer)


@requirement("SHOWN-COPIES-COST")
def test_a_region_pays_for_those_of_its_file_that_are_shown(repo: MakeRepo) -> None:
    further = REMIND.replace("remind", "warn").replace("reminder_", "warning_")
    made = opened(repo, f"{billing()}-- old/main.py\n{settle(30)}\n\n{REMIND}\n\n{further}")
    answer = made.search_code(QUESTION, ranking_explain_level="full")

    first, second = (
        reason
        for result, reason in zip(results_of(answer), reasons_of(answer), strict=True)
        if result["path"] == "old/main.py"
    )
    assert "saturation" not in parts_of(first)
    whole = sum(parts_of(first).values())
    assert parts_of(second)["saturation"] == pytest.approx(-0.75 * whole, abs=1e-6)


@requirement("SHOWN-COPIES-COST")
@pytest.mark.parametrize("further", [REMIND, "def sweep(invoice):\n    return 1\n"])
def test_a_copy_of_a_whole_file_does_not_come_before_the_rest_of_the_original(
    repo: MakeRepo, further: str
) -> None:
    whole = f"{settle(30)}\n\n{further}"
    made = opened(repo, f"-- ledger/settle_invoice.py\n{whole}-- old/main.py\n{whole}")
    first, second, *_ = results_of(made.search_code(QUESTION))

    assert first["path"] == second["path"] == "ledger/settle_invoice.py"
    assert first["also_at"] == ["old/main.py:1"]


@requirement("SHOWN-COPIES-COST")
def test_a_reranked_region_does_not_pay_either(repo: MakeRepo, tmp_path: Path) -> None:
    written = repo(billing())
    chosen = tmp_path / "chosen.toml"
    chosen.write_text('[semantic.rerank]\nprovider = "local"\n', encoding="utf-8")
    made = open_repository(written.root, str(chosen))
    made.sync_repo()
    answer = made.search_code(QUESTION, ranking_explain_level="full")

    assert named(answer)[1] == ("old0/main.py", "remind_customer")
    given = parts_of(reasons_of(answer)[1])
    assert "rerank" in given
    assert "saturation" not in given
    assert sums_of(answer) == scores_of(answer)


@requirement("SHOWN-COPIES-COST")
def test_copies_with_a_literal_are_folded_like_others(repo: MakeRepo) -> None:
    refuse = 'raise KeyError(f"cannot settle {invoice} in the books of today")'
    made = opened(repo, billing(copies=3).replace("return ledger", refuse))
    answer = made.search_code(
        "KeyError: cannot settle INV7 in the books of today", ranking_explain_level="full"
    )

    assert named(answer)[:2] == [
        ("ledger/settle_invoice.py", "settle_invoice"),
        ("old0/main.py", "remind_customer"),
    ]
    first, second, *_ = map(parts_of, reasons_of(answer))
    assert "literal_match" in first
    assert not {"literal_match", "saturation"} & {*second}
    assert sums_of(answer) == scores_of(answer)


@requirement("SHOWN-COPIES-COST", "EXPLAIN-RANK")
def test_the_explained_rank_is_that_of_the_search(repo: MakeRepo) -> None:
    made = opened(repo, billing(copies=3, others=3))
    results = results_of(made.search_code(QUESTION))

    assert len(results) == 7
    for rank, result in enumerate(results, start=1):
        path, line = str(result["path"]), cast("int", result["line_start"])
        explained = explain(made, path, line)
        scoring = cast("Answer", explained["scoring"])
        assert (explained["rank"], scoring["total"]) == (rank, result["score"])
    assert explain(made, "old1/main.py", 1)["duplicate_of"] == "ledger/settle_invoice.py:1"


@requirement("SHOWN-COPIES-COST", "EXPLAIN-RANK")
def test_a_candidate_below_those_examined_has_one_rank(ledgers: Repository) -> None:
    answer = ledgers.search_code(QUESTION, limit=100)
    last = results_of(answer)[-1]
    path, line = str(last["path"]), cast("int", last["line_start"])

    near, far = explain(ledgers, path, line, 20), explain(ledgers, path, line, 500)

    assert "rank" not in near
    assert near["candidate_rank"] == far["candidate_rank"]
    assert far["rank"] == len(results_of(answer))


@requirement("SHOWN-COPIES-COST", "FR-105b")
@settings(max_examples=12)
@given(
    words=st.lists(
        st.sampled_from(["settle", "invoice", "ledger", "settle_invoice", "remind", "year", "row"]),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    limit=st.integers(3, 20),
)
def test_pages_are_parts_of_one_list_in_the_order_of_its_scores(
    ledgers: Repository, words: list[str], limit: int
) -> None:
    query = " ".join(words)
    whole, pages = all_pages(ledgers, query, 100), all_pages(ledgers, query, limit)

    assert joined(pages) == joined(whole)
    assert len({each for each, _ in joined(whole)}) == len(joined(whole))
    assert len(joined(pages)) + sum(map(suppressed_in, pages)) == whole[0]["total_candidates"]
    assert all(sums_of(page) == scores_of(page) for page in pages)
    scores = [cast("float", score) for _, score in joined(whole)]
    assert all(before >= after for before, after in pairwise(scores))
