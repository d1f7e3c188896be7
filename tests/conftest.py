"""Fixtures for all tests: an environment that is not the user's, and repositories to work on."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.repositories import GIT_ENVIRONMENT, MakeRepo, Repo, write_repo

# A slow machine must not fail a true property, and CI must judge the same cases each time.
settings.register_profile("cruxe", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("cruxe")

_FOREIGN_PREFIXES = ("CRUXE_", "CODECOMPASS_", "GIT_")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give every test an empty home, default git and no settings from outside."""
    for name in [name for name in os.environ if name.startswith(_FOREIGN_PREFIXES)]:
        monkeypatch.delenv(name)
    for name, value in GIT_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    # A temporary folder inside some checkout must not look like a part of it.
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path_factory.getbasetemp()))
    empty = str(tmp_path_factory.mktemp("home"))
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, empty)
    return empty


@pytest.fixture
def repo(tmp_path: Path) -> MakeRepo:
    """Write repositories from one string each; see `tests/support/repositories.py`."""

    def make(text: str, *, name: str = "repo", git: bool = True) -> Repo:
        return write_repo(tmp_path / name, text, git=git)

    return make
