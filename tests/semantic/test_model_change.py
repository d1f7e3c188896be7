"""Another model: its vectors are made beside the answers, which are lexical until then."""

import os
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pytest

from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.ingest import slow_vectors
from cruxe.repository import Repository, open_repository
from cruxe.store.local.lock import WriterLock
from cruxe.workspace.context import open_context
from tests.requirements import requirement
from tests.semantic.larger_models import write_stand_in
from tests.support.indexing import published
from tests.support.models import MODEL_VARIABLE, write_model
from tests.support.polyglot import metadata_of, paths_of, results_of
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of
from tests.support.waiting import wait_for

BY_MEANING = "how do people sign in with a credential"
PATH = "CRUXE_SEMANTIC_EMBEDDING_MODEL_PATH"
MANY_FILES = 14
TWO_SLICES_OF_FILES = 40

Answer = Mapping[str, object]
Serve = Callable[[str], HostedWorkspace]


@pytest.fixture
def serve() -> Generator[Serve]:
    """Serve a folder until the test ends, under the settings as they are then."""
    opened: list[HostedWorkspace] = []

    def start(root: str) -> HostedWorkspace:
        opened.append(HostedWorkspace(open_context(root), has_watcher=False))
        return opened[-1]

    yield start
    for served in opened:
        served.close()


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A larger model, named by the settings."""
    folder = write_stand_in(tmp_path / "large")
    monkeypatch.setenv(PATH, folder)
    return folder


def vectors_of(repository: Repository) -> object:
    """Whether status says that all vectors are there."""
    report = repository.index_status()["semantic"]
    assert isinstance(report, dict)
    return report["vectors"]


def wait_until_triggered(served: HostedWorkspace) -> Answer:
    """Ask until vectors have a part in the answer."""

    def answer() -> Answer:
        found = served.repository.search_code(BY_MEANING)
        return found if metadata_of(found)["semantic_triggered"] else {}

    return wait_for(answer, "an answer by meaning")


@requirement("ADVISE-CHANGE", "S003-MODEL-VERSION")
def test_a_server_makes_another_models_vectors_in_the_background(
    opened: Repository, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, write_model(tmp_path / "other", "topics-2", dimensions=128))
    served = serve(opened.root)
    before = served.repository.search_code(BY_MEANING)
    after = wait_until_triggered(served)

    assert metadata_of(before)["semantic_skipped_reason"] == "vectors_not_ready"
    assert metadata_of(before)["semantic_fallback"] is True
    assert metadata_of(before)["embedding_model_version"] is None
    assert results_of(before) == []
    assert metadata_of(after)["embedding_model_version"] == "topics-2"
    assert paths_of(after)[0] == "src/access.py"


@requirement("ADVISE-CHANGE", "ADVISE-EXTRA")
@pytest.mark.usefixtures("extra")
def test_a_server_changes_to_a_larger_model_in_the_background(
    opened: Repository, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PATH, write_stand_in(tmp_path / "large"))
    served = serve(opened.root)
    before = metadata_of(served.repository.search_code(BY_MEANING))
    after = wait_until_triggered(served)

    assert before["semantic_skipped_reason"] == "vectors_not_ready"
    assert str(metadata_of(after)["embedding_model_version"]).startswith("fastembed-")
    assert paths_of(after)[0] == "src/access.py"
    report = served.repository.health_check()["semantic"]
    assert isinstance(report, dict)
    assert report["vectors"] == "ready"


@requirement("ADVISE-SLOW")
@pytest.mark.usefixtures("extra", "large")
def test_a_server_goes_on_slice_by_slice_without_being_asked_again(
    repo: MakeRepo, serve: Serve
) -> None:
    files = (f"-- part{number}.py\nPART = {number}\n" for number in range(TWO_SLICES_OF_FILES))
    made = repo("".join(files))
    repository = serve(made.root).repository
    first = repository.sync_repo(wait_ms=60_000)

    assert first["status"] == "published"
    assert first["vectors"] == "more"
    wait_for(lambda: vectors_of(repository) == "ready", "the last vector")


@pytest.fixture
def many(repo: MakeRepo) -> Repo:
    """More files than a question waits for."""
    files = (f"-- part{number}.py\nPART = {number}\n" for number in range(MANY_FILES - 1))
    return repo("".join(files) + "-- access.py\ndef login(password):\n    return password\n")


@requirement("ADVISE-SLOW")
@pytest.mark.usefixtures("extra", "large")
def test_a_question_does_not_wait_for_many_slow_vectors(many: Repo) -> None:
    repository = open_repository(many.root)
    repository.catch_up()
    lexical = metadata_of(repository.search_code(BY_MEANING))
    left = vectors_of(repository)
    repository.sync_repo()
    made = vectors_of(repository)
    many.write("-- access.py\ndef login(password, sign):\n    return password\n")
    repository.catch_up()

    assert lexical["semantic_skipped_reason"] == "vectors_not_ready"
    assert (left, made) == ("missing", "ready")
    assert vectors_of(repository) == "ready"
    assert paths_of(repository.search_code(BY_MEANING))[0] == "access.py"


@requirement("ADVISE-SLOW")
@pytest.mark.usefixtures("extra", "large")
def test_slow_vectors_come_in_slices_between_which_others_may_write(
    many: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_vectors, "_SLICE_FILES", 5)
    repository = open_repository(many.root)
    told = told_between_locks(repository)

    assert told == [(5, 14), (10, 14), (14, 14)]
    assert vectors_of(repository) == "ready"


def told_between_locks(repository: Repository) -> list[tuple[int, int]]:
    """The progress of a sync that is told while nobody holds the store."""
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        if not WriterLock.is_held(layout_of(repository.context)):
            told.append((done, total))

    repository.sync_repo(progress=progress)
    return told


@requirement("ADVISE-SLOW")
@pytest.mark.usefixtures("extra")
def test_a_model_that_fails_for_all_of_a_slice_is_not_asked_again(
    many: Repo, large: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_vectors, "_SLICE_FILES", 5)
    Path(large, "model.onnx").write_text("no graph", encoding="utf-8")
    repository = open_repository(many.root)

    assert told_between_locks(repository) == []
    assert published(repository.sync_repo())["vectors"] == "failed"
    assert vectors_of(repository) == "missing"
    assert metadata_of(repository.search_code("part"))["indexing_status"] == "ready"


@requirement("ADVISE-SLOW")
@pytest.mark.usefixtures("extra", "large")
def test_files_are_found_before_the_first_slow_vector_is_made(
    many: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []
    embed_slice = slow_vectors._embed_slice

    def look_first(*arguments: object) -> int:
        seen.append(paths_of(open_repository(many.root).search_code("login")))
        return embed_slice(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(slow_vectors, "_embed_slice", look_first)
    open_repository(many.root).sync_repo()

    assert seen == [["access.py"]]


@requirement("ADVISE-CHANGE")
def test_vectors_of_a_model_that_went_away_are_not_used(opened: Repository, model: str) -> None:
    os.rename(model, f"{model}-elsewhere")
    gone = metadata_of(open_repository(opened.root).search_code(BY_MEANING))
    os.rename(f"{model}-elsewhere", model)
    back = metadata_of(open_repository(opened.root).search_code(BY_MEANING))

    assert gone["semantic_skipped_reason"] == "embedding_unavailable"
    assert back["embedding_model_version"] == "topics-1"
