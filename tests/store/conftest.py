"""Conformance of store backends: what every backend of `store/api.py` must do.

The tests know the Protocols alone. A second backend is one more line in `BACKENDS`: a function from
an empty folder and the id of a repository to a `Store`. Called twice with the same values it gives
two objects for the same data, as two processes would have them. `backend` is a fresh store,
`again` opens it once more, `another` is a fresh store beside it.

Stores are filled by hand (`tests/support/records.py`): texts are parsed to records, and records are
published under refs that no git repository has.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from cruxe.config.settings import StorageSettings
from cruxe.model.identity import DatabaseOptions, StoreLocation
from cruxe.store.api import Store
from cruxe.store.open import open_store

Backend = Callable[[Path, str], Store]


def open_local(folder: Path, repository_id: str) -> Store:
    """The store in a folder of this machine."""
    storage = StorageSettings()
    database = DatabaseOptions(storage.busy_timeout_ms, storage.cache_size)
    return open_store(StoreLocation(os.fspath(folder / "data"), repository_id, database))


BACKENDS: Final[dict[str, Backend]] = {
    "local": open_local,
}


@pytest.fixture(scope="session", params=BACKENDS)
def opener(request: pytest.FixtureRequest) -> Backend:
    """What opens a store of the backend under test."""
    return BACKENDS[str(request.param)]


@pytest.fixture
def again(opener: Backend, tmp_path: Path) -> Callable[[], Store]:
    """Open the store under test, as another process would."""
    return lambda: opener(tmp_path, "0" * 32)


@pytest.fixture
def backend(again: Callable[[], Store]) -> Store:
    """A fresh store."""
    return again()


@pytest.fixture
def another(opener: Backend, tmp_path: Path) -> Store:
    """A second fresh store, of another repository."""
    return opener(tmp_path, "1" * 32)
