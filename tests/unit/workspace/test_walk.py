"""Folders without git are walked by our own rules."""

import os

import pytest

from cruxe.model.source import DiscoveryRules, SkipReason
from cruxe.workspace.context import find_workspace
from cruxe.workspace.listing import list_working_tree
from tests.requirements import requirement
from tests.support.repositories import MakeRepo, Repo

POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="needs names and files of a POSIX system")


def listed(made: Repo) -> dict[str, SkipReason | None]:
    files = list_working_tree(find_workspace(made.root), DiscoveryRules())
    return {file.path: file.skip for file in files}


@requirement("DISC-NOGIT")
def test_nested_gitignore_and_cruxeignore_files_count(repo: MakeRepo) -> None:
    text = """
        -- .gitignore
        *.log
        -- .cruxeignore
        data/
        *.csv
        -- a.py
        -- a.log
        -- b.csv
        -- data/deep/x.py
        -- src/.gitignore
        !kept.log
        /out
        -- src/kept.log
        -- src/out/x.py
        -- src/lib/out/y.py
    """

    assert listed(repo(text, git=False)) == {
        ".cruxeignore": None,
        ".gitignore": None,
        "a.py": None,
        "b.csv": SkipReason.IGNORED,
        "data": SkipReason.IGNORED,
        "src/.gitignore": None,
        "src/kept.log": None,
        "src/lib/out/y.py": None,
    }


@requirement("DISC-NOGIT")
def test_gitignored_files_are_the_same_with_and_without_git(repo: MakeRepo) -> None:
    text = """
        -- .gitignore
        /*.tmp
        logs/**
        !logs/keep.txt
        -- a.tmp
        -- b/a.tmp
        -- b/.gitignore
        *
        !*.py
        -- b/c.py
        -- b/d.txt
        -- logs/keep.txt
        -- logs/x.txt
    """
    with_git = repo(text, name="with", git=False)
    with_git.git("init", "--quiet")

    assert listed(repo(text, name="without", git=False)) == listed(with_git)


@requirement("DISC-NOGIT")
def test_folders_of_tools_are_left_out_unless_cruxeignore_takes_one_back(repo: MakeRepo) -> None:
    made = repo(
        "-- node_modules/x.js\n-- a/__pycache__/x.py\n-- .git/x\n-- dist/x.js\n-- build/x.py\n"
        "-- build.py\n-- .cruxe/config.toml\n-- .cruxeignore\n!/build/\n!.cruxe/\n",
        git=False,
    )

    assert listed(made) == dict.fromkeys([".cruxeignore", "build.py", "build/x.py"])


@POSIX_ONLY
@requirement("DISC-NOGIT", "DISC-SYMLINK")
def test_symlink_loops_pipes_and_odd_names_do_not_disturb_the_walk(repo: MakeRepo) -> None:
    made = repo("-- a/b/c.py\n", git=False)
    os.symlink("..", made.path("a/up"))
    os.symlink("self", made.path("self"))
    os.mkfifo(made.path("pipe"))
    with open(os.fsencode(made.root) + b"/a/\xff.py", "wb"):
        pass

    assert listed(made) == {
        "a/\\xff.py": SkipReason.PATH_NOT_UTF8,
        "a/b/c.py": None,
        "a/up": SkipReason.SYMLINK,
        "pipe": SkipReason.NOT_REGULAR,
        "self": SkipReason.SYMLINK,
    }


@POSIX_ONLY
@requirement("DISC-NOGIT")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_cannot_be_opened_is_one_skipped_path(repo: MakeRepo) -> None:
    made = repo("-- a.py\n-- closed/b.py\n", git=False)
    os.chmod(made.path("closed"), 0)

    try:
        assert listed(made) == {"a.py": None, "closed": SkipReason.UNREADABLE}
    finally:
        os.chmod(made.path("closed"), 0o700)


def test_repositories_inside_are_walked_like_folders(repo: MakeRepo) -> None:
    made = repo("-- a.py\n", git=False)
    repo("-- x.py\n", name="repo/inner")

    assert listed(made) == {"a.py": None, "inner/x.py": None}
