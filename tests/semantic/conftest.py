"""A repository whose files speak of known topics, and a model that knows them."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from cruxe.repository import Repository, open_repository
from tests.support.models import MODEL_VARIABLE, write_model
from tests.support.repositories import MakeRepo, Repo

STAND_IN: Final = os.fspath(Path(__file__).parent.parent / "fixtures" / "extra")
SOURCES = """
-- src/access.py
def login(password):
    '''Authenticate by a password.'''
    return password

-- src/money.py
def refund(invoice):
    '''Give back the payment of an invoice.'''
    return invoice

-- src/keeper.go
package keeper

// Persist saves to the disk.
func Persist(file string) string {
    return file
}

-- src/later.py
def delay(clock):
    return clock

-- docs/guide.md
# Guide

Words about nothing in particular.
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A model that knows the topics of the repository."""
    folder = write_model(tmp_path / "model")
    monkeypatch.setenv(MODEL_VARIABLE, folder)
    return folder


@pytest.fixture
def shop(repo: MakeRepo) -> Repo:
    return repo(SOURCES)


@pytest.fixture
def opened(shop: Repo, model: str) -> Repository:
    """The repository, indexed with the model."""
    del model
    repository = open_repository(shop.root)
    repository.sync_repo()
    return repository


@pytest.fixture
def extra(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The stand-in, here and in the processes that are started."""
    before = {name: sys.modules.pop(name) for name in _loaded()}
    monkeypatch.syspath_prepend(STAND_IN)
    own = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (STAND_IN, own))))
    yield
    for name in _loaded():
        del sys.modules[name]
    sys.modules.update(before)


def _loaded() -> list[str]:
    return [name for name in sys.modules if name.partition(".")[0] == "fastembed"]
