"""From a directory to its workspace, without starting git."""

import os
from pathlib import Path

import pytest

from cruxe.model.errors import ErrorCode, InvalidInputError, WorkspaceNotAllowedError
from cruxe.model.source import Head, ObjectFormat
from cruxe.workspace.context import find_workspace, read_head
from tests.requirements import requirement
from tests.support.repositories import MakeRepo, Repo

FILES = "-- a.py\nx = 1\n-- src/deep/b.py\ny = 2\n"


@requirement("DISC-GIT")
def test_a_folder_inside_a_repository_belongs_to_its_root(repo: MakeRepo) -> None:
    made = repo(FILES)

    workspace = find_workspace(made.path("src/deep"))

    git_dir = os.path.join(made.root, ".git")
    assert (workspace.root, workspace.git_dir, workspace.git_common_dir) == (
        made.root,
        git_dir,
        git_dir,
    )
    assert workspace.object_format is ObjectFormat.SHA1


@requirement("DISC-GIT")
def test_worktrees_of_one_clone_share_the_repository_id(repo: MakeRepo) -> None:
    made = repo(FILES)
    made.branch("other")
    beside = made.worktree("other")

    main, other = find_workspace(made.root), find_workspace(beside.path("src"))

    assert other.root == beside.root
    assert other.repository_id == main.repository_id
    assert other.git_common_dir == main.git_common_dir
    assert other.git_dir != main.git_dir
    assert read_head(other).branch == "other"


@requirement("DISC-NOGIT")
def test_a_folder_without_git_is_its_own_workspace(repo: MakeRepo) -> None:
    made = repo(FILES, git=False)

    workspace = find_workspace(made.path("src"))

    assert workspace.root == made.path("src")
    assert workspace.git_dir is None
    assert workspace.repository_id != find_workspace(made.root).repository_id
    assert read_head(workspace) == Head(branch=None, commit=None)


@requirement("DISC-SUBMODULE")
def test_a_submodule_is_a_repository_of_its_own(repo: MakeRepo) -> None:
    made = repo(FILES)
    made.add_submodule(repo("-- lib.py\n", name="library"), "vendor/library")

    inner = find_workspace(made.path("vendor/library"))

    assert inner.root == made.path("vendor/library")
    assert inner.git_dir == made.path(".git/modules/vendor/library")
    assert inner.repository_id != find_workspace(made.root).repository_id


@requirement("DISC-REFUSE")
def test_the_file_system_root_is_refused_with_a_remedy() -> None:
    with pytest.raises(WorkspaceNotAllowedError, match="whole file system") as refusal:
        find_workspace(os.path.abspath(os.sep))

    assert refusal.value.code is ErrorCode.WORKSPACE_NOT_ALLOWED
    assert "-C" in refusal.value.remedy


@requirement("DISC-REFUSE")
def test_the_home_directory_is_refused_even_through_a_symlink(home: str, tmp_path: Path) -> None:
    alias = tmp_path / "alias"
    alias.symlink_to(home)

    with pytest.raises(WorkspaceNotAllowedError, match="home directory"):
        find_workspace(str(alias))


@requirement("DISC-REFUSE")
def test_a_repository_made_of_the_home_directory_does_not_claim_its_folders(home: str) -> None:
    at_home = Repo(home)
    at_home.write("-- notes/todo.md\nlater\n")
    at_home.git("init", "--quiet")

    workspace = find_workspace(at_home.path("notes"))

    assert (workspace.root, workspace.git_dir) == (at_home.path("notes"), None)


@requirement("DISC-REFUSE")
@pytest.mark.parametrize("name", ["nowhere", "file.txt"])
def test_what_is_not_a_directory_is_invalid_input(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("x")

    with pytest.raises(InvalidInputError) as refusal:
        find_workspace(str(tmp_path / name))

    assert refusal.value.data == {"workspace": str(tmp_path / name)}


@requirement("DISC-REFUSE")
@pytest.mark.parametrize("inside", ["", "hooks"])
def test_a_bare_repository_is_refused(repo: MakeRepo, inside: str) -> None:
    made = repo(FILES)
    made.git("clone", "--quiet", "--bare", ".", "../bare.git")
    bare = f"{made.root}/../bare.git/{inside}"
    os.makedirs(bare, exist_ok=True)

    with pytest.raises(WorkspaceNotAllowedError, match="without a working tree"):
        find_workspace(bare)


def test_the_environment_does_not_lead_to_another_repository(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, other = repo(FILES), repo(FILES, name="other")
    monkeypatch.setenv("GIT_DIR", other.path(".git"))

    assert find_workspace(made.root).git_dir == made.path(".git")


def test_an_empty_git_folder_does_not_make_a_repository(repo: MakeRepo) -> None:
    made = repo(FILES)
    os.mkdir(made.path("src/.git"))

    assert find_workspace(made.path("src")).root == made.root


def test_a_worktree_whose_clone_is_gone_is_taken_without_git(repo: MakeRepo) -> None:
    made = repo(FILES)
    made.write("-- lost/.git\ngitdir: /nowhere/.git/worktrees/lost\n-- lost/a.py\n")

    workspace = find_workspace(made.path("lost"))

    assert (workspace.root, workspace.git_dir) == (made.path("lost"), None)


def test_sha256_repositories_are_recognised(tmp_path: Path) -> None:
    made = Repo(str(tmp_path))
    made.git("init", "--quiet", "--object-format=sha256", "--initial-branch", "main")
    commit = made.commit()

    workspace = find_workspace(made.root)

    assert workspace.object_format is ObjectFormat.SHA256
    assert read_head(workspace) == Head("main", commit)


@requirement("DISC-GIT")
def test_head_is_read_from_loose_and_packed_refs_and_when_detached(repo: MakeRepo) -> None:
    made = repo(FILES)
    made.git("checkout", "--quiet", "-b", "feature/one")
    commit = made.commit()
    workspace = find_workspace(made.root)

    loose = read_head(workspace)
    made.git("pack-refs", "--all")
    packed = read_head(workspace)
    made.checkout(commit)

    assert not os.path.exists(made.path(".git/refs/heads/feature/one"))
    assert loose == packed == Head("feature/one", commit)
    assert read_head(workspace) == Head(None, commit)


def test_a_branch_without_a_commit_has_only_a_name(tmp_path: Path) -> None:
    made = Repo(str(tmp_path))
    made.git("init", "--quiet", "--initial-branch", "trunk")

    assert read_head(find_workspace(made.root)) == Head("trunk", None)


def test_git_is_asked_where_head_is_unusual(repo: MakeRepo) -> None:
    made = repo(FILES)
    commit = made.commit()
    made.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    made.git("symbolic-ref", "HEAD", "refs/heads/alias")

    assert read_head(find_workspace(made.root)) == Head("main", commit)
