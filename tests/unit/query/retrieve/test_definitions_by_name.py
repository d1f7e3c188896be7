"""Definitions by name, from a real store."""

from typing import Final

import pytest

from cruxe.model.errors import InvalidInputError
from cruxe.model.symbols import split_name
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.repositories import MakeRepo

FILES: Final = """
    -- shop/cart.py
    class Cart:
        # What the customer has chosen.
        def total(self) -> int:
            return 0

        class Line:
            def total(self) -> int:
                return 1

    cart = 1
    -- shop/store.py
    class Cart:
        def total(
            self,
            currency: str,
        ) -> int:
            return 2
    -- shop/cart.go
    package shop

    type Cart struct{}

    func (c *Cart) Total() int { return 0 }
"""


@pytest.fixture
def shop(repo: MakeRepo) -> Repository:
    """A repository in which everything has the same name."""
    made = open_repository(repo(FILES).root)
    made.sync_repo()
    return made


def found(
    made: Repository,
    name: str,
    *,
    kind: str | None = None,
    role: str | None = None,
    language: str | None = None,
) -> list[tuple[object, ...]]:
    answer = made.locate_symbol(name, kind=kind, role=role, language=language)
    assert isinstance(answer["results"], list)
    return [
        (f"{each['path']}:{each['line_start']}-{each['line_end']}", each["kind"], each["match"])
        for each in answer["results"]
    ]


@requirement("LOCATE-EXACT", "API-PYTHON")
def test_a_definition_comes_with_all_that_is_known_of_it(shop: Repository) -> None:
    answer = shop.locate_symbol("shop.store.Cart.total")
    assert isinstance(answer["results"], list)
    (result,) = answer["results"]

    assert {key: value for key, value in result.items() if not key.endswith("_id")} == {
        "path": "shop/store.py",
        "line_start": 2,
        "line_end": 6,
        "kind": "method",
        "name": "total",
        "score": 0.9885,
        "qualified_name": "shop.store.Cart.total",
        "signature": "def total(self, currency: str) -> int",
        "language": "python",
        "visibility": "public",
        "match": "exact",
    }
    assert result["result_id"] == result["symbol_id"]
    assert len(result["symbol_id"]) == 12
    assert (answer["total_candidates"], answer["matches"]) == (1, {"exact": 1})
    assert answer["metadata"] == {
        "codecompass_protocol_version": "1.0",
        "freshness_status": "fresh",
        "indexing_status": "ready",
        "result_completeness": "complete",
        "ref": "main",
        "schema_status": "compatible",
    }


@requirement("LOCATE-AMBIGUOUS", "LOCATE-CASE")
def test_a_name_gives_all_its_definitions_types_first_other_cases_last(shop: Repository) -> None:
    assert found(shop, "Cart") == [
        ("shop/cart.py:1-8", "class", "exact"),
        ("shop/store.py:1-6", "class", "exact"),
        ("shop/cart.go:3-3", "struct", "exact"),
        ("shop/cart.py:10-10", "variable", "case_insensitive"),
    ]
    assert next(place for place, _, _ in found(shop, "cart")) == "shop/cart.py:10-10"
    assert {match for _, _, match in found(shop, "CART")} == {"case_insensitive"}


@requirement("LOCATE-AMBIGUOUS")
def test_classes_of_one_name_in_two_files_are_two_symbols(shop: Repository) -> None:
    answer = shop.locate_symbol("Cart", language="python", kind="class")
    assert isinstance(answer["results"], list)
    first, second = answer["results"]

    assert (first["path"], second["path"]) == ("shop/cart.py", "shop/store.py")
    assert first["symbol_id"] != second["symbol_id"]
    assert first["result_id"] != second["result_id"]


