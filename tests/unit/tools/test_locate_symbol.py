"""The answers of `locate_symbol`: what they show, why, how big they get, and whether it is true."""

import json
from collections.abc import Mapping
from typing import Final, cast

import pytest

from cruxe.model.errors import IndexStaleError, InvalidInputError
from cruxe.repository import Repository, open_repository
from cruxe.text.tokens import estimate_tokens
from tests.requirements import requirement
from tests.support.indexing import settle
from tests.support.repositories import MakeRepo, Repo

Answer = Mapping[str, object]
FILES: Final = """
    -- shop/cart.py
    class Cart:
        def add(self, line: int) -> None:
            return None

        def total(self) -> int:
            # What the customer owes.
            return 0

        def _count(self) -> int:
            return 1
    -- shop/store.py
    class Store:
        def total(self) -> int:
            return 2
    -- tests/test_cart.py
    def total() -> int:
        return 3
"""
PATHS: Final = ("shop/cart.py", "shop/store.py", "tests/test_cart.py")


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    return repo(FILES)


@pytest.fixture
def shop(made: Repo) -> Repository:
    settle(made, *PATHS)
    opened = open_repository(made.root)
    opened.sync_repo()
    return opened


def results(answer: Answer) -> list[dict[str, object]]:
    return cast("list[dict[str, object]]", answer["results"])


def metadata(answer: Answer) -> dict[str, object]:
    return cast("dict[str, object]", answer["metadata"])


@requirement("FR-101", "FR-102")
def test_a_location_is_where_and_what_and_a_handle(shop: Repository) -> None:
    first, *_ = results(shop.locate_symbol("Cart.total", detail_level="location"))
    handle = first.pop("result_id")

    assert first == {
        "path": "shop/cart.py",
        "line_start": 5,
        "line_end": 7,
        "kind": "method",
        "name": "total",
        "score": 0.7785,
    }
    assert handle == results(shop.locate_symbol("Cart.total"))[0]["symbol_id"]


@requirement("FR-104", "S002-CONTEXT-OMITS")
def test_a_context_adds_the_text_the_parent_and_the_neighbours(shop: Repository) -> None:
    first, *_ = results(shop.locate_symbol("Cart.total", detail_level="context"))

    assert {key: first[key] for key in ("body_preview", "parent", "related_symbols")} == {
        "body_preview": (
            "    def total(self) -> int:\n        # What the customer owes.\n        return 0"
        ),
        "parent": {"kind": "class", "name": "Cart", "path": "shop/cart.py", "line": 1},
        "related_symbols": [
            {"kind": "method", "name": "add", "path": "shop/cart.py", "line": 2},
            {"kind": "method", "name": "_count", "path": "shop/cart.py", "line": 9},
        ],
    }
    alone = results(shop.locate_symbol("total", detail_level="context"))[-1]
    assert alone["path"] == "tests/test_cart.py"
    assert not {"parent", "related_symbols", "flags"} & alone.keys()


@requirement("FR-105", "FR-105a", "S000-COMPACT-ORDER", "S000-COMPACT-FIELDS")
@pytest.mark.parametrize("level", ["location", "signature", "context"])
def test_how_it_is_written_changes_neither_definitions_nor_order(
    shop: Repository, level: str
) -> None:
    plain = shop.locate_symbol("total", detail_level=level)
    compact = shop.locate_symbol("total", detail_level=level, compact=True)
    usual = shop.locate_symbol("total", ranking_explain_level="full")

    for answer in (plain, compact):
        assert [each["result_id"] for each in results(answer)] == [
            each["result_id"] for each in results(usual)
        ]
    heavy = {"body_preview", "parent", "related_symbols"}
    assert not any(heavy & each.keys() for each in results(compact))


