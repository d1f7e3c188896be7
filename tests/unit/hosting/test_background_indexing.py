"""Jobs beside the answers: who asked for one decides whether it goes on."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from cruxe.hosting.background_indexing import BackgroundJob, BackgroundSync
from cruxe.ingest.background_messages import SyncOrder
from cruxe.model.deadlines import CallCancelledError
from tests.requirements import requirement
from tests.support.repositories import MakeRepo, Repo

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
