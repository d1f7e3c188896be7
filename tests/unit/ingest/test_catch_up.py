"""A catch-up beside another process that writes the same store."""

import threading
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.ingest.catch_up import CaughtUp, Shortfall
from cruxe.ingest.sync_options import SyncOptions
from cruxe.ingest.sync_ref import sync
from cruxe.store.open import open_store
from cruxe.workspace.context import open_context, resolve_target
from tests.requirements import requirement
from tests.support.indexing import context_of, index, settle
from tests.support.repositories import LAMP_AND_PORT, MakeRepo, Repo

_LIGHTHOUSE = "-- port.py\ndef lighthouse():\n    return 3\n"


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    """A repository that is indexed."""
    written = repo(LAMP_AND_PORT)
    settle(written, "lamp.py", "port.py")
    index(context_of(written))
    return written


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine needs longer than a fraction of a second to look at two files."""
    monkeypatch.setenv("CRUXE_SEARCH_CATCH_UP_MS", "3000")


@contextmanager
def served(made: Repo) -> Generator[HostedWorkspace]:
    """The repository as a server without a watcher has it."""
    opened = HostedWorkspace(open_context(made.root), has_watcher=False)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def published_by_another(made: Repo) -> Generator[None]:
    """Publish what has changed as another process does, and keep the lock within the block."""
    context = context_of(made)
    is_published, may_end = threading.Event(), threading.Event()

    def keep_lock(_: int) -> None:
        is_published.set()
        assert may_end.wait(60)

    options = SyncOptions(on_published=keep_lock)
    target = resolve_target(context.workspace, None)
    writer = threading.Thread(target=sync, args=(context, target, options))
    writer.start()
    assert is_published.wait(60)
    try:
        yield
    finally:
        may_end.set()
        writer.join()


@requirement("READ-YOUR-WRITES")
def test_a_call_needs_no_lock_for_what_another_process_has_published(made: Repo) -> None:
    with served(made) as workspace:
        made.write(_LIGHTHOUSE)
        with published_by_another(made):
            caught = workspace.catch_up.wait()
            answer = workspace.repository.locate_symbol("lighthouse")

    assert caught.shortfall is None
    assert [result["path"] for result in answer["results"]] == ["port.py"]
    assert answer["metadata"]["freshness_status"] == "fresh"


@requirement("READ-YOUR-WRITES-BOUND")
def test_while_another_process_writes_an_answer_is_stale_and_orders_no_other_process(
    made: Repo,
) -> None:
    with served(made) as workspace:
        made.write(_LIGHTHOUSE)
        with open_store(workspace.context.location).writer_lock(0):
            answer = workspace.repository.locate_symbol("lighthouse")
        ordered = workspace.background.current, workspace.background.last
        again = workspace.repository.locate_symbol("lighthouse")

    assert (answer["results"], answer["metadata"]["freshness_status"]) == ([], "stale")
    assert answer["metadata"]["pending_changes"] == {"files": 1, "paths": ["port.py"]}
    assert ordered == (None, None)
    assert [result["path"] for result in again["results"]] == ["port.py"]


@requirement("READ-YOUR-WRITES-BOUND")
def test_an_answer_comes_when_its_wait_is_over_however_long_the_sync_takes(
    made: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()

    def dawdle(*_: object) -> None:
        assert may_go_on.wait(60)
        raise AssertionError

    with served(made) as workspace:
        made.write(_LIGHTHOUSE)
        monkeypatch.setattr("cruxe.ingest.catch_up.sync", dawdle)
        caught = workspace.catch_up.wait()
        monkeypatch.undo()
        may_go_on.set()

    assert caught == CaughtUp(None, caught.lacking, Shortfall.LATE)
    assert caught.lacking.paths == ("port.py",)
