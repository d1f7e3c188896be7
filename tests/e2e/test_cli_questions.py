"""`cruxe locate` and `cruxe outline` as a person and as a program use them."""

import os

import pytest

import cruxe
from tests.requirements import requirement
from tests.support.command import TEA, Finished, run_cruxe
from tests.support.golden_files import check_golden
from tests.support.repositories import MakeRepo

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "golden", "cli")


@requirement("CLI-COMMANDS", "LOCATE-EXACT")
def test_the_first_question_indexes_the_repository(repo: MakeRepo) -> None:
    found = run_cruxe(repo(TEA).root, "locate", "Leaf")

    assert found == Finished(0, "tea/leaf.py:1  class  tea.leaf.Leaf  class Leaf\n", "")


@requirement("LOCATE-AMBIGUOUS")
def test_an_ambiguous_name_is_told_as_such(repo: MakeRepo) -> None:
    found = run_cruxe(repo(TEA).root, "locate", "pour")

    check_golden(os.path.join(GOLDEN, "locate.txt"), found.stdout + found.stderr)


@requirement("LOCATE-CASE", "LOCATE-QUALIFIED")
@pytest.mark.parametrize(("name", "tier"), [("Pot.pour", "qualified"), ("POT", "other case")])
def test_a_match_that_is_not_exact_is_labelled(repo: MakeRepo, name: str, tier: str) -> None:
    found = run_cruxe(repo(TEA).root, "locate", name)

    assert (found.code, found.stdout.count(f"({tier})"), found.stderr) == (0, 1, "")


@requirement("LOCATE-ALIKE")
def test_a_name_that_is_only_alike_is_said_to_be(repo: MakeRepo) -> None:
    found = run_cruxe(repo(TEA).root, "locate", "Leav", "--explain", "full")

    assert (found.code, found.stdout.count("(similar)"), found.stdout.count("fuzzy +")) == (0, 1, 1)
    assert found.stderr == "no definition of that name in main, but alike\n"


def test_what_the_limit_cuts_off_is_counted(repo: MakeRepo) -> None:
    found = run_cruxe(repo(TEA).root, "locate", "pour", "--limit", "1")

    assert len(found.stdout.splitlines()) == 1
    assert found.stderr == "1 of 2 definitions shown; --limit 2 shows more\n"


