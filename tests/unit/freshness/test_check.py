"""A check finds out whether a working tree has changed, and asks git only where it must."""

import os
import sys
import time

import pytest

from cruxe.freshness.check import FullCheck
from cruxe.model.errors import InternalError
from cruxe.model.source import SkipReason
from cruxe.repository import open_repository
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace import walk
from cruxe.workspace.context import RepositoryContext, resolve_target
from tests.requirements import requirement
from tests.support.fingerprints import index_and_fingerprint, keep_fingerprint
from tests.support.indexing import context_of, index, paths_of, published, settle
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


@pytest.fixture
def folder(repo: MakeRepo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A folder without git, indexed and fingerprinted as if it had been left alone for a while."""
    made = repo(f"{TREE}-- .gitignore\n*.log\n-- out.log\n-- .cruxeignore\nkept/\n", git=False)
    made.write("-- kept/c.py\nz = 1\n")
    settle(made, *FILES, ".gitignore", ".cruxeignore")
    monkeypatch.setattr("cruxe.freshness.take_fingerprint.RACY_NS", 0)
    context = context_of(made)
    index(context)
    assert open_repository(made.root).index_status()["metadata"]["freshness_status"] == "fresh"
    return made


def _forbid_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("the folder is walked again")

    monkeypatch.setattr(walk.FolderWalk, "run", fail)


@requirement("FRESH-NO-GIT")
def test_a_folder_without_git_is_not_walked_for_every_question(
    folder: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    _forbid_walks(monkeypatch)

    answer = open_repository(folder.root).search_code("x")

    assert answer["metadata"]["freshness_status"] == "fresh"


@requirement("FRESH-NO-GIT")
@pytest.mark.parametrize(
    ("change", "paths"),
    [
        ("-- lib/new.py\nn = 1\n", ["lib/new.py"]),
        ("-- other/deep/new.py\nn = 1\n", ["other/deep/new.py"]),
        ("-- .gitignore\n*.txt\n", [".gitignore", "out.log"]),
        ("-- .cruxeignore\n", [".cruxeignore", "kept/c.py"]),
    ],
)
def test_what_is_new_or_ignored_in_a_folder_without_git_is_seen(
    folder: Repo, change: str, paths: list[str]
) -> None:
    folder.write(change)

    assert _changed_paths(context_of(folder)) == paths


@requirement("FRESH-NO-GIT")
@pytest.mark.parametrize("change", ["-- out.log\nmore\n-- another.log\n", "-- kept/d.py\nn = 1\n"])
def test_what_is_ignored_in_a_folder_without_git_is_no_change(folder: Repo, change: str) -> None:
    folder.write(change)

    assert _is_settled(context_of(folder))


def test_a_deletion_and_an_edit_in_a_folder_without_git_are_seen(
    folder: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("-- a.py\nx = 2\n")
    with monkeypatch.context() as patched:
        _forbid_walks(patched)
        assert _changed_paths(context_of(folder)) == ["a.py"]

    folder.remove("lib/b.py")
    synced = open_repository(folder.root).sync_repo()

    assert published(synced)["removed_files"] == 1
    assert open_repository(folder.root).search_code("y")["metadata"]["freshness_status"] == "fresh"


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