@requirement("LOCATE-QUALIFIED")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Cart.total", ["shop/cart.py:3-4", "shop/store.py:2-6"]),
        ("Line.total", ["shop/cart.py:7-8"]),
        ("cart.Cart.total", ["shop/cart.py:3-4"]),
        ("Cart::total", ["shop/cart.py:3-4", "shop/store.py:2-6"]),
        ("Cart#total", ["shop/cart.py:3-4", "shop/store.py:2-6"]),
        ("store/Cart->total()", ["shop/store.py:2-6"]),
        ("Line.Cart", []),
        ("art.total", []),
    ],
)
def test_the_end_of_a_qualified_name_is_enough(
    name: str, expected: list[str], shop: Repository
) -> None:
    places = [place for place, _, _ in found(shop, name, language="python")]

    assert places == expected


@requirement("LOCATE-CASE")
def test_a_qualified_name_in_another_case_is_found_and_labelled(shop: Repository) -> None:
    assert found(shop, "cart.TOTAL", language="python", kind="method") == [
        ("shop/cart.py:3-4", "method", "case_insensitive"),
        ("shop/store.py:2-6", "method", "case_insensitive"),
    ]


def test_filters_narrow_and_say_what_they_removed(shop: Repository) -> None:
    assert [place for place, _, _ in found(shop, "Cart", role="value")] == ["shop/cart.py:10-10"]
    answer = shop.locate_symbol("Cart", kind="enum")
    assert {key: answer[key] for key in ("results", "empty_reason", "filtered_out")} == {
        "results": [],
        "empty_reason": "filtered_out",
        "filtered_out": {"kind": 4},
    }
    answer = shop.locate_symbol("Cart", kind="enum", language="go")
    assert answer["filtered_out"] == {"kind": 4, "language": 3}


@requirement("LOCATE-KINDS")
@pytest.mark.parametrize(("other", "kind"), [("fn", "function"), ("var", "variable")])
def test_a_kind_may_go_by_the_name_that_a_language_has_for_it(
    shop: Repository, other: str, kind: str
) -> None:
    for name in ("Cart", "total"):
        assert shop.locate_symbol(name, kind=other) == shop.locate_symbol(name, kind=kind)
        assert shop.search_code(name, kind=other) == shop.search_code(name, kind=kind)
    with pytest.raises(InvalidInputError) as caught:
        shop.locate_symbol("Cart", kind="clas")
    assert caught.value.message == "kind is 'clas'; did you mean class?"


def test_a_name_that_nothing_is_like_is_proven_absent(shop: Repository) -> None:
    answer = dict(shop.locate_symbol("Basket"))
    del answer["metadata"]
    assert answer == {
        "results": [],
        "matches": {},
        "total_candidates": 0,
        "empty_reason": "confirmed_absent",
        "case": "insensitive",
        "searched": {"files": 3, "skipped": {}},
        "suggested_next_actions": [],
    }


def test_a_cut_answer_says_that_it_was_cut(shop: Repository) -> None:
    answer = shop.locate_symbol("Cart", limit=2)
    assert isinstance(answer["results"], list)
    assert isinstance(answer["metadata"], dict)

    assert (len(answer["results"]), answer["total_candidates"]) == (2, 4)
    assert answer["metadata"]["result_completeness"] == "truncated"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "Cart", "limit": 0}, "limit"),
        ({"name": "Cart", "limit": 101}, "limit"),
        ({"name": "Cart", "kind": "clas"}, "kind"),
        ({"name": "Cart", "role": "thing"}, "role"),
        ({"name": "Cart", "ref": "nope"}, None),
    ],
)
def test_wrong_arguments_are_refused_by_name(
    arguments: dict[str, object], field: str | None, shop: Repository
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        shop.locate_symbol(**arguments)  # type: ignore[arg-type]
    assert caught.value.data.get("field") == field


def test_names_of_every_spelling_come_apart() -> None:
    assert split_name("a.b::C#d") == ["a", "b", "C", "d"]
    assert split_name("pkg/Class$Inner->run()") == ["pkg", "Class", "Inner", "run"]
    assert split_name("...") == []
    assert split_name("$scope") == ["$scope"]


@pytest.mark.parametrize(
    "name", [".", "::", "()", "a..b", "%", "'; DROP TABLE symbols", "\0", "ß" * 500]
)
def test_odd_names_are_just_not_found(name: str, shop: Repository) -> None:
    assert found(shop, name) == []
