"""One repository with two branches, indexed once for all tests of the protocol."""

from collections.abc import Iterator

import pytest

from cruxe.repository import open_repository
from tests.support.indexing import settle
from tests.support.polyglot import DATA_DIR_VARIABLE, FEATURE_BRANCH, fixture_text
from tests.support.repositories import GIT_ENVIRONMENT, Repo, split_files, write_repo
from tests.support.wires import HttpWire, MemoryWire, StdioWire, initialize


@pytest.fixture(scope="session")
def harbour_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Repo, str]]:
    """Build the repository and index both of its branches; tests only read it."""
    folder = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (GIT_ENVIRONMENT | {"HOME": str(folder / "home")}).items():
            patch.setenv(name, value)
        patch.setenv("GIT_CEILING_DIRECTORIES", str(folder))
        patch.setenv(DATA_DIR_VARIABLE, str(folder / "data"))
        text = fixture_text("polyglot")
        made = write_repo(folder / "harbor", text)
        made.git("checkout", "--quiet", "-b", FEATURE_BRANCH)
        made.write(fixture_text("feature"))
        made.commit("audit")
        made.checkout("main")
        settle(made, *split_files(text))
        opened = open_repository(made.root)
        opened.sync_repo()
        opened.sync_repo(ref=FEATURE_BRANCH)
        yield made, str(folder / "data")


@pytest.fixture
def harbour(harbour_folder: tuple[Repo, str], monkeypatch: pytest.MonkeyPatch) -> Repo:
    """The repository, with its store where the test's processes find it."""
    made, data_dir = harbour_folder
    monkeypatch.setenv(DATA_DIR_VARIABLE, data_dir)
    return made


@pytest.fixture
def memory(harbour: Repo) -> MemoryWire:
    """The protocol itself, after a handshake."""
    wire = MemoryWire(harbour.root)
    wire.ask(initialize())
    return wire


@pytest.fixture
def stdio(harbour: Repo) -> Iterator[StdioWire]:
    """The real command, after a handshake."""
    with StdioWire(harbour.root) as wire:
        wire.ask(initialize())
        yield wire


@pytest.fixture
def http(harbour: Repo) -> Iterator[HttpWire]:
    """The real command over HTTP, after a handshake."""
    with HttpWire(harbour.root) as wire:
        wire.ask(initialize())
        yield wire
