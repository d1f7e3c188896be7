"""Jobs: readers see what is being written, how far it is, and how it ended."""

from contextlib import closing

from cruxe.model.jobs import JobMode
from cruxe.store.api import Store
from tests.support.records import WORKTREE, add_all, key_of, map_of

TEXTS = {"lamp.py": "def lamp():\n    pass\n", "tide.py": "def tide():\n    pass\n"}
Job = tuple[str, str, str, int, int, int, str | None]


def jobs(store: Store, limit: int = 9) -> list[Job]:
    with store.snapshot() as snapshot:
        return [
            (
                job.ref,
                job.mode,
                job.status,
                job.files_total,
                job.files_indexed,
                job.symbols_extracted,
                job.error_message,
            )
            for job in snapshot.recent_jobs(limit)
        ]


def test_a_job_runs_until_its_publication(backend: Store) -> None:
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.start_job(WORKTREE.name, JobMode.FULL, 2)
        assert jobs(backend) == [(WORKTREE.name, "full", "running", 2, 0, 0, None)]
        add_all(writer, TEXTS)
        writer.tell_progress()
        writer.publish(WORKTREE, map_of(TEXTS))

    assert jobs(backend) == [(WORKTREE.name, "full", "published", 2, 2, 2, None)]


def test_a_small_edit_is_among_the_jobs_once_it_is_published(backend: Store) -> None:
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.start_job(WORKTREE.name, JobMode.INCREMENTAL, 1)
        writer.publish(WORKTREE, {})

    assert jobs(backend) == [(WORKTREE.name, "incremental", "published", 1, 0, 0, None)]


def test_a_job_that_fails_says_why(backend: Store) -> None:
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.start_job(WORKTREE.name, JobMode.FULL, 2)
        writer.fail_job("no room")
        writer.fail_job("nothing was announced since")

    assert jobs(backend) == [(WORKTREE.name, "full", "failed", 2, 0, 0, "no room")]


def test_an_interrupted_job_keeps_what_it_has_added(backend: Store) -> None:
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.start_job(WORKTREE.name, JobMode.FULL, 2)
        add_all(writer, TEXTS)
        writer.interrupt_job()

    assert jobs(backend) == [(WORKTREE.name, "full", "interrupted", 2, 2, 2, None)]
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        assert all(key_of(*each) in writer.versions for each in TEXTS.items())
        assert writer.find_ref(WORKTREE.name) is None
        writer.publish(WORKTREE, map_of(TEXTS))
    with backend.snapshot() as snapshot:
        assert set(snapshot.symbols_named(["lamp", "tide"])) == {"lamp", "tide"}


def test_a_job_whose_writer_is_gone_counts_as_interrupted(backend: Store) -> None:
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.start_job(WORKTREE.name, JobMode.FULL, 2)
    with backend.writer_lock(0):
        backend.open_writer().close()

    assert [job[2] for job in jobs(backend)] == ["interrupted"]


def test_the_latest_jobs_come_first(backend: Store) -> None:
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        for number in range(4):
            writer.start_job(f"ref{number}", JobMode.FULL, 0)
            writer.fail_job("stopped")

    assert [job[0] for job in jobs(backend, 3)] == ["ref3", "ref2", "ref1"]