@requirement("FR-105a", "S000-COMPACT-FIELDS")
def test_a_compact_definition_says_nothing_twice(shop: Repository) -> None:
    asked = {name: shop.locate_symbol(name, compact=True) for name in ("total", "Store", "TOTAL")}

    handles = {"path", "line_start", "line_end", "kind", "name", "score", "result_id"}
    assert [each.keys() - handles for each in results(asked["total"])] == [
        {"qualified_name"},
        {"qualified_name"},
        set(),
    ]
    assert [each.get("qualified_name") for each in results(asked["total"])] == [
        ".Cart.total",
        ".Store.total",
        None,
    ]
    assert [each.keys() - handles for each in results(asked["Store"])] == [set()]
    assert {each["match"] for each in results(asked["TOTAL"])} == {"case_insensitive"}
    assert shop.read_symbol(".Store.total")["path"] == "shop/store.py"


@requirement("FR-114", "FR-115", "FR-115a", "S002-REASONS-LOCATE", "S000-EXPLAIN-FULL")
def test_the_whole_reason_is_the_score(shop: Repository) -> None:
    answer = shop.locate_symbol("total", ranking_explain_level="full")
    reasons = cast("list[dict[str, object]]", metadata(answer)["ranking_reasons"])

    assert reasons[0] == {
        "result_index": 0,
        "exact_match_boost": 0.8,
        "qualified_name_boost": 0.0,
        "path_affinity": 0.145,
        "definition_boost": 0.005,
        "kind_match": 0.0345,
        "bm25_score": 0.0,
        "final_score": 0.9885,
        "contributions": [
            _contribution("exact_match", 0.8),
            _contribution("ordinary_place", 0.145),
            _contribution("kind_match", 0.0345),
            _contribution("definition_boost", 0.005),
            _contribution("visibility", 0.004),
        ],
    }
    for result, reason in zip(results(answer), reasons, strict=True):
        given = cast("list[dict[str, float]]", reason["contributions"])
        total = round(sum(each["effective"] for each in given), 6)
        assert total == reason["final_score"] == result["score"]


def _contribution(signal: str, points: float) -> dict[str, object]:
    return {"signal": signal, "raw": points, "clamped": points, "effective": points}


@requirement("FR-114", "FR-115a", "S000-EXPLAIN-BASIC", "S000-EXPLAIN-OFF")
def test_a_short_reason_has_the_factors_and_no_reason_is_the_rule(shop: Repository) -> None:
    answer = shop.locate_symbol("Cart", ranking_explain_level="basic")

    assert metadata(answer)["ranking_reasons"] == [
        {
            "result_index": 0,
            "exact_match": 0.8,
            "path_boost": 0.145,
            "definition_boost": 0.005,
            "semantic_similarity": 0.0,
            "final_score": 1.0,
        }
    ]
    assert "ranking_reasons" not in metadata(shop.locate_symbol("Cart"))


@requirement("FR-105c", "S000-LIMIT-TRUNCATED", "S000-LIMIT-SOFT")
@pytest.mark.parametrize("level", ["off", "full"])
def test_an_answer_over_the_hard_limit_is_a_prefix_that_says_so(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    many = "".join(f"-- pkg{number:02}/mod.py\ndef busy():\n    return 1\n" for number in range(60))
    opened = open_repository(repo(many).root)
    opened.sync_repo()
    whole = opened.locate_symbol("busy", limit=60)
    monkeypatch.setenv("CRUXE_SEARCH_MAX_RESPONSE_BYTES", "4096")
    limited = open_repository(opened.root)

    answer = limited.locate_symbol("busy", limit=60, ranking_explain_level=level)

    size = len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())
    assert 0 < len(results(answer)) < 60
    assert results(answer) == results(whole)[: len(results(answer))]
    assert size <= 4096
    assert metadata(answer)["result_completeness"] == "truncated"
    assert metadata(answer)["safety_limit_applied"] is True
    assert answer["suggested_next_actions"] == [
        {"tool": "locate_symbol", "name": "busy", "cursor": answer["next_cursor"]},
        {"tool": "locate_symbol", "name": "busy", "limit": len(results(answer))},
        {"tool": "locate_symbol", "name": "busy", "compact": True},
        {"tool": "locate_symbol", "name": "busy", "detail_level": "location"},
    ]
    fitting = limited.locate_symbol("busy", limit=len(results(answer)), ranking_explain_level=level)
    assert results(fitting) == results(answer)
    assert "safety_limit_applied" not in metadata(fitting)
    assert answer == limited.locate_symbol("busy", limit=60, ranking_explain_level=level)


