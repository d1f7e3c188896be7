"""A workspace in a server: warm readers, background indexing, and what they say meanwhile."""

import os
import threading
from collections.abc import Callable, Generator, Mapping

import pytest

import cruxe
from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.model.errors import (
    EngineError,
    IndexNotReadyError,
    IndexStaleError,
    ProjectNotFoundError,
    SyncInProgressError,
)
from cruxe.store.local.lock import WriterLock
from cruxe.workspace.context import open_context
from tests.requirements import requirement
from tests.support.indexing import context_of, index, published, settle
from tests.support.repositories import LAMP_AND_PORT, MakeRepo, Repo
from tests.support.stores import layout_of
from tests.support.waiting import wait_for

EDIT = "-- port.py\ndef lighthouse():\n    return 3\n"
Answer = Mapping[str, object]
Serve = Callable[[Repo], HostedWorkspace]


@pytest.fixture
def serve() -> Generator[Serve]:
    """Serve repositories until the test ends."""
    opened: list[HostedWorkspace] = []

    def start(made: Repo) -> HostedWorkspace:
        opened.append(HostedWorkspace(open_context(made.root)))
        return opened[-1]

    yield start
    for served in opened:
        served.close()


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    """A repository that is indexed."""
    written = repo(LAMP_AND_PORT)
    settle(written, "lamp.py", "port.py")
    index(context_of(written))
    return written


def names_of(answer: Answer) -> list[str]:
    results = answer["results"]
    assert isinstance(results, list)
    return [result["name"] for result in results]


def freshness_of(answer: Answer) -> object:
    metadata = answer["metadata"]
    assert isinstance(metadata, dict)
    return metadata["freshness_status"]


