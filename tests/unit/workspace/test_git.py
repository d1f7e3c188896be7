"""Git as a child process that a repository cannot misuse."""

import os
from pathlib import Path

import pytest

from cruxe.model.errors import InternalError, WorkspaceNotAllowedError
from cruxe.model.source import DiscoveryRules
from cruxe.workspace.context import find_workspace
from cruxe.workspace.git import run_git, try_git
from cruxe.workspace.listing import list_working_tree
from tests.requirements import requirement
from tests.support.repositories import MakeRepo

POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="needs shell scripts and owners")


def script_that_creates(witness: Path, path: Path) -> str:
    path.write_text(f'#!/bin/sh\ntouch "{witness}"\n')
    path.chmod(0o755)
    return str(path)


@POSIX_ONLY
@requirement("DISC-GIT")
def test_a_hostile_repository_runs_nothing(repo: MakeRepo, tmp_path: Path) -> None:
    made = repo("-- a.py\nx = 1\n-- .gitattributes\n* filter=evil diff=evil\n")
    witness = tmp_path / "witness"
    evil = script_that_creates(witness, tmp_path / "evil")
    os.makedirs(made.path("hooks"))
    script_that_creates(witness, Path(made.path("hooks/post-index-change")))
    for name in ("core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "diff.external",
                 "diff.evil.textconv", "core.pager", "core.sshCommand"):  # fmt: skip
        made.git("config", name, evil)
    made.git("config", "core.hooksPath", made.path("hooks"))
    made.write("-- a.py\nx = 2\n-- new.py\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    made.git("config", "core.worktree", str(elsewhere))

    files = list_working_tree(find_workspace(made.root), DiscoveryRules())

    assert [file.path for file in files if file.path.endswith(".py")] == ["a.py", "new.py"]
    assert not witness.exists()


@POSIX_ONLY
def test_a_missing_object_is_not_fetched_from_anywhere(repo: MakeRepo, tmp_path: Path) -> None:
    made = repo("-- a.py\n")
    witness = tmp_path / "witness"
    evil = script_that_creates(witness, tmp_path / "evil")
    made.git("config", "core.repositoryformatversion", "1")
    made.git("config", "extensions.partialClone", "origin")
    made.git("config", "remote.origin.promisor", "true")
    made.git("config", "remote.origin.url", f"ext::{evil}")
    made.git("config", "protocol.ext.allow", "always")

    output = try_git(find_workspace(made.root), "cat-file", "-t", "1" * 40)

    assert output.status != 0
    assert not witness.exists()


def test_a_git_of_the_repository_itself_is_not_started(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo("-- a.py\n")
    name = "git.exe" if os.name == "nt" else "git"
    made.write_bytes(name, b"#!/bin/sh\necho not git\n")
    os.chmod(made.path(name), 0o700)
    monkeypatch.chdir(made.root)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")

    assert run_git(find_workspace(made.root), "--version").startswith(b"git version")


def test_a_machine_without_git_is_told_to_install_it(
    repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = find_workspace(repo("-- a.py\n").root)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(InternalError, match="git is not installed") as failure:
        list_working_tree(workspace, DiscoveryRules())

    assert "install git" in failure.value.remedy


@requirement("DISC-GIT")
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away")
def test_a_repository_of_another_user_gets_its_own_remedy(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    workspace = find_workspace(made.root)
    for place in (made.root, made.path(".git")):
        os.chown(place, 54321, 54321)

    with pytest.raises(WorkspaceNotAllowedError, match="another user") as refusal:
        list_working_tree(workspace, DiscoveryRules())

    assert f'safe.directory "{made.root}"' in refusal.value.remedy


def test_a_damaged_repository_says_what_git_said(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    made.write_bytes(".git/index", b"not an index")

    with pytest.raises(InternalError, match="git ls-files failed"):
        list_working_tree(find_workspace(made.root), DiscoveryRules())


@requirement("DISC-GIT")
def test_variables_of_a_running_hook_do_not_lead_elsewhere(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, other = repo("-- a.py\n"), repo("-- b.py\n", name="other")
    monkeypatch.setenv("GIT_DIR", other.path(".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", other.path(".git/index"))

    assert run_git(find_workspace(made.root), "ls-files") == b"a.py\n"
