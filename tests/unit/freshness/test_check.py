"""A check finds out whether a working tree has changed, and asks git only where it must."""

import os
import sys
import time

import pytest

from cruxe.freshness.check import FullCheck
from cruxe.model.errors import InternalError
from cruxe.model.source import SkipReason
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext, resolve_target
from tests.requirements import requirement
from tests.support.fingerprints import index_and_fingerprint, keep_fingerprint
from tests.support.indexing import context_of, index, paths_of, settle
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of

FILES = ("a.py", "lib/b.py", "logo.png")
TREE = "-- a.py\nx = 1\n-- lib/b.py\ny = 1\n-- logo.png\npicture\n"


@pytest.fixture
def tree(repo: MakeRepo) -> Repo:
    made = repo(TREE)
    settle(made, *FILES)
    return made


@pytest.fixture
def context(tree: Repo) -> RepositoryContext:
    """A tree that is indexed, and fingerprinted as if it had been left alone for a while."""
    return index_and_fingerprint(tree)


@pytest.fixture
def no_git(context: RepositoryContext, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """No git, once the index has been made."""
    monkeypatch.setenv("PATH", "")


@requirement("FRESH-NO-GIT")
@pytest.mark.usefixtures("no_git")
def test_an_unchanged_tree_is_found_fresh_without_git(context: RepositoryContext) -> None:
    assert _is_settled(context)


@pytest.mark.usefixtures("no_git")
def test_an_edit_in_place_is_found_without_git(context: RepositoryContext, tree: Repo) -> None:
    tree.write("-- lib/b.py\ny = 2\n")

    assert _changed_paths(context) == ["lib/b.py"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take no such name")
def test_a_path_that_is_no_utf8_keeps_its_reason(tree: Repo) -> None:
    with open(os.fsencode(tree.root) + b"/caf\xe9.py", "wb"):
        pass
    context = context_of(tree)
    index(context)
    tree.write("-- a.py\nx = 2\n")
    index(context)
    index(context)

    assert paths_of(context)["caf\\xe9.py"] == SkipReason.PATH_NOT_UTF8


@pytest.mark.usefixtures("no_git")
def test_a_new_file_makes_it_ask_git(context: RepositoryContext, tree: Repo) -> None:
    tree.write("-- lib/c.py\nz = 1\n")

    with pytest.raises(InternalError):
        _is_settled(context)


def test_a_new_file_is_found(context: RepositoryContext, tree: Repo) -> None:
    tree.write("-- lib/c.py\nz = 1\n")

    assert _changed_paths(context) == ["lib/c.py"]


def test_a_fingerprint_of_another_publication_is_not_believed(
    context: RepositoryContext, tree: Repo
) -> None:
    tree.write("-- lib/c.py\nz = 1\n")
    keep_fingerprint(tree, context)

    assert _changed_paths(context) == ["lib/c.py"]


def test_a_tree_that_was_just_written_is_not_fingerprinted(tree: Repo) -> None:
    context = context_of(tree)
    index(context)

    assert _is_settled(context)
    store = layout_of(context).current()
    assert store is not None
    assert not [name for name in os.listdir(store.folder) if name.startswith("witness")]


@requirement("FRESH-BY-NAME")
@pytest.mark.usefixtures("no_git")
def test_what_its_name_rules_out_may_change_without_git(
    context: RepositoryContext, tree: Repo
) -> None:
    with open(tree.path("logo.png"), "ab") as file:
        file.write(b"more")

    assert _is_settled(context)


@requirement("FRESH-BY-NAME")
def test_what_its_name_rules_out_may_change_without_a_fingerprint(tree: Repo) -> None:
    context = context_of(tree)
    index(context)
    with open(tree.path("logo.png"), "ab") as file:
        file.write(b"more")

    assert _is_settled(context)


@requirement("FRESH-BY-NAME")
@pytest.mark.parametrize("waited_seconds", [0, 3_600])
def test_another_kind_of_file_in_its_place_is_found_by_every_check(
    context: RepositoryContext, tree: Repo, monkeypatch: pytest.MonkeyPatch, waited_seconds: int
) -> None:
    os.remove(tree.path("logo.png"))
    os.symlink("a.py", tree.path("logo.png"))
    later_ns = time.time_ns() + waited_seconds * 1_000_000_000
    monkeypatch.setattr("time.time_ns", lambda: later_ns)

    assert [_is_settled(context) for _ in range(2)] == [False, False]
    index(context)
    assert paths_of(context) == {"a.py": None, "lib/b.py": None, "logo.png": SkipReason.SYMLINK}


def test_a_file_whose_content_is_no_text_is_read_again_when_it_changes(
    context: RepositoryContext, tree: Repo
) -> None:
    tree.write("-- lib/b.py\nnot\0text\n")
    index(context)
    tree.write("-- lib/b.py\nz = 3\n")
    index(context)

    assert paths_of(context)["lib/b.py"] is None


def _is_settled(context: RepositoryContext) -> bool:
    check = FullCheck(context, resolve_target(context.workspace, None))
    with open_snapshot(layout_of(context)) as snapshot:
        return check.is_settled(snapshot)


def _changed_paths(context: RepositoryContext) -> list[str]:
    check = FullCheck(context, resolve_target(context.workspace, None))
    with open_snapshot(layout_of(context)) as snapshot:
        assert not check.is_fresh(snapshot)
        (row,) = snapshot.list_refs()
        changes = check.find_changes(snapshot.read_map(row.ref_id), snapshot.generation)
    return [task.path for task in changes.tasks]