@requirement("FR-118")
def test_under_balanced_a_stale_index_answers_says_so_and_is_synced(
    made: Repo, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEARCH_CATCH_UP_FILES", "0")
    repository = serve(made).repository
    made.write(EDIT)

    first = repository.locate_symbol("lantern", freshness_policy="balanced")
    later = wait_for(lambda: names_of(repository.locate_symbol("lighthouse")), "the edit")

    assert (names_of(first), freshness_of(first)) == (["lantern"], "stale")
    assert later == ["lighthouse"]


@requirement("FR-118")
def test_a_tool_without_a_policy_of_its_own_has_the_configured_one(
    made: Repo, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEARCH_CATCH_UP_FILES", "0")
    repository = serve(made).repository
    made.write(EDIT)

    assert freshness_of(repository.get_file_outline("lamp.py")) == "stale"
    wait_for(lambda: freshness_of(repository.get_file_outline("lamp.py")) == "fresh", "the sync")


@requirement("FR-118", "SERVE-PYTHON")
def test_in_python_nothing_runs_beside_the_calls_unless_it_is_asked_for(
    made: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEARCH_CATCH_UP_FILES", "0")
    made.write(EDIT)
    plain, followed = cruxe.open(made.root), cruxe.open(made.root, background=True)

    try:
        alone = [plain.locate_symbol("lantern", freshness_policy="balanced") for _ in range(3)]
        untouched = plain.index_status()
        followed.locate_symbol("lantern", freshness_policy="balanced")
        wait_for(lambda: names_of(plain.locate_symbol("lighthouse")), "the edit")
    finally:
        followed.close()
        plain.close()

    assert [freshness_of(answer) for answer in alone] == ["stale"] * 3
    assert (untouched["generation"], plain.index_status()["generation"]) == (1, 2)


@requirement("FR-117", "FR-119")
@pytest.mark.parametrize("policy", ["strict", "best_effort"])
def test_other_policies_start_nothing(
    made: Repo, serve: Serve, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEARCH_CATCH_UP_FILES", "0")
    served = serve(made)
    made.write(EDIT)

    try:
        answer = served.repository.locate_symbol("lantern", freshness_policy=policy)
    except IndexStaleError:
        assert policy == "strict"
    else:
        assert freshness_of(answer) == "stale"
    assert (served.background.current, served.background.last) == (None, None)


@requirement("SERVE-AUTO-INDEX")
def test_the_first_question_waits_for_the_index_of_a_small_repository(
    repo: MakeRepo, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SERVER_CALL_DEADLINE_MS", "600000")

    answer = serve(repo(LAMP_AND_PORT)).repository.locate_symbol("harbour")

    assert (names_of(answer), freshness_of(answer)) == (["harbour"], "fresh")


@requirement("SERVE-AUTO-INDEX")
def test_without_automatic_indexing_an_unknown_workspace_is_no_project(
    repo: MakeRepo, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_INDEX_AUTO", "false")
    made = repo(LAMP_AND_PORT)

    with pytest.raises(ProjectNotFoundError) as caught:
        serve(made).repository.search_code("lantern")

    assert caught.value.data == {
        "workspace": os.path.realpath(made.root),
        "schema_status": "not_indexed",
    }


@requirement("SERVE-AUTO-INDEX")
def test_without_automatic_indexing_another_worktree_of_a_known_repository_is_not_ready(
    made: Repo, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_INDEX_AUTO", "false")
    made.branch("side")

    with pytest.raises(IndexNotReadyError):
        serve(made.worktree("side")).repository.search_code("lantern")


@requirement("SERVE-JOBS")
def test_a_sync_by_hand_is_carried_out_by_another_process_and_reports_its_progress(
    made: Repo, serve: Serve
) -> None:
    served = serve(made)
    made.write(EDIT)
    told: list[tuple[int, int]] = []

    answer = served.repository.sync_repo(
        progress=lambda done, total: told.append((done, total)), wait_ms=60_000
    )

    assert published(answer)["changed_files"] == 1
    assert set(told) == {(1, 1)}
    assert served.background.process_id not in (None, os.getpid())
    assert names_of(served.repository.locate_symbol("lighthouse")) == ["lighthouse"]


@requirement("SERVE-JOBS")
def test_a_sync_that_another_writer_holds_up_is_told_so_and_goes_on(
    made: Repo, serve: Serve
) -> None:
    served = serve(made)
    made.write(EDIT)

    with WriterLock(layout_of(served.context), 0):
        job = served.background.request(served.order(None))
        wait_for(lambda: job.is_waiting, "the job that waits")
        with pytest.raises(SyncInProgressError):
            served.repository.sync_repo(wait_ms=500)

    assert job.wait(60)
    assert job.error is None
    assert names_of(served.repository.locate_symbol("lighthouse")) == ["lighthouse"]


@requirement("SERVE-JOBS")
def test_what_goes_wrong_in_the_other_process_comes_out_as_it_was_raised(
    made: Repo, serve: Serve
) -> None:
    with pytest.raises(EngineError) as caught:
        serve(made).repository.sync_repo(ref="nowhere", wait_ms=60_000)

    assert caught.value.code == "invalid_input"


@requirement("SERVE-THREADS")
def test_many_threads_ask_while_the_index_changes(made: Repo, serve: Serve) -> None:
    repository = serve(made).repository
    failures: list[Exception] = []
    wrong: list[list[str]] = []

    def ask() -> None:
        try:
            for _ in range(15):
                names = names_of(repository.search_code("lantern", limit=1))
                if names != ["lantern"]:
                    wrong.append(names)
        except Exception as error:  # noqa: BLE001 - shown by the assertion
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(5):
        made.write(f"-- port.py\ndef harbour_{number}():\n    return 2\n")
        repository.sync_repo(wait_ms=60_000)
    for thread in threads:
        thread.join()

    assert (failures, wrong) == ([], [])


@requirement("FR-118")
def test_vectors_that_are_missing_are_made_in_the_background(
    repo: MakeRepo, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = repo(LAMP_AND_PORT)
    settle(written, "lamp.py", "port.py")
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")
    index(context_of(written))
    monkeypatch.delenv("CRUXE_SEMANTIC_MODE")
    repository = serve(written).repository

    def skipped() -> object:
        metadata = repository.search_code("how is a light given to ships")["metadata"]
        assert isinstance(metadata, dict)
        return metadata["semantic_skipped_reason"]

    assert skipped() == "vectors_not_ready"
    wait_for(lambda: skipped() != "vectors_not_ready", "the vectors")
