"""What a search does about files that changed since they were indexed."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cruxe.model.errors import IndexStaleError, InvalidInputError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.command import run_cruxe
from tests.support.indexing import settle
from tests.support.polyglot import Failure, metadata_of, names_of, results_of
from tests.support.repositories import MakeRepo, Repo, write_repo

if TYPE_CHECKING:
    from cruxe.contract.results import SearchCodeResult

SHOP = """
    -- shop/order.py
    class Order:
        def total(self) -> int:
            return 1


    def cancel_order(order: Order) -> None:
        order.cancelled = True
    -- shop/refund.py
    def refund_order(order: object) -> None:
        pass
"""
CHANGES: dict[str, Callable[[Repo], None]] = {
    "an edit": lambda made: made.write("-- shop/refund.py\ndef refund_all() -> None: ...\n"),
    "a new file": lambda made: made.write("-- shop/cart.py\nclass Cart: ...\n"),
    "a deletion": lambda made: made.remove("shop/refund.py"),
    "a checkout": lambda made: _discard(made.git("checkout", "--quiet", "-b", "other")),
    "a commit": lambda made: _discard(made.commit("again")),
}


def _discard(_: object) -> None:
    """Take a value that no one wants."""


@pytest.fixture
def shop(repo: MakeRepo) -> Repo:
    """A small repository, indexed; its files have trusted stamps."""
    made = repo(SHOP)
    settle(made, "shop/order.py", "shop/refund.py")
    open_repository(made.root).sync_repo()
    return made


def ask(shop: Repo, query: str = "cancel_order", policy: str | None = None) -> "SearchCodeResult":
    """Search with a handle of its own, as each request does."""
    return open_repository(shop.root).search_code(query, freshness_policy=policy)


@requirement("FR-116", "SEARCH-FRESHNESS")
@pytest.mark.parametrize("policy", [None, "strict", "balanced", "best_effort"])
def test_an_unchanged_tree_is_fresh_under_every_policy(shop: Repo, policy: str | None) -> None:
    answer = ask(shop, policy=policy)

    assert metadata_of(answer)["freshness_status"] == "fresh"
    assert "dropped_stale" not in metadata_of(answer)
    assert names_of(answer)[0] == "cancel_order"


@requirement("SEARCH-FRESHNESS", "FR-116")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("policy", [None, "balanced", "best_effort"])
def test_a_changed_tree_is_answered_and_called_stale(
    shop: Repo, change: str, policy: str | None
) -> None:
    CHANGES[change](shop)

    answer = ask(shop, policy=policy)

    assert metadata_of(answer)["freshness_status"] == "stale"
    assert metadata_of(answer)["indexing_status"] == "ready"
    assert names_of(answer)[0] == "cancel_order"


@requirement("FR-117", "STALE-COMMITS")
@pytest.mark.parametrize("change", CHANGES)
def test_strict_refuses_a_changed_tree_and_says_what_to_do(shop: Repo, change: str) -> None:
    indexed = shop.git("rev-parse", "HEAD").strip()
    CHANGES[change](shop)

    with pytest.raises(IndexStaleError) as caught:
        ask(shop, policy="strict")

    assert Failure.of(caught.value) == Failure(
        "index_stale",
        "the index is behind the working tree",
        "run `cruxe sync`, or set `search.freshness_policy` to balanced",
        {
            "last_indexed_commit": indexed,
            "current_head": shop.git("rev-parse", "HEAD").strip(),
        },
    )
    open_repository(shop.root).sync_repo()
    assert metadata_of(ask(shop, policy="strict"))["freshness_status"] == "fresh"


@requirement("STALE-COMMITS")
def test_where_there_are_no_commits_none_are_told(tmp_path: Path) -> None:
    plain = write_repo(tmp_path / "plain", SHOP, git=False)
    opened = open_repository(plain.root)
    opened.sync_repo()
    plain.remove("shop/refund.py")

    with pytest.raises(IndexStaleError) as caught:
        opened.locate_symbol("cancel_order", freshness_policy="strict")

    assert caught.value.data == {}


@requirement("STALE-COMMITS", "CLI-JSON")
def test_the_command_line_tells_the_commits_too(shop: Repo) -> None:
    indexed = shop.git("rev-parse", "HEAD").strip()
    shop.commit("again")
    policy = {"CRUXE_SEARCH_FRESHNESS_POLICY": "strict"}

    failed = run_cruxe(shop.root, "search", "cancel_order", "--no-sync", "--json", **policy)

    assert failed.code == 1
    assert failed.answer["error"] == {
        "code": "index_stale",
        "message": "the index is behind the working tree",
        "data": {
            "last_indexed_commit": indexed,
            "current_head": shop.git("rev-parse", "HEAD").strip(),
            "remediation": "run `cruxe sync`, or set `search.freshness_policy` to balanced",
        },
    }


@requirement("FR-117", "SEARCH-COMMAND")
def test_the_command_line_syncs_what_strict_would_refuse(shop: Repo) -> None:
    shop.write("-- shop/cart.py\nclass Cart: ...\n")

    found = run_cruxe(shop.root, "search", "Cart", CRUXE_SEARCH_FRESHNESS_POLICY="strict")

    assert (found.code, found.stderr) == (0, "")
    assert found.stdout.startswith("shop/cart.py:1  ")


@requirement("FR-119")
def test_best_effort_answers_from_the_index_as_it_is_and_writes_nothing(shop: Repo) -> None:
    shop.write("-- shop/cart.py\nclass Cart: ...\n")
    before = open_repository(shop.root).index_status()["generation"]

    answer = ask(shop, "Cart", policy="best_effort")

    assert "Cart" not in names_of(answer)
    assert open_repository(shop.root).index_status()["generation"] == before


@requirement("FR-120")
@pytest.mark.parametrize(
    ("configured", "asked", "is_refused"),
    [
        ("strict", None, True),
        ("strict", "balanced", False),
        ("strict", "best_effort", False),
        ("best_effort", None, False),
        ("best_effort", "strict", True),
        ("no such policy", None, False),
        ("no such policy", "strict", True),
    ],
)
def test_the_policy_of_a_request_goes_before_the_configured_one(
    shop: Repo, tmp_path: Path, configured: str, asked: str | None, *, is_refused: bool
) -> None:
    chosen = tmp_path / "chosen.toml"
    chosen.write_text(f'[search]\nfreshness_policy = "{configured}"\n', encoding="utf-8")
    shop.remove("shop/refund.py")
    opened = open_repository(shop.root, str(chosen))

    assert _is_refused(opened, asked) == is_refused


@requirement("SEARCH-ARGUMENTS", "FR-120")
def test_an_unknown_policy_is_invalid_input(shop: Repo) -> None:
    with pytest.raises(InvalidInputError) as caught:
        ask(shop, policy="stric")

    assert Failure.of(caught.value) == Failure(
        "invalid_input",
        "freshness_policy is 'stric'; did you mean strict?",
        "use one of strict, balanced, best_effort",
        {"field": "freshness_policy", "choices": ("strict", "balanced", "best_effort")},
    )


@requirement("SEARCH-VERIFY")
def test_a_definition_that_moved_is_told_with_its_present_lines(shop: Repo) -> None:
    with open(shop.path("shop/order.py"), encoding="utf-8") as file:
        text = file.read()
    shop.write_bytes("shop/order.py", f"import os\n\n{text}".encode())

    answer = ask(shop)
    first = results_of(answer)[0]

    assert {key: first[key] for key in ("name", "line_start", "line_end", "signature")} == {
        "name": "cancel_order",
        "line_start": 8,
        "line_end": 9,
        "signature": "def cancel_order(order: Order) -> None",
    }
    assert metadata_of(answer)["freshness_status"] == "stale"


@requirement("SEARCH-VERIFY")
def test_a_changed_signature_is_told_as_it_is_now(shop: Repo) -> None:
    shop.write("-- shop/refund.py\n\ndef refund_order(order: object, reason: str) -> bool: ...\n")

    first = results_of(ask(shop, "refund_order"))[0]

    assert first["signature"] == "def refund_order(order: object, reason: str) -> bool"
    assert (first["line_start"], first["line_end"]) == (2, 2)


@requirement("SEARCH-VERIFY", "SEARCH-EMPTY")
@pytest.mark.parametrize(
    "change", ["-- shop/refund.py\ndef something_else() -> None: ...\n", None, "directory"]
)
def test_a_definition_that_is_gone_is_dropped_and_counted(shop: Repo, change: str | None) -> None:
    os.remove(shop.path("shop/refund.py"))
    if change == "directory":
        os.mkdir(shop.path("shop/refund.py"))
    elif change is not None:
        shop.write(change)

    answer = open_repository(shop.root).search_code("refund_order", path="refund")

    assert answer["results"] == []
    assert answer["empty_reason"] == "stale"
    assert metadata_of(answer)["dropped_stale"] == 1
    assert metadata_of(answer)["freshness_status"] == "stale"


@requirement("SEARCH-VERIFY")
def test_an_edit_within_the_same_second_and_size_is_noticed(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef alpha_one() -> int:\n    return 1\n")
    open_repository(made.root).sync_repo()
    known = os.stat(made.path("a.py"))
    made.write("-- a.py\ndef alpha_two() -> int:\n    return 1\n")
    os.utime(made.path("a.py"), ns=(known.st_atime_ns, known.st_mtime_ns))

    answer = open_repository(made.root).search_code("alpha_one")

    assert (answer["results"], answer["empty_reason"]) == ([], "stale")
    assert metadata_of(answer)["freshness_status"] == "stale"


@requirement("SEARCH-VERIFY", "SEARCH-REFS")
def test_a_committed_ref_is_not_touched_by_edits_of_the_working_tree(shop: Repo) -> None:
    shop.branch("release")
    opened = open_repository(shop.root)
    opened.sync_repo(ref="release")
    before = opened.search_code("refund_order", ref="release")
    shop.remove("shop/refund.py")

    after = open_repository(shop.root).search_code("refund_order", ref="release")

    assert after == before
    assert metadata_of(after)["freshness_status"] == "fresh"
    assert names_of(after)[0] == "refund_order"


@requirement("SEARCH-CURSOR")
def test_a_cursor_of_an_older_generation_is_refused_with_the_remedy(shop: Repo) -> None:
    opened = open_repository(shop.root)
    cursor = opened.search_code("order", limit=1)["next_cursor"]
    assert isinstance(cursor, str)
    shop.write("-- shop/cart.py\nclass Cart: ...\n")
    opened.sync_repo()

    with pytest.raises(InvalidInputError) as caught:
        opened.search_code("order", limit=1, cursor=cursor)

    assert Failure.of(caught.value) == Failure(
        "invalid_input",
        "the cursor cannot be used: the index has changed since",
        "ask again without the cursor",
        {"field": "cursor"},
    )


def _is_refused(opened: Repository, policy: str | None) -> bool:
    try:
        opened.search_code("cancel_order", freshness_policy=policy)
    except IndexStaleError:
        return True
    return False