@requirement("LOCATE-CURSOR")
def test_what_fits_in_no_answer_is_shown_by_a_cursor(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEARCH_MAX_RESPONSE_BYTES", "1600")
    long = "".join(f"-- kettle{number}.py\ndef pour(water):\n    pass\n" for number in range(40))
    made = repo(long)
    found = run_cruxe(made.root, "locate", "pour", "--limit", "40")
    way_on = found.stderr.strip().removesuffix(" shows more").split()

    assert way_on[-2] == "--cursor"
    assert run_cruxe(made.root, "locate", "pour", *way_on[-2:]).code == 0


@requirement("LOCATE-CURSOR", "CLI-JSON")
def test_a_cursor_shows_the_next_definitions(repo: MakeRepo) -> None:
    made = repo(TEA)
    opened = cruxe.open(made.root)
    first = run_cruxe(made.root, "locate", "pour", "--limit", "1", "--json").answer
    cursor = str(first["next_cursor"])
    told = run_cruxe(made.root, "locate", "pour", "--cursor", cursor)
    second = run_cruxe(made.root, "locate", "pour", "--cursor", cursor, "--json").answer

    assert (first, second) == (
        opened.locate_symbol("pour", limit=1),
        opened.locate_symbol("pour", cursor=cursor),
    )
    assert "next_cursor" not in second
    assert (len(told.stdout.splitlines()), told.stderr) == (1, "1 of 2 definitions shown\n")


@requirement("CLI-EXIT")
def test_a_name_that_is_nowhere_gives_one_and_says_so(repo: MakeRepo) -> None:
    made = repo(TEA)

    assert run_cruxe(made.root, "locate", "Kettle") == Finished(
        1, "", "that name is in none of 3 files in main\n"
    )
    assert run_cruxe(made.root, "locate", "Leaf", "--kind", "function") == Finished(
        1, "", "no such definition in main: --kind leaves out 1\n"
    )


@requirement("API-PYTHON")
def test_an_expected_failure_can_be_caught_by_its_public_name(repo: MakeRepo) -> None:
    with pytest.raises(cruxe.EngineError) as caught:
        cruxe.open(repo("-- a.py\n").root).locate_symbol("x")

    assert (caught.value.code, caught.value.remedy) == ("index_not_ready", "run `cruxe index`")
    assert not hasattr(cruxe, "EngineErrors")


@requirement("CLI-JSON", "API-PYTHON")
def test_json_is_what_the_python_api_gives(repo: MakeRepo) -> None:
    made = repo(TEA)
    located = run_cruxe(made.root, "locate", "pour", "--json")
    assert run_cruxe(made.root, "locate", "pour", "--json") == located
    outlined = run_cruxe(made.root, "--json", "outline", "tea/brew.py", "--depth", "top")

    opened = cruxe.open(made.root)
    assert (located.answer, located.stderr) == (opened.locate_symbol("pour"), "")
    assert outlined.answer == opened.get_file_outline("tea/brew.py", depth="top")


@requirement("CLI-JSON")
def test_json_keeps_letters_as_they_are(repo: MakeRepo) -> None:
    made = repo("-- kännchen.py\nclass Größe:\n    pass\n")

    found = run_cruxe(made.root, "locate", "Größe", "--json", PYTHONIOENCODING="ascii")

    assert '"path":"kännchen.py"' in found.stdout
    assert '"name":"Größe"' in found.stdout


@requirement("OUTLINE-TREE")
def test_an_outline_is_indented_by_depth(repo: MakeRepo) -> None:
    outlined = run_cruxe(repo(TEA).root, "outline", "tea/brew.py")

    assert (outlined.code, outlined.stderr) == (0, "")
    check_golden(os.path.join(GOLDEN, "outline.txt"), outlined.stdout)


@requirement("OUTLINE-TREE")
def test_a_file_without_symbols_and_one_that_is_skipped_say_so(repo: MakeRepo) -> None:
    made = repo(TEA)

    assert run_cruxe(made.root, "outline", "readme.txt").stdout == "readme.txt  text, 0 symbols\n"
    skipped = run_cruxe(made.root, "outline", "logo.png")
    assert (skipped.code, skipped.stdout) == (0, "logo.png  not indexed: binary\n")


@requirement("CLI-COMMANDS")
def test_paths_are_read_and_shown_from_where_the_user_stands(repo: MakeRepo) -> None:
    made = repo(TEA)
    inside, above = made.path("tea"), os.path.dirname(made.root)

    assert run_cruxe(inside, "locate", "Leaf").stdout.startswith("leaf.py:1 ")
    assert run_cruxe(inside, "outline", "leaf.py").stdout.startswith("leaf.py ")
    assert run_cruxe(inside, "outline", "readme.txt").stdout.startswith("../readme.txt ")
    assert run_cruxe(above, "-C", "repo", "locate", "Leaf").stdout.startswith("repo/tea/leaf.py:1 ")


@requirement("CLI-COMMANDS")
def test_the_folder_may_be_given_before_and_after_the_command(repo: MakeRepo, home: str) -> None:
    made = repo(TEA)
    expected = f"{made.path('tea/leaf.py')}:1  class  tea.leaf.Leaf  class Leaf\n"

    assert run_cruxe(home, "-C", made.root, "locate", "Leaf").stdout == expected
    assert run_cruxe(home, "locate", "Leaf", "-C", made.root).stdout == expected
    assert run_cruxe(home, f"-C{made.root}", "locate", "Leaf").stdout == expected


@requirement("CLI-COMMANDS")
def test_a_question_about_another_ref_is_answered_from_that_ref(repo: MakeRepo) -> None:
    made = repo(TEA)
    made.branch("old")
    made.write("-- tea/leaf.py\nclass Stem:\n    pass\n")
    made.commit()

    assert run_cruxe(made.root, "locate", "Leaf").code == 1
    assert run_cruxe(made.root, "locate", "Leaf", "--ref", "old").code == 0
    assert "class Leaf" in run_cruxe(made.root, "outline", "tea/leaf.py", "--ref", "old").stdout


def test_without_a_sync_the_answer_comes_from_the_index_and_is_called_stale(repo: MakeRepo) -> None:
    made = repo(TEA)
    run_cruxe(made.root, "index")
    made.write("-- tea/cup.py\nclass Cup:\n    pass\n")

    before = run_cruxe(made.root, "locate", "Leaf", "--no-sync")
    after = run_cruxe(made.root, "locate", "Cup")

    assert (before.code, before.stderr) == (
        0,
        "the index is behind the files; `cruxe sync` brings it up to date\n",
    )
    assert (after.code, after.stderr) == (0, "")