def busy_in_many(repo: MakeRepo) -> Repo:
    """A name that is defined in many files."""
    return repo("".join(f"-- pkg{n:02}/mod.py\ndef busy():\n    return {n}\n" for n in range(25)))


def pages_of(opened: Repository, limit: int) -> list[Answer]:
    """All pages of the definitions of the name."""
    pages: list[Answer] = [opened.locate_symbol("busy", limit=limit)]
    while "next_cursor" in pages[-1]:
        cursor = str(pages[-1]["next_cursor"])
        pages.append(opened.locate_symbol("busy", limit=limit, cursor=cursor))
    return pages


@requirement("LOCATE-CURSOR")
@pytest.mark.parametrize("limit", [1, 7, 24, 25, 100])
def test_pages_put_together_are_all_definitions(repo: MakeRepo, limit: int) -> None:
    opened = open_repository(busy_in_many(repo).root)
    opened.sync_repo()
    whole = opened.locate_symbol("busy", limit=100)

    pages = pages_of(opened, limit)

    assert [each for page in pages for each in results(page)] == results(whole)
    assert [len(results(page)) for page in pages[:-1]] == [limit] * (
        25 // limit - (25 % limit == 0)
    )
    assert {page["total_candidates"] for page in pages} == {25}
    assert [metadata(page)["result_completeness"] for page in pages] == [
        *["truncated"] * (len(pages) - 1),
        "complete",
    ]


