"""Names that callers give for commits, branches and worktrees."""

import os

import pytest

from cruxe.model.errors import InvalidInputError
from cruxe.model.source import Branch, Head, ResolvedRef, Worktree
from cruxe.workspace.context import find_workspace
from cruxe.workspace.ref_names import list_branches, list_worktrees, resolve_ref
from tests.requirements import requirement
from tests.support.repositories import MakeRepo


@requirement("DISC-OBJECTS")
def test_every_kind_of_name_is_resolved(repo: MakeRepo) -> None:
    made = repo("-- a.py\n1\n")
    first = made.git("rev-parse", "HEAD").strip()
    made.git("tag", "--annotate", "--message", "one", "v1")
    made.git("update-ref", "refs/remotes/origin/dev", first)
    second = made.commit("second")
    made.git("branch", "feature/x", first)
    workspace = find_workspace(made.root)

    tag = made.git("rev-parse", "v1").strip()
    resolved = {
        name: resolve_ref(workspace, name)
        for name in ("main", "feature/x", "v1", "origin/dev", "HEAD", "HEAD~1", first[:10], first,
                     tag, "refs/heads/main")
    }  # fmt: skip

    assert resolved == {
        "main": ResolvedRef(second, "refs/heads/main", "main"),
        "feature/x": ResolvedRef(first, "refs/heads/feature/x", "feature/x"),
        "v1": ResolvedRef(first, "refs/tags/v1", "v1"),
        "origin/dev": ResolvedRef(first, "refs/remotes/origin/dev", "origin/dev"),
        "HEAD": ResolvedRef(second, "HEAD", "HEAD"),
        "HEAD~1": ResolvedRef(first, "HEAD~1", first[:12]),
        first[:10]: ResolvedRef(first, first[:10], first[:12]),
        first: ResolvedRef(first, first, first[:12]),
        tag: ResolvedRef(first, tag, first[:12]),
        "refs/heads/main": ResolvedRef(second, "refs/heads/main", "main"),
    }


@requirement("DISC-OBJECTS")
def test_a_branch_goes_before_a_tag_of_the_same_name(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    made.git("tag", "same")
    second = made.commit("second")
    made.git("branch", "same")

    found = resolve_ref(find_workspace(made.root), "same")

    assert found == ResolvedRef(second, "refs/heads/same", "same")


@requirement("DISC-OBJECTS")
def test_an_unknown_name_is_refused_with_the_nearest_branches(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    made.branch("feature/login")
    made.branch("unrelated")

    with pytest.raises(InvalidInputError, match="'feature/logon'") as refusal:
        resolve_ref(find_workspace(made.root), "feature/logon")

    assert refusal.value.remedy == "use one of: feature/login"


def test_the_id_of_a_commit_is_found_once_it_is_there(repo: MakeRepo) -> None:
    made = repo("-- a.py\n1\n")
    workspace = find_workspace(made.root)
    later = made.commit("later")
    made.git("reset", "--hard", "HEAD~1")
    hidden = os.path.join(made.root, ".git", "objects", later[:2], later[2:])
    os.rename(hidden, f"{hidden}.away")
    with pytest.raises(InvalidInputError):
        resolve_ref(workspace, later)

    os.rename(f"{hidden}.away", hidden)

    assert resolve_ref(workspace, later) == ResolvedRef(later, later, later[:12])


@pytest.mark.parametrize(
    "name", ["", "--help", "-n", "--output=x", "a\0b", "main\n", "HEAD:a.py", "main..main", "^main"]
)
def test_text_that_is_no_ref_is_refused_and_never_an_option(repo: MakeRepo, name: str) -> None:
    with pytest.raises(InvalidInputError):
        resolve_ref(find_workspace(repo("-- a.py\n").root), name)


def test_a_folder_without_git_has_no_refs(repo: MakeRepo) -> None:
    workspace = find_workspace(repo("-- a.py\n", git=False).root)

    assert (list_branches(workspace), list_worktrees(workspace)) == ([], [])
    with pytest.raises(InvalidInputError, match="does not exist"):
        resolve_ref(workspace, "main")


@requirement("DISC-OBJECTS")
def test_branches_and_worktrees_are_listed(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    commit = made.git("rev-parse", "HEAD").strip()
    made.branch("other")
    beside = made.worktree("other")
    made.checkout(commit)

    workspace = find_workspace(beside.root)

    assert list_branches(workspace) == [Branch("main", commit), Branch("other", commit)]
    assert list_worktrees(workspace) == [
        Worktree(made.root, Head(None, commit)),
        Worktree(beside.root, Head("other", commit)),
    ]
