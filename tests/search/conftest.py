"""One repository in five languages with two branches, indexed once for all tests of search."""

from collections.abc import Iterator

import pytest

from cruxe.repository import Repository, open_repository
from tests.support.polyglot import DATA_DIR_VARIABLE, Polyglot, build_polyglot
from tests.support.repositories import GIT_ENVIRONMENT


@pytest.fixture(scope="session")
def polyglot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Polyglot]:
    """Build the repository and index both of its branches; tests only read them."""
    folder = tmp_path_factory.mktemp("polyglot")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (GIT_ENVIRONMENT | {"HOME": str(folder / "home")}).items():
            patch.setenv(name, value)
        patch.setenv("GIT_CEILING_DIRECTORIES", str(folder))
        patch.setenv(DATA_DIR_VARIABLE, str(folder / "data"))
        yield build_polyglot(folder)


@pytest.fixture
def harbor(polyglot: Polyglot, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The repository, opened as any caller opens it."""
    monkeypatch.setenv(DATA_DIR_VARIABLE, polyglot.data_dir)
    return open_repository(polyglot.repo.root)
