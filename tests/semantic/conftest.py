"""A repository whose files speak of known topics, and a model that knows them."""

from pathlib import Path

import pytest

from cruxe.engine.repository import Repository, open_repository
from tests.models import MODEL_VARIABLE, write_model
from tests.repositories import MakeRepo, Repo

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
