"""Jobs beside the answers: who asked for one decides whether it goes on."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from cruxe.hosting import background_indexing
from cruxe.hosting.background_indexing import BackgroundJob, BackgroundSync
from cruxe.ingest.background_messages import Report, SyncOrder, failure_of, from_line, to_line
from cruxe.model.deadlines import CallCancelledError
from cruxe.model.errors import IndexStaleError, InternalError
from tests.requirements import requirement
from tests.support.repositories import MakeRepo, Repo
from tests.support.waiting import wait_for

LONG = 60.0


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    return repo("".join(f"-- m{number}.py\ndef f{number}(): pass\n" for number in range(300)))


@pytest.fixture
def background() -> Iterator[BackgroundSync]:
    with closing(BackgroundSync()) as made:
        yield made


def cancelled_call(background: BackgroundSync, order: SyncOrder) -> BackgroundJob:
    """A call that asks for an order and is cancelled while it waits, or after some files."""
    jobs: list[BackgroundJob] = []

    def call() -> None:
        with background.requested(order) as job:
            jobs.append(job)
            while job is background.current and not (job.files_done or job.has_ended):
                job.wait(0.01)
            raise CallCancelledError

    with pytest.raises(CallCancelledError):
        call()
    return jobs[0]


@requirement("SERVE-JOBS")
def test_a_message_that_cannot_be_read_fails_its_job_and_the_next_one_runs(
    made: Repo, background: BackgroundSync, monkeypatch: pytest.MonkeyPatch
) -> None:
    babble = "import sys; sys.stdin.readline(); print('no report', flush=True); sys.stdin.read()"

    def start() -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-c", babble]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    with monkeypatch.context() as patched:
        patched.setattr(background_indexing, "_start_process", start)
        failed = background.request(SyncOrder(made.root))
        assert failed.wait(LONG)
    after = background.request(SyncOrder(made.root))

    assert failed.error is not None
    assert failed.error.message.startswith("the indexing process sent what is no report: ")
    assert after.wait(LONG)
    assert (after.error, after.outcome is None) == (None, False)


@requirement("SERVE-JOBS")
def test_if_its_thread_dies_no_job_is_waited_for_in_vain(
    made: Repo, background: BackgroundSync, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> bool:
        raise MemoryError

    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with monkeypatch.context() as patched:
        patched.setattr(background, "_carry_out", fail)
        lost = background.request(SyncOrder(made.root))
        assert lost.wait(LONG)
    after = background.request(SyncOrder(made.root))

    assert lost.error is not None
    assert after.wait(LONG)
    assert after.error is None


def test_an_error_that_names_a_path_that_is_not_utf8_can_be_sent() -> None:
    error = InternalError(
        "bad \udce9", remedy="\udce9", data={"path": "\udce9", "all": ("\udce9",)}
    )

    line = to_line(Report(failure=failure_of(error)))

    assert from_line(line, Report).failure is not None


@requirement("JOB-CANCEL")
def test_a_job_that_waits_is_taken_back_by_the_only_call_that_asked_for_it(
    made: Repo, background: BackgroundSync
) -> None:
    first = background.request(SyncOrder(made.root))
    job = cancelled_call(background, SyncOrder(made.root, retry_failed=True))

    assert (job.has_ended, job.outcome, job.is_cancelled) == (True, None, True)
    assert first.wait(LONG)
    assert first.error is None


@requirement("JOB-CANCEL-SHARED")
def test_a_job_that_another_call_waits_for_is_finished(
    made: Repo, background: BackgroundSync
) -> None:
    background.request(SyncOrder(made.root))
    order = SyncOrder(made.root, retry_failed=True)
    with background.requested(order) as shared:
        assert cancelled_call(background, order) is shared
        assert shared.wait(LONG)

    assert (shared.error, shared.is_cancelled) == (None, False)
    assert shared.outcome is not None


@requirement("JOB-CANCEL-SHARED")
def test_a_job_that_the_watcher_asked_for_is_finished(
    made: Repo, background: BackgroundSync
) -> None:
    background.request(SyncOrder(made.root))
    order = SyncOrder(made.root, retry_failed=True)
    job = background.request(order)

    assert cancelled_call(background, order) is job
    assert job.wait(LONG)
    assert (job.error, job.is_cancelled) == (None, False)


@requirement("JOB-CANCEL-SHARED")
def test_a_job_that_takes_longer_than_its_call_goes_on(
    made: Repo, background: BackgroundSync
) -> None:
    order = SyncOrder(made.root)
    with background.requested(order) as job:
        job.wait(0.0)
    late = background.join(order)

    assert late.wait(LONG)
    assert (job.wait(LONG), job.error) == (True, None)


@requirement("JOB-CANCEL")
def test_the_process_takes_the_next_order_after_one_that_was_stopped(
    made: Repo, background: BackgroundSync
) -> None:
    order = SyncOrder(made.root)
    stopped = cancelled_call(background, order)
    process = background.process_id
    job = background.request(order)

    assert stopped.wait(LONG)
    assert job.wait(LONG)
    assert (job.error, background.process_id) == (None, process)
    assert job.outcome is not None


@pytest.mark.skipif(os.name == "nt", reason="another system kills in another way")
def test_a_killed_indexing_process_is_named_with_a_way_out(
    made: Repo, background: BackgroundSync
) -> None:
    job = background.request(SyncOrder(made.root, force=True))
    wait_for(lambda: background.process_id is not None, "the indexing process")
    process = background.process_id
    assert process is not None
    os.kill(process, signal.SIGKILL)

    assert job.wait(LONG)
    assert isinstance(job.error, IndexStaleError)
    assert job.error.remedies.in_tools == "call sync_repo: it goes on from the last checkpoint"
