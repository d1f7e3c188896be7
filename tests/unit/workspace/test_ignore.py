"""Ignore files match as git matches them."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cruxe.workspace.ignore import IgnoreFile, IgnoreTree, parse_ignore_file
from tests.requirements import requirement
from tests.support.repositories import Repo

PATHS = [
    "a", "a.py", "b.txt", "build/a.py", "build/keep/b.txt", "src/a.py", "src/build/x",
    "src/b/c.txt", "src/b/c/d.py", "x/y/z", "x/z", "[a]", "#a", "!a", "a b", "star*",
    "deep/a/b/a/b/a.py",
]  # fmt: skip


def ignored_by_us(rules: str, paths: list[str]) -> list[str]:
    tree = IgnoreTree()
    tree.add("", parse_ignore_file(rules.encode(), ".gitignore"))
    return [path for path in paths if tree.ignores(path)]


def ignored_by_git(made: Repo, rules: str, paths: list[str]) -> list[str]:
    made.write_bytes(".gitignore", rules.encode())
    listed = made.git("ls-files", "--others", "--exclude-standard", "-z").split("\0")
    return [path for path in paths if path not in listed]


@pytest.fixture(scope="module")
def tree_of_paths(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    made = Repo(str(tmp_path_factory.mktemp("ignored")))
    made.git("init", "--quiet")
    # A folder and a file cannot share a path, so longer paths give way.
    for path in PATHS:
        if not os.path.exists(made.path(path)):
            made.write_bytes(path, b"")
    return made


@requirement("DISC-IGNORE")
@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
@pytest.mark.parametrize(
    "rules",
    [
        "a", "/a", "a/", "*.py", "*.py\n!a.py", "build/", "/build/", "build/*\n!build/keep/",
        "build\n!build/keep/b.txt", "*\n!*/\n!*.py", "/*\n!/src/", "**/b", "src/**", "src/**/d.py",
        "**/build/**", "a/**/a", "deep/**/b/a.py", "x/**/z", "**", "***", "x/*", "x/*/z",
        "?", "?.py", "[ab].py", "[!a].txt", "[^a].txt", "[a-c].txt", "[[:alpha:]].py", "\\[a\\]",
        "\\#a", "#a",
        "\\!a", "a b", "a b ", "a\\ b", "a.py\r", "star\\*", "[", "a[", "\\", "src/b", "b/c.txt",
        "src/b/c/", "/", "//", "!a", "[]a]", "[z-a]", "[a/b]", "s*c", "s**c", "*/a.py",
        "src/*.py", "d*/a", "**/a/b", "*b*", "*.t?t", "\ufeffa.py", "a/\n!a/", "[a-]*",
        "[[:nope:]]",
    ],
)  # fmt: skip
def test_rules_match_as_in_git(tree_of_paths: Repo, rules: str) -> None:
    present = [path for path in PATHS if os.path.isfile(tree_of_paths.path(path))]

    assert ignored_by_us(rules, present) == ignored_by_git(tree_of_paths, rules, present)


PIECES = st.sampled_from(
    ["a", "b", "*", "**", "?", "/", "[ab]", "[!a]", ".py", "src", "build", "\\", "x", "!", ".txt"]
)
LINES = st.lists(PIECES, min_size=1, max_size=6).map("".join)


@requirement("DISC-IGNORE")
@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(LINES, min_size=1, max_size=4))
def test_any_rules_match_as_in_git(tree_of_paths: Repo, lines: list[str]) -> None:
    present = [path for path in PATHS if os.path.isfile(tree_of_paths.path(path))]
    rules = "\n".join(lines)

    assert ignored_by_us(rules, present) == ignored_by_git(tree_of_paths, rules, present)


def test_a_question_mark_stands_for_one_character_of_any_script() -> None:
    assert ignored_by_us("?.py", ["é.py", "日.py", "ab.py"]) == ["é.py", "日.py"]


def test_the_deciding_rule_names_its_file_and_line() -> None:
    tree = IgnoreTree()
    tree.add("", IgnoreFile(["# comment", "", "*.sql"], ".cruxeignore"))
    tree.add("src", IgnoreFile(["!b.sql"], "src/.cruxeignore"))

    assert str(tree.deciding_rule("a.sql")) == ".cruxeignore:3:*.sql"
    assert str(tree.deciding_rule("src/b.sql")) == "src/.cruxeignore:1:!b.sql"
    assert not tree.ignores("src/b.sql")
    assert tree.deciding_rule("a.py") is None


@pytest.mark.parametrize(
    "pattern", ["*a" * 60 + "b", "**/a/" * 60 + "b", "[ab]*" * 60 + "x", "[" * 200_000]
)
def test_no_pattern_makes_matching_explode(pattern: str, tmp_path: Path) -> None:
    rules = IgnoreFile([pattern], str(tmp_path))

    assert rules.match("a" * 4000, is_folder=False) is None
    assert rules.match("a/" * 2000 + "a", is_folder=False) is None
