"""The nested symbols of a file, on any ref."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from cruxe.model.errors import FileNotFoundInRefError, InvalidInputError, RefNotIndexedError
from cruxe.repository import Repository, open_repository
from cruxe.respond.text_form import text_form
from cruxe.respond.text_form.wording import Wording
from cruxe.text.tokens import estimate_tokens
from tests.requirements import requirement
from tests.support.polyglot import fixture_text
from tests.support.repositories import MakeRepo

FILES: Final = """
    -- shop/cart.py
    class Cart:
        def total(self):
            def add(value):
                return value
            return add(0)

        class Line:
            count = 1

    def empty():
        return Cart()
    -- notes.txt
    just text
    -- empty.py
    -- picture.bin
    \0\0\0
    -- other/cart.py
    class Cart:
        pass
"""

Tree = dict[str, object]
PLAIN_KEYS: Final = {"file_path", "language", "symbols", "metadata"}


@pytest.fixture
def shop(repo: MakeRepo) -> Repository:
    """A repository with nested definitions."""
    made = open_repository(repo(FILES).root)
    made.sync_repo()
    return made


def tree_of(answer: Mapping[str, object]) -> list[Tree]:
    symbols = answer["symbols"]
    assert isinstance(symbols, list)
    return symbols


def metadata(answer: Mapping[str, object]) -> dict[str, object]:
    found = answer["metadata"]
    assert isinstance(found, dict)
    return found


def shape(symbols: list[Tree]) -> list[object]:
    """Names with lines, children in brackets."""
    found: list[object] = []
    for symbol in symbols:
        found.append(f"{symbol['name']}:{symbol['line_start']}-{symbol['line_end']}")
        children = symbol.get("children")
        if isinstance(children, list):
            found.append(shape(children))
    return found


@requirement("FR-106", "FR-108", "OUTLINE-TREE")
def test_symbols_are_nested_by_parent_in_file_order(shop: Repository) -> None:
    answer = shop.get_file_outline("shop/cart.py")
    symbols = tree_of(answer)

    assert shape(symbols) == [
        "Cart:1-8",
        ["total:2-5", ["add:3-4"], "Line:7-8", ["count:8-8"]],
        "empty:10-11",
    ]
    assert (answer["file_path"], answer["language"]) == ("shop/cart.py", "python")
    assert isinstance(answer["metadata"], dict)
    assert answer["metadata"]["symbol_count"] == 6


@requirement("FR-107", "FR-109")
def test_depth_top_gives_the_outermost_alone(shop: Repository) -> None:
    answer = shop.get_file_outline("shop/cart.py", depth="top")

    assert shape(tree_of(answer)) == ["Cart:1-8", "empty:10-11"]
    with pytest.raises(InvalidInputError) as caught:
        shop.get_file_outline("shop/cart.py", depth="1")
    assert caught.value.data == {"field": "depth", "choices": ("top", "all")}


@requirement("FR-107")
def test_a_language_may_be_given_and_must_be_the_file_s_own(shop: Repository) -> None:
    answer = shop.get_file_outline("shop/cart.py", language="python")
    assert shape(tree_of(answer)) == shape(tree_of(shop.get_file_outline("shop/cart.py")))

    answer = shop.get_file_outline("shop/cart.py", language="go")
    assert (tree_of(answer), answer["empty_reason"]) == ([], "filtered_out")
    assert answer["filtered_out"] == {"language": 6}
    top = shop.get_file_outline("shop/cart.py", language="go", depth="top")
    assert top["filtered_out"] == {"language": 2}


@requirement("OUTLINE-TREE")
@pytest.mark.parametrize(
    ("path", "language", "reasons"),
    [
        ("notes.txt", "text", {"empty_reason": "language_not_parsed", "languages": ["text"]}),
        ("empty.py", "python", {"empty_reason": "no_match"}),
        ("picture.bin", None, {"skip_reason": "binary", "empty_reason": "not_indexed"}),
    ],
)
def test_a_file_without_symbols_has_an_empty_outline_that_says_why(
    path: str, language: str | None, reasons: dict[str, object], shop: Repository
) -> None:
    answer = shop.get_file_outline(path)

    assert (answer["file_path"], answer["language"], answer["symbols"]) == (path, language, [])
    assert {key: value for key, value in answer.items() if key not in PLAIN_KEYS} == reasons
    assert isinstance(answer["metadata"], dict)
    assert (answer["metadata"]["symbol_count"], answer["metadata"]["ref"]) == (0, "main")


@requirement("FR-106", "FR-107", "OUTLINE-TREE")
def test_every_ref_has_its_own_outline(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef first():\n    pass\n")
    made.branch("old")
    made.write("-- a.py\ndef second():\n    pass\n")
    shop = open_repository(made.root)
    shop.sync_repo()
    with pytest.raises(RefNotIndexedError):
        shop.get_file_outline("a.py", ref="old")
    shop.sync_repo(ref="old")

    assert shape(tree_of(shop.get_file_outline("a.py"))) == ["second:1-2"]
    assert shape(tree_of(shop.get_file_outline("a.py", ref="old"))) == ["first:1-2"]


def test_a_path_may_be_absolute_or_have_dots(shop: Repository) -> None:
    expected = shop.get_file_outline("shop/cart.py")

    assert shop.get_file_outline("./shop/../shop/cart.py") == expected
    assert shop.get_file_outline(os.path.join(shop.root, "shop", "cart.py")) == expected


def test_an_unknown_path_is_refused_with_those_that_look_like_it(shop: Repository) -> None:
    with pytest.raises(FileNotFoundInRefError) as caught:
        shop.get_file_outline("src/cart.py")
    assert caught.value.data == {
        "path": "src/cart.py",
        "similar": ("other/cart.py", "shop/cart.py"),
    }
    assert caught.value.remedy == "did you mean other/cart.py, shop/cart.py?"
    with pytest.raises(FileNotFoundInRefError) as caught:
        shop.get_file_outline("../outside.py")
    assert caught.value.data == {"path": "../outside.py", "similar": ()}


@requirement("LOCATE-AMBIGUOUS")
def test_classes_of_one_name_keep_to_their_own_file(shop: Repository) -> None:
    (other,) = tree_of(shop.get_file_outline("other/cart.py"))
    mine = tree_of(shop.get_file_outline("shop/cart.py"))[0]

    assert (other["name"], mine["name"]) == ("Cart", "Cart")
    assert "children" not in other
    assert other["symbol_id"] != mine["symbol_id"]


@requirement("PARSE-ROBUST")
def test_a_very_deep_tree_is_written_without_recursion(repo: MakeRepo) -> None:
    depth = 200
    lines = [f"{' ' * level}def f{level}():" for level in range(depth)]
    made = repo("-- a.py\n")
    made.write_bytes("a.py", "\n".join([*lines, " " * depth + "pass"]).encode())
    shop = open_repository(made.root)
    shop.sync_repo()
    (symbol,) = tree_of(shop.get_file_outline("a.py"))
    names = [symbol["name"]]
    while isinstance(children := symbol.get("children"), list):
        (symbol,) = children
        names.append(symbol["name"])

    # What is nested deeper is machine-made and left out.
    assert names == [f"f{level}" for level in range(32)]


@requirement("OUTLINE-VERIFY")
def test_the_outline_of_a_file_that_changed_is_of_what_stands_there_now(repo: MakeRepo) -> None:
    made = repo(FILES)
    shop = open_repository(made.root)
    shop.sync_repo()
    before = shop.get_file_outline("shop/cart.py")
    made.write(
        """
        -- shop/cart.py
        # A line on top.
        class Cart:
            def total(self):
                return 0

        def fresh():
            return Cart()
        """
    )

    answer = shop.get_file_outline("shop/cart.py")
    top = shop.get_file_outline("shop/cart.py", depth="top")
    other = shop.get_file_outline("shop/cart.py", language="go")

    assert shape(tree_of(answer)) == ["Cart:2-4", ["total:3-4"], "fresh:6-7"]
    assert shape(tree_of(top)) == ["Cart:2-4", "fresh:6-7"]
    assert (tree_of(other), metadata(other)["symbol_count"]) == ([], 0)
    assert other["filtered_out"] == {"language": 3}
    assert (metadata(answer)["freshness_status"], metadata(answer)["symbol_count"]) == ("stale", 3)
    cart, fresh = tree_of(answer)
    assert cart["symbol_id"] == tree_of(before)[0]["symbol_id"]
    assert "symbol_id" not in fresh


@requirement("OUTLINE-VERIFY")
def test_a_file_that_is_gone_has_no_outline(repo: MakeRepo) -> None:
    made = repo(FILES)
    shop = open_repository(made.root)
    shop.sync_repo()
    made.remove("shop/cart.py")

    with pytest.raises(FileNotFoundInRefError, match="can no longer be read"):
        shop.get_file_outline("shop/cart.py")


MANY: Final = "".join(
    f"class Class{number}:\n"
    "    def outer(self):\n"
    "        def inner(value='é' * 3):\n"
    "            return value\n\n"
    "    def last(self): ...\n\n"
    for number in range(30)
)


@requirement("OUTLINE-LIMIT")
def test_an_outline_over_the_hard_limit_is_cut_in_pre_order_and_counts_what_is_left_out(
    repo: MakeRepo,
) -> None:
    made = repo("-- many.py\n")
    made.write_bytes("many.py", MANY.encode())
    shop = open_repository(made.root)
    shop.sync_repo()
    whole = shop.get_file_outline("many.py", max_bytes=10**9, answer_format=None)
    names = [each["symbol_id"] for each in pre_order(tree_of(whole))]

    assert len(names) == 120
    for max_bytes in (1_600, 2_000, 5_000, 5_100, 5_200, 12_345, 27_000, 10**6):
        cut = shop.get_file_outline("many.py", max_bytes=max_bytes, answer_format=None)
        kept = [each["symbol_id"] for each in pre_order(tree_of(cut))]

        assert len(json.dumps(cut, ensure_ascii=False, separators=(",", ":")).encode()) <= max_bytes
        assert kept == names[: len(kept)] != []
        assert [omitted_of(each) for each in pre_order(tree_of(cut))] == [
            of_whole - len([*pre_order([each])])
            for each, of_whole in zip(pre_order(tree_of(cut)), sizes_of(whole), strict=False)
        ]
        assert cut.get("omitted", 0) == len(names) - len(kept)
        assert metadata(cut)["symbol_count"] == len(names)


@requirement("OUTLINE-LIMIT")
def test_an_outline_that_is_cut_says_so_and_how_to_go_on(repo: MakeRepo) -> None:
    made = repo("-- many.py\n")
    made.write_bytes("many.py", MANY.encode() * 20)
    shop = open_repository(made.root)
    shop.sync_repo()

    cut = shop.get_file_outline("many.py", answer_format=None)
    top = shop.get_file_outline("many.py", depth="top", answer_format=None)

    last = [*pre_order(tree_of(cut))][-1]
    assert len(json.dumps(cut, ensure_ascii=False).encode()) > 50_000
    assert metadata(cut)["result_completeness"] == "truncated"
    assert metadata(cut)["safety_limit_applied"] is True
    as_text, outlined, read = actions_of(cut)
    assert as_text == {"tool": "get_file_outline", "path": "many.py", "format": "text"}
    assert outlined == {"tool": "get_file_outline", "path": "many.py", "depth": "top"}
    assert int(str(read["symbol"]).partition(":")[2]) >= int(str(last["line_start"]))
    assert [action["tool"] for action in actions_of(top)] == ["get_file_outline", "read_symbol"]
    assert shop.read_symbol(str(read["symbol"]))["path"] == "many.py"


@requirement("OUTLINE-LIMIT")
def test_the_first_symbol_survives_without_its_signature(repo: MakeRepo) -> None:
    made = repo("-- long.py\n")
    parameters = "".join(f"    value_{number},\n" for number in range(500))
    made.write_bytes("long.py", f"def first(\n{parameters}): ...\n".encode())
    shop = open_repository(made.root)
    shop.sync_repo()

    cut = shop.get_file_outline("long.py", max_bytes=1_000)
    (symbol,) = tree_of(cut)

    assert (symbol["name"], "signature" in symbol, cut["omitted"]) == ("first", False, 0)


@requirement("OUTLINE-NODES")
def test_a_node_says_nothing_that_follows_from_its_parents_or_its_file(shop: Repository) -> None:
    answer = shop.get_file_outline("shop/cart.py")

    assert answer["module"] == "shop.cart"
    assert "module" not in shop.get_file_outline("notes.txt")
    cart, empty = tree_of(answer)
    assert list(cart) == [
        *("symbol_id", "name", "kind", "line_start", "line_end", "signature", "children"),
    ]
    assert list(empty) == ["symbol_id", "name", "kind", "line_start", "line_end", "signature"]


@requirement("OUTLINE-NODES")
def test_the_qualified_names_follow_from_module_parents_and_names(repo: MakeRepo) -> None:
    shop = open_repository(repo(fixture_text("polyglot")).root)
    shop.sync_repo()
    for path in ("server/router.go", "src/harbor/rate_limit.py", "web/src/session.ts", "README.md"):
        answer = shop.get_file_outline(path, answer_format=None)

        assert len(tree_of(answer)) > 0
        _check_names(shop, tree_of(answer), str(answer.get("module", "")))


@requirement("OUTLINE-COST")
@pytest.mark.parametrize("form", ["json", "text"])
def test_an_outline_never_costs_more_than_its_file(repo: MakeRepo, form: str) -> None:
    """Files of short definitions, whose outline says as much as they do."""
    lines = "".join(f"NAME_{n} = {n}\n" for n in range(300))
    stubs = "".join(f"class C{n}:\n    def m{n}(self): ...\n\n" for n in range(150))
    made = repo("-- usual.py\n")
    made.write_bytes("names.py", lines.encode())
    made.write_bytes("stubs.py", stubs.encode())
    made.write_bytes("small.py", stubs[:300].encode())
    made.write_bytes("usual.py", (MANY + '"""' + "words of prose " * 3_000 + '"""\n').encode())
    shop = open_repository(made.root)
    shop.sync_repo()

    for path in ("names.py", "stubs.py"):
        answer = shop.get_file_outline(path, answer_format=form)
        written = _written(answer, form)
        with open(os.path.join(shop.root, path), encoding="utf-8") as file:
            assert estimate_tokens(written) <= estimate_tokens(file.read())
        assert metadata(answer)["result_completeness"] == "truncated"
        assert len(tree_of(answer)) > 10
        (action,) = actions_of(answer)
        other = {"tool": "get_file_outline", "path": path, "format": "text"}
        assert action == other or (form == "text" and action["tool"] == "read_symbol")
    for path in ("small.py", "usual.py"):
        answer = shop.get_file_outline(path, answer_format=form)
        assert metadata(answer)["result_completeness"] == "complete"
        assert all("signature" in each for each in pre_order(tree_of(answer)))


def _written(answer: Mapping[str, object], form: str) -> str:
    if form == "text":
        return text_form("get_file_outline", answer, Wording())
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def _check_names(shop: Repository, symbols: list[Tree], around: str) -> None:
    """Compare what the page derives with what the store has."""
    for symbol in symbols:
        own = shop.read_symbol(str(symbol["symbol_id"])).get("qualified_name", "")
        between = own.removeprefix(around).removesuffix(str(symbol["name"]))
        assert "qualified_name" not in symbol
        assert f"{around}{between}{symbol['name']}" == own
        assert bool(between) == bool(around)
        assert not re.search(r"\w", between)
        children = symbol.get("children", [])
        assert isinstance(children, list)
        _check_names(shop, children, own)


def pre_order(symbols: list[Tree]) -> Iterator[Tree]:
    for symbol in symbols:
        yield symbol
        children = symbol.get("children", [])
        assert isinstance(children, list)
        yield from pre_order(children)


def sizes_of(answer: Mapping[str, object]) -> list[int]:
    return [len([*pre_order([each])]) for each in pre_order(tree_of(answer))]


def omitted_of(symbol: Tree) -> int:
    omitted = symbol.get("omitted", 0)
    assert isinstance(omitted, int)
    return omitted


def actions_of(answer: Mapping[str, object]) -> list[Tree]:
    actions = answer["suggested_next_actions"]
    assert isinstance(actions, list)
    return actions
