"""Paths between where the user stands and the workspace."""

import os
from pathlib import Path

import pytest

from cruxe.serve.cli.view import Places, places_around


@pytest.mark.parametrize(
    ("here", "path", "shown"),
    [
        ("/r", "a/b.py", "a/b.py"),
        ("/r/a", "a/b.py", "b.py"),
        ("/r/a", "c.py", "../c.py"),
        ("/", "a/b.py", "r/a/b.py"),
        ("/rest", "a/b.py", "/r/a/b.py"),
    ],
)
def test_a_path_is_shown_so_that_it_opens_from_here(here: str, path: str, shown: str) -> None:
    places = Places(_native(here), _native("/r"))

    assert places.from_here(path).replace(os.sep, "/") == _native(shown).replace(os.sep, "/")


def test_a_path_is_read_from_here_first_and_from_the_root_if_only_that_exists(
    tmp_path: Path,
) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    for name in ("top.py", "both.py", "sub/both.py", "sub/own.py"):
        (root / name).touch()
    inside = Places(str(root / "sub"), str(root))

    assert inside.to_workspace("own.py") == str(root / "sub" / "own.py")
    assert inside.to_workspace("both.py") == str(root / "sub" / "both.py")
    assert inside.to_workspace("top.py") == "top.py"
    assert inside.to_workspace("nowhere.py") == str(root / "sub" / "nowhere.py")
    assert inside.to_workspace("../top.py") == str(root / "top.py")
    assert inside.to_workspace("..") == str(root)


def test_a_path_outside_the_workspace_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "rooted").mkdir()
    (tmp_path / "rooted" / "a.py").touch()
    beside = Places(str(tmp_path / "rooted"), str(tmp_path / "root"))

    assert beside.to_workspace("a.py") == "a.py"


@pytest.mark.skipif(os.name == "nt", reason="a current folder cannot be removed there")
def test_a_current_folder_that_is_gone_leaves_whole_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert places_around(str(tmp_path / "root")).from_here("a.py").endswith("root/a.py")


def _native(path: str) -> str:
    return path.replace("/", os.sep)
