"""Worktrees and branches of one clone: one store, each with its own files."""

import os
from typing import Final

import pytest

from cruxe.model.errors import RefNotIndexedError
from cruxe.repository import open_repository
from tests.requirements import requirement
from tests.support.indexing import context_of, index, paths_of, read_database, store_content
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of

FILES: Final = 40
SHARED: Final = "".join(
    f"-- shared/m{number}.py\n"
    + "".join(
        f"def helper_{number}_{each}(value):\n    return value + {each}\n\n\n" for each in range(12)
    )
    for number in range(FILES)
)


def located(made: Repo, name: str, ref: str | None = None) -> list[str]:
    answer = open_repository(made.root).locate_symbol(name, ref=ref)
    results = answer["results"]
    assert isinstance(results, list)
    return [f"{each['path']}:{each['line_start']}" for each in results]


def stored_bytes(made: Repo) -> int:
    folder = layout_of(context_of(made)).folder
    return sum(
        os.path.getsize(os.path.join(parent, name))
        for parent, _, names in os.walk(folder)
        for name in names
    )


@pytest.fixture
def clone(repo: MakeRepo) -> Repo:
    """A clone on `main` with the branches `topic` and `release`, which differ in one file each."""
    made = repo(SHARED + "-- app.py\ndef run():\n    return 'main'\n")
    for branch, extra in (("topic", "topic_only"), ("release", "release_only")):
        made.git("checkout", "--quiet", "-b", branch, "main")
        made.write(f"-- app.py\n# {branch}\ndef run():\n    return 2\n-- {extra}.py\nx = 1\n")
        made.commit()
    made.checkout("main")
    return made


@requirement("INDEX-WORKTREES", "STORE-REFS", "INDEX-REF")
def test_each_worktree_and_each_ref_sees_exactly_its_own_files(clone: Repo) -> None:
    beside = clone.worktree("topic")
    beside.write("-- draft.py\ndef drafted():\n    pass\n")
    here, there = context_of(clone), context_of(beside)
    assert here.location == there.location
    index(here)
    index(there)
    index(here, "release")

    shared = {f"shared/m{number}.py": None for number in range(FILES)}
    assert paths_of(here) == {"app.py": None, **shared}
    assert paths_of(there) == {
        "app.py": None, "draft.py": None, "topic_only.py": None, **shared
    }  # fmt: skip
    assert paths_of(there, "release") == {"app.py": None, "release_only.py": None, **shared}
    assert (located(clone, "run"), located(beside, "run")) == (["app.py:1"], ["app.py:2"])
    assert (located(clone, "drafted"), located(beside, "drafted")) == ([], ["draft.py:1"])
    assert located(clone, "run", "release") == ["app.py:2"]
    with pytest.raises(RefNotIndexedError):
        located(clone, "run", "topic")


@requirement("STORE-REFS")
def test_the_name_of_the_branch_means_the_tree_here_and_the_tip_elsewhere(clone: Repo) -> None:
    beside = clone.worktree("topic")
    beside.write("-- draft.py\ndef drafted():\n    pass\n")
    index(context_of(beside))
    index(context_of(clone), "topic")
    index(context_of(beside), "HEAD")

    assert located(beside, "drafted", "topic") == ["draft.py:1"]
    assert located(beside, "drafted", "HEAD") == []
    assert located(clone, "drafted", "topic") == []


@requirement("STORE-VERSIONS", "INDEX-REF")
def test_what_worktrees_and_refs_share_is_stored_once(clone: Repo) -> None:
    beside = clone.worktree("topic")
    first = index(context_of(clone))
    alone = stored_bytes(clone)
    second = index(context_of(beside))
    third = index(context_of(clone), "release")
    fourth = index(context_of(clone), "main")

    assert (first.indexed_files, second.indexed_files) == (FILES + 1, 2)
    assert (third.indexed_files, fourth.indexed_files) == (2, 0)
    with read_database(context_of(clone)) as connection:
        counts = connection.execute(
            "SELECT path, count(*) FROM file_versions GROUP BY path HAVING count(*) > 1"
        ).fetchall()
    assert counts == [("app.py", 3)]
    assert len(store_content(context_of(clone)).file_versions) == FILES + 1 + 2 + 2
    # Four maps and four small files; a second copy of the forty files would double it.
    assert stored_bytes(clone) < 1.4 * alone


@requirement("STORE-GC", "INDEX-WORKTREES")
def test_collecting_forgets_a_worktree_that_was_removed(clone: Repo) -> None:
    beside = clone.worktree("topic")
    index(context_of(clone))
    index(context_of(beside))
    clone.git("worktree", "remove", "--force", beside.root)
    answer = open_repository(clone.root).collect()

    assert (answer["dropped_refs"], answer["dropped_versions"]) == ([f"worktree:{beside.root}"], 2)
    assert len(store_content(context_of(clone)).file_versions) == FILES + 1
    assert paths_of(context_of(clone)).keys() >= {"app.py", "shared/m0.py"}


@requirement("INDEX-REF")
def test_indexing_a_ref_leaves_git_and_the_working_tree_alone(clone: Repo) -> None:
    before = _files_of(clone.root)
    index(context_of(clone), "topic")
    index(context_of(clone))
    open_repository(clone.root).collect()

    assert _files_of(clone.root) == before


def _files_of(folder: str) -> dict[str, tuple[int, int]]:
    """Every file, those of git too, with its size and time."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            status = os.lstat(os.path.join(parent, name))
            found[os.path.join(parent, name)] = (status.st_size, status.st_mtime_ns)
    return found
