"""Pipes and devices where git and Cruxe expect files: named or left out, and never waited for."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cruxe.model.errors import InvalidInputError
from cruxe.repository import Repository, open_repository
from cruxe.workspace import git
from tests.requirements import requirement
from tests.support.repositories import MakeRepo

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")
FILES = "-- a.py\ndef lantern():\n    pass\n"


def _pipe(path: str) -> None:
    Path(path).unlink(missing_ok=True)
    Path(path).parent.mkdir(exist_ok=True)
    os.mkfifo(path)


def _device(path: str) -> None:
    Path(path).unlink(missing_ok=True)
    Path(path).symlink_to("/dev/zero")


@requirement("DISC-ENDLESS")
@pytest.mark.parametrize(
    ("name", "make"), [("config", _pipe), ("config", _device), ("HEAD", _pipe)]
)
def test_a_file_of_git_that_never_ends_is_named(
    name: str, make: Callable[[str], None], repo: MakeRepo
) -> None:
    made = repo(FILES)
    make(made.path(f".git/{name}"))

    with pytest.raises(InvalidInputError) as caught:
        open_repository(made.root).sync_repo()
    assert made.path(f".git/{name}") in caught.value.message


@requirement("DISC-ENDLESS")
@pytest.mark.parametrize("name", [".gitignore", "sub/.gitignore", ".git/info/exclude"])
def test_a_pipe_that_git_waits_for_is_named(
    name: str, repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "_STALLED_SECONDS", 0.2)
    made = repo(FILES)
    _pipe(made.path(name))

    with pytest.raises(InvalidInputError) as caught:
        open_repository(made.root).sync_repo()
    assert made.path(name) in caught.value.message


@requirement("DISC-ENDLESS")
@pytest.mark.parametrize("make", [_pipe, _device])
@pytest.mark.parametrize("name", [".cruxeignore", ".cruxe/config.toml", "b.py"])
def test_a_file_of_ours_that_never_ends_is_left_out(
    name: str, make: Callable[[str], None], repo: MakeRepo
) -> None:
    made = repo(FILES)
    os.makedirs(made.path(".cruxe"))
    make(made.path(name))

    assert _finds(open_repository(made.root))


@requirement("DISC-ENDLESS")
def test_a_pipe_as_ignore_file_of_a_plain_folder_is_left_out(
    repo: MakeRepo, tmp_path: Path
) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.py").write_text("def lantern():\n    pass\n", "utf-8")
    _pipe(os.fspath(folder / ".gitignore"))
    del repo

    assert _finds(open_repository(os.fspath(folder)))


def _finds(repository: Repository) -> bool:
    repository.sync_repo()
    return repository.locate_symbol("lantern")["total_candidates"] == 1