@requirement("LOCATE-CURSOR", "FR-105c")
def test_what_the_hard_limit_cut_off_comes_with_the_next_page(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = busy_in_many(repo)
    opened = open_repository(made.root)
    opened.sync_repo()
    made.remove("pkg03/mod.py")
    made.remove("pkg11/mod.py")
    whole = opened.locate_symbol("busy", limit=100)
    monkeypatch.setenv("CRUXE_SEARCH_MAX_RESPONSE_BYTES", "2000")

    pages = pages_of(open_repository(opened.root), 20)

    assert [each for page in pages for each in results(page)] == results(whole)
    assert len(results(whole)) == 23
    assert max(len(json.dumps(page, separators=(",", ":"))) for page in pages) <= 2000
    assert len(pages) > 3


@requirement("LOCATE-CURSOR")
def test_a_cursor_of_another_request_or_generation_leads_nowhere(repo: MakeRepo) -> None:
    made = busy_in_many(repo)
    opened = open_repository(made.root)
    opened.sync_repo()
    cursor = str(opened.locate_symbol("busy", limit=3)["next_cursor"])

    def refusal(name: str, given: str, kind: str | None = None) -> tuple[str, str, object]:
        with pytest.raises(InvalidInputError) as raised:
            opened.locate_symbol(name, kind=kind, cursor=given)
        return raised.value.message, raised.value.remedy, raised.value.data

    again = "ask again without the cursor", {"field": "cursor"}
    foreign = "the cursor cannot be used: it belongs to another request", *again
    assert refusal("bus", cursor) == refusal("busy", cursor, "function") == foreign
    assert refusal("busy", "x") == (
        "the cursor cannot be used: it is not a cursor of Cruxe",
        *again,
    )
    made.write("-- new.py\ndef more():\n    pass\n")
    opened.sync_repo()
    assert refusal("busy", cursor) == (
        "the cursor cannot be used: the index has changed since",
        *again,
    )


@requirement("LOCATE-VERIFY")
@pytest.mark.parametrize("level", ["signature", "context"])
def test_a_definition_that_moved_is_told_where_it_is_now(
    shop: Repository, made: Repo, level: str
) -> None:
    made.write("-- shop/store.py\nimport os\n\nclass Store:\n    def total(self): return os\n")

    answer = shop.locate_symbol("Store.total", detail_level=level)

    (result,) = results(answer)
    assert (result["line_start"], result["line_end"], result["signature"]) == (
        4,
        4,
        "def total(self)",
    )
    assert metadata(answer)["freshness_status"] == "stale"
    assert "dropped_stale" not in metadata(answer)


@requirement("CONTEXT-VERIFY")
def test_what_stands_around_a_definition_that_moved_is_told_where_it_is_now(
    shop: Repository, made: Repo
) -> None:
    made.write(
        """
        -- shop/cart.py
        # A line on top.
        class Cart:
            def total(self) -> int:
                return 0

            def _count(self) -> int:
                return 1
        """
    )

    (result,) = results(shop.locate_symbol("Cart.total", detail_level="context"))

    assert (result["parent"], result["related_symbols"]) == (
        {"kind": "class", "name": "Cart", "path": "shop/cart.py", "line": 2},
        [{"kind": "method", "name": "_count", "path": "shop/cart.py", "line": 6}],
    )


@requirement("LOCATE-VERIFY")
def test_a_definition_that_is_gone_is_dropped_and_counted(shop: Repository, made: Repo) -> None:
    made.write("-- shop/store.py\nclass Store:\n    pass\n")
    made.remove("tests/test_cart.py")

    answer = shop.locate_symbol("total")
    assert [each["path"] for each in results(answer)] == ["shop/cart.py"]
    assert metadata(answer)["dropped_stale"] == 2

    empty = shop.locate_symbol("Store.total")
    assert (results(empty), empty["empty_reason"]) == ([], "stale")
    assert empty["suggested_next_actions"] == [{"tool": "sync_repo"}]


@requirement("LOCATE-VERIFY")
def test_what_an_outdated_index_does_not_know_may_stand_in_a_new_file(
    shop: Repository, made: Repo
) -> None:
    made.write("-- shop/new.py\ndef brand_new():\n    pass\n")

    behind = shop.locate_symbol("brand_new")
    filtered = shop.locate_symbol("Cart", kind="enum")

    assert (results(behind), behind["empty_reason"]) == ([], "stale")
    assert behind["suggested_next_actions"] == [{"tool": "sync_repo"}]
    assert metadata(behind)["freshness_status"] == "stale"
    assert filtered["empty_reason"] == "filtered_out"


@requirement("LOCATE-VERIFY")
def test_an_older_commit_is_told_as_it_was(shop: Repository, made: Repo) -> None:
    made.write("-- shop/store.py\nclass Store:\n    pass\n")
    shop.sync_repo(ref="HEAD")

    answer = shop.locate_symbol("Store.total", ref="HEAD", detail_level="context")

    assert results(answer)[0]["body_preview"] == "    def total(self) -> int:\n        return 2"
    assert metadata(answer)["freshness_status"] == "fresh"


@requirement("FR-117", "FR-120")
def test_under_strict_a_stale_index_is_refused(shop: Repository, made: Repo) -> None:
    made.write("-- shop/new.py\nx = 1\n")

    with pytest.raises(IndexStaleError):
        shop.locate_symbol("Cart", freshness_policy="strict")
    answer = shop.locate_symbol("Cart", freshness_policy="best_effort")
    assert metadata(answer)["freshness_status"] == "stale"


@pytest.mark.parametrize("field", ["detail_level", "ranking_explain_level", "freshness_policy"])
def test_a_wrong_choice_is_refused_by_name(shop: Repository, field: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        shop.locate_symbol("Cart", **{field: "ful"})  # type: ignore[arg-type]
    assert caught.value.data["field"] == field


@requirement("SC-101")
def test_a_result_is_small(shop: Repository) -> None:
    for level, most_tokens in (("location", 60), ("signature", 120)):
        sizes = [
            estimate_tokens(json.dumps(each, separators=(",", ":")))
            for each in results(shop.locate_symbol("total", detail_level=level))
        ]
        assert sum(sizes) / len(sizes) <= most_tokens
