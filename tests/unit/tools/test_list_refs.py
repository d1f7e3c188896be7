"""Which files a ref means: the working tree, wherever HEAD goes, or a commit by any name."""

import os
from collections.abc import Callable

import pytest

from cruxe.ingest.sync_options import SyncOptions
from cruxe.repository import open_repository
from cruxe.workspace.context import resolve_target
from tests.requirements import requirement
from tests.support.indexing import (
    context_of,
    index,
    is_up_to_date,
    paths_of,
    places_of,
    settle,
    store_content,
    sync_numbers,
)
from tests.support.repositories import MakeRepo, Repo

TWO_FILES = "-- a.py\ndef one():\n    pass\n-- b.py\ndef two():\n    pass\n"


def _commit_nothing(made: Repo) -> None:
    made.commit("nothing new")


def _make_and_check_out_a_branch(made: Repo) -> None:
    made.git("checkout", "--quiet", "-b", "topic")


def _detach(made: Repo) -> None:
    made.git("checkout", "--quiet", "--detach")


def _amend(made: Repo) -> None:
    made.git("commit", "--quiet", "--amend", "--message", "reworded")


@requirement("STORE-REFS")
@pytest.mark.parametrize("move", [_commit_nothing, _make_and_check_out_a_branch, _detach, _amend])
def test_a_head_that_moves_without_content_is_published_without_reading(
    move: Callable[[Repo], None], repo: MakeRepo
) -> None:
    made = repo(TWO_FILES)
    settle(made, "a.py", "b.py")
    context = context_of(made)
    index(context)
    move(made)
    target = resolve_target(context.workspace, None)

    assert not is_up_to_date(context, target)
    assert sync_numbers(index(context)) == (2, 0, 0, 0)
    assert sync_numbers(index(context)) == (2, 0, 0, 0)
    assert store_content(context).refs[target.ref.name][1:3] == (
        target.ref.branch,
        target.ref.commit_id,
    )


@requirement("STORE-REFS")
def test_a_rebase_leaves_the_tree_that_it_made(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    made.git("checkout", "--quiet", "-b", "topic")
    made.write("-- a.py\ndef one():\n    return 'topic'\n")
    made.commit("on topic")
    made.checkout("main")
    made.write("-- c.py\ndef three():\n    pass\n")
    made.commit("on main")
    made.checkout("topic")
    context = context_of(made)
    index(context)
    made.git("rebase", "--quiet", "main")
    index(context)

    assert paths_of(context) == {"a.py": None, "b.py": None, "c.py": None}
    assert places_of(made, "three") == [("c.py", 1)]


@requirement("STORE-REFS")
def test_a_detached_head_is_named_by_its_commit(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    first = made.git("rev-parse", "HEAD").strip()
    made.write("-- c.py\nx = 1\n")
    made.commit()
    made.checkout(first)
    answer = open_repository(made.root).sync_repo()

    assert isinstance(answer["metadata"], dict)
    assert answer["metadata"]["ref"] == first[:12]
    assert paths_of(context_of(made)) == {"a.py": None, "b.py": None}


@requirement("INDEX-REF", "STORE-REFS")
def test_a_ref_may_be_a_tag_a_commit_a_remote_branch_or_an_expression(
    repo: MakeRepo, tmp_path: os.PathLike[str]
) -> None:
    upstream = repo("-- a.py\ndef one():\n    pass\n", name="upstream")
    upstream.git("tag", "v1")
    first = upstream.git("rev-parse", "HEAD").strip()
    upstream.write("-- a.py\n\n\ndef one():\n    pass\n")
    upstream.commit()
    upstream.git("clone", "--quiet", upstream.root, os.path.join(tmp_path, "clone"))
    made = Repo(os.path.join(tmp_path, "clone"))
    made.write("-- a.py\n\n\n\n\ndef one():\n    pass\n")
    made.commit()
    context = context_of(made)
    shown = {}
    for ref in ("v1", first, first[:10], "origin/main", "HEAD~1", "HEAD", "main"):
        index(context, ref)
        shown[ref] = places_of(made, "one", ref)[0]

    assert shown == {
        "v1": ("a.py", 1),
        first: ("a.py", 1),
        first[:10]: ("a.py", 1),
        "origin/main": ("a.py", 3),
        "HEAD~1": ("a.py", 3),
        "HEAD": ("a.py", 5),
        "main": ("a.py", 5),
    }
    # `HEAD~1` is the commit of `origin/main`, but kept under its own name; v1 is a commit too.
    assert sorted(store_content(context).refs) == sorted(
        [
            f"worktree:{context.workspace.root}",
            "refs/tags/v1",
            first,
            "refs/remotes/origin/main",
            made.git("rev-parse", "HEAD~1").strip(),
            made.git("rev-parse", "HEAD").strip(),
        ]
    )


@requirement("INDEX-REF", "STALE-BRANCH")
def test_a_branch_that_has_moved_answers_as_indexed_until_it_is_read_again(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    made.branch("topic")
    context = context_of(made)
    index(context, "topic")
    assert places_of(made, "one", "topic") == [("a.py", 1)]
    made.git("checkout", "--quiet", "topic")
    made.write("-- a.py\n\ndef one():\n    pass\n")
    made.commit()
    made.checkout("main")

    assert places_of(made, "one", "topic") == [("a.py", 1)]
    assert not is_up_to_date(context, resolve_target(context.workspace, "topic"))
    assert index(context, "topic").indexed_files == 1
    assert places_of(made, "one", "topic") == [("a.py", 2)]


@requirement("DISC-NOGIT")
def test_a_folder_without_git_has_the_single_ref_live(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef one():\n    pass\n-- .gitignore\n*.log\n-- x.log\n", git=False)
    answer = open_repository(made.root).sync_repo(ref="live")

    assert isinstance(answer["metadata"], dict)
    assert answer["metadata"]["ref"] == "live"
    assert paths_of(context_of(made)) == {".gitignore": None, "a.py": None}
    made.write("-- a.py\n\ndef one():\n    pass\n")
    index(context_of(made))
    assert places_of(made, "one", "live") == [("a.py", 2)]
    assert open_repository(made.root).collect()["dropped_versions"] == 1
    assert places_of(made, "one") == [("a.py", 2)]


@requirement("DISC-SUBMODULE")
def test_the_files_of_a_submodule_are_found_in_the_tree_and_in_commits(repo: MakeRepo) -> None:
    library = repo("-- lib.py\ndef shared():\n    pass\n", name="library")
    made = repo("-- app.py\ndef run():\n    pass\n", name="app")
    made.add_submodule(library, "vendor/library")
    made.commit()
    context = context_of(made)
    index(context)
    index(context, "HEAD")

    assert places_of(made, "shared") == [("vendor/library/lib.py", 1)]
    assert places_of(made, "shared", "HEAD") == [("vendor/library/lib.py", 1)]
    assert index(context, options=SyncOptions(force=True)).indexed_files == 3
