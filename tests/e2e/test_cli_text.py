"""`cruxe text` and `cruxe show` as a person and as a program use them."""

import os

import pytest

import cruxe
from tests.support.command import TEA, Finished, run_cruxe
from tests.support.repositories import MakeRepo


def test_lines_are_shown_as_grep_shows_them(repo: MakeRepo) -> None:
    found = run_cruxe(repo(TEA).root, "text", "pour")

    assert found == Finished(
        0,
        "tea/brew.py:5:    def pour(self, cups: int) -> None:\ntea/brew.py:9:def pour() -> None:\n",
        "",
    )


def test_lines_around_are_shown_once(repo: MakeRepo) -> None:
    found = run_cruxe(repo(TEA).root, "text", "-e", "^(class|def) .*:", "--context", "1")

    assert found.stdout == (
        "tea/brew.py-3-\n"
        "tea/brew.py:4:class Pot:\n"
        "tea/brew.py-5-    def pour(self, cups: int) -> None:\n"
        "--\n"
        "tea/brew.py-8-\n"
        "tea/brew.py:9:def pour() -> None:\n"
        "tea/brew.py-10-    pass\n"
        "--\n"
        "tea/leaf.py:1:class Leaf:\n"
        "tea/leaf.py-2-    pass\n"
    )


def test_nothing_found_is_one_and_says_what_was_searched(repo: MakeRepo) -> None:
    made = repo(TEA)

    assert run_cruxe(made.root, "text", "Kettle") == Finished(
        1, "", "nothing found in main (sensitive): 3 files searched; skipped 1 (1 binary)\n"
    )
    assert run_cruxe(made.root, "text", "pour", "--path", "*.txt") == Finished(
        1, "", "nothing found in main: the filters leave out 2 lines\n"
    )


@pytest.mark.parametrize("pattern", ["e", "pour|Leaf", "^", "nowhere"])
@pytest.mark.parametrize("context", ["0", "2"])
def test_all_lines_are_those_of_a_page_that_holds_them(
    repo: MakeRepo, pattern: str, context: str
) -> None:
    made = repo(TEA)
    made.write(f"-- long.txt\n{'e ' * 400}\npassword = 'x7Gq2LmZ9vTr4WkP'  # e\n")
    asked = ("text", "-e", pattern, "--context", context)

    found = run_cruxe(made.root, *asked)

    assert found == run_cruxe(made.root, *asked, "--limit", "100")
    assert "x7Gq2LmZ9vTr4WkP" not in found.stdout


def test_case_and_limit_are_options(repo: MakeRepo) -> None:
    made = repo(TEA)

    assert run_cruxe(made.root, "text", "POUR").code == 1
    assert run_cruxe(made.root, "text", "-i", "POUR").code == 0
    assert run_cruxe(made.root, "text", "-s", "pot").code == 1
    limited = run_cruxe(made.root, "text", "a", "--limit", "1")
    assert limited.stderr == "1 of 6 lines in 3 files shown\n"


def test_a_bad_expression_is_wrong_usage(repo: MakeRepo) -> None:
    found = run_cruxe(repo(TEA).root, "text", "-e", "a(b")

    assert (found.code, found.stdout) == (2, "")
    assert found.stderr.startswith("error: the regular expression cannot be used: missing )")


def test_an_edit_is_found_at_once(repo: MakeRepo) -> None:
    made = repo(TEA)
    run_cruxe(made.root, "index")
    made.write("-- tea/cup.py\ndef sip():\n    pass\n")

    assert run_cruxe(made.root, "text", "sip").stdout == "tea/cup.py:1:def sip():\n"
    assert run_cruxe(made.root, "show", "sip").stdout == "def sip():\n    pass\n"


def test_json_is_what_the_python_api_gives(repo: MakeRepo) -> None:
    made = repo(TEA)
    text = run_cruxe(made.root, "text", "pour", "--json", "--limit", "1")
    shown = run_cruxe(made.root, "show", "Pot", "--json", "--max-tokens", "9")

    opened = cruxe.open(made.root)
    assert text.answer == opened.search_text("pour", limit=1)
    assert shown.answer == opened.read_symbol("Pot", max_tokens=9)


@pytest.mark.parametrize("symbol", ["Leaf", "tea/leaf.py:2", "tea/leaf.py:1-2", "tea/leaf.py"])
def test_in_a_pipe_nothing_but_the_source_is_written(repo: MakeRepo, symbol: str) -> None:
    assert run_cruxe(repo(TEA).root, "show", symbol) == Finished(0, "class Leaf:\n    pass\n", "")


def test_paths_are_named_from_where_the_user_stands(repo: MakeRepo) -> None:
    made = repo(TEA)
    inside = made.path("tea")

    assert run_cruxe(inside, "text", "leaf").stdout == "leaf.py:1:class Leaf:\n"
    assert run_cruxe(inside, "text", "plain").stdout == f"..{os.sep}readme.txt:1:plain\n"
    assert run_cruxe(inside, "show", "leaf.py:1").stdout == "class Leaf:\n    pass\n"
    assert run_cruxe(inside, "show", "tea/leaf.py:1").stdout == "class Leaf:\n    pass\n"


def test_another_ref_is_searched_and_shown(repo: MakeRepo) -> None:
    made = repo(TEA)
    made.branch("old")
    made.remove("tea/leaf.py")
    made.commit()

    assert run_cruxe(made.root, "text", "Leaf").code == 1
    assert run_cruxe(made.root, "text", "Leaf", "--ref", "old").code == 0
    shown = run_cruxe(made.path("tea"), "show", "leaf.py:1", "--ref", "old")
    assert shown.stdout == "class Leaf:\n    pass\n"


def test_an_ambiguous_name_and_one_that_is_nowhere_fail_with_a_way_out(repo: MakeRepo) -> None:
    made = repo(TEA)
    ambiguous = run_cruxe(made.root, "show", "pour")
    missing = run_cruxe(made.root, "show", "Leafs")

    assert (ambiguous.code, missing.code) == (1, 1)
    assert ambiguous.stderr.startswith("error: pour has 2 definitions: tea/brew.py:5 method")
    assert "did you mean tea.leaf.Leaf?" in missing.stderr


def test_colours_and_line_numbers_are_for_terminals(repo: MakeRepo) -> None:
    coloured = run_cruxe(repo(TEA).root, "text", "Leaf", CLICOLOR_FORCE="1")

    assert coloured.stdout == (
        "\x1b[35mtea/leaf.py\x1b[0m\x1b[2m:\x1b[0m\x1b[32m1\x1b[0m\x1b[2m:\x1b[0mclass Leaf:\n"
    )
