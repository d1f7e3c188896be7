import os

import pytest

from tests.support.repositories import MakeRepo, split_files

TWO_FILES = """
    -- a.py
    x = 1

    def f():
        return x
    -- b/c.go
    package c
    """


def test_one_string_becomes_files_without_the_common_indent() -> None:
    assert split_files(TWO_FILES) == {
        "a.py": "x = 1\n\ndef f():\n    return x\n",
        "b/c.go": "package c\n",
    }


def test_text_before_the_first_path_is_refused() -> None:
    with pytest.raises(ValueError, match="expected '-- path' before 'x = 1"):
        split_files("x = 1\n-- a.py\n")


def test_a_repository_is_committed_on_main(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)

    assert made.git("ls-tree", "-r", "--name-only", "main").split() == ["a.py", "b/c.go"]
    assert made.git("status", "--porcelain") == ""


def test_a_plain_folder_has_no_git(repo: MakeRepo) -> None:
    made = repo(TWO_FILES, git=False)

    assert sorted(os.listdir(made.root)) == ["a.py", "b"]


def test_branches_commits_and_worktrees_are_real(repo: MakeRepo) -> None:
    made = repo("-- a.py\nx = 1\n")
    made.branch("topic")
    topic = made.worktree("topic")
    topic.write("-- a.py\nx = 2\n")
    topic.commit()

    made.checkout("main")

    assert made.git("show", "main:a.py") == "x = 1\n"
    assert made.git("show", "topic:a.py") == "x = 2\n"


def test_the_same_content_gives_the_same_commit_id(repo: MakeRepo) -> None:
    first, second = repo("-- a.py\nx = 1\n"), repo("-- a.py\nx = 1\n", name="again")

    assert first.git("rev-parse", "HEAD") == second.git("rev-parse", "HEAD")
