"""What a run holds in memory depends on what is under way, not on the size of the repository."""

from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest

from cruxe.ingest.processing_runs import processing_plan
from cruxe.ingest.worker_pool import WorkerPool
from cruxe.model.source import FileStat, FileTask
from cruxe.model.stored import pack_keys
from cruxe.repository import open_repository
from cruxe.store.local import writer
from tests.requirements import requirement
from tests.support.indexing import context_of
from tests.support.repositories import MakeRepo

WORKERS: Final = 2
BATCH_FILES: Final = 24
FILES: Final = 300


@requirement("INDEX-BOUNDED")
def test_work_is_drawn_as_it_is_done(repo: MakeRepo) -> None:
    context = context_of(repo("-- a.py\nx = 1\n"))
    drawn = 0

    def tasks() -> Iterator[FileTask]:
        nonlocal drawn
        for _ in range(FILES):
            drawn += 1
            yield FileTask("a.py", None, FileStat(0, 0, 0, 0))

    plan = processing_plan(context, pack_keys(()))
    with closing(WorkerPool(plan, WORKERS, timeout_ms=60_000)) as pool:
        ahead = [drawn - done for done, _ in enumerate(pool.run(tasks()), start=1)]

    assert len(ahead) == FILES
    assert max(ahead) <= WORKERS * BATCH_FILES


@requirement("INDEX-BOUNDED", "INDEX-JOBS")
def test_what_was_parsed_is_written_once_it_weighs_enough(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "CHECKPOINT_BYTES", 1000)
    made = repo("".join(f"-- m{each}.py\nx = '{'a' * 200}'\n" for each in range(40)))
    repository = open_repository(made.root)
    unwritten = []

    def look(done: int, total: int) -> None:
        job = repository.index_status()["active_job"]
        assert isinstance(job, dict)
        assert (job["files_total"], total) == (40, 40)
        unwritten.append(done - job["files_indexed"])

    repository.sync_repo(progress=look)

    # Five files of 207 bytes reach a thousand.
    assert len(unwritten) == 40
    assert max(unwritten) == 4
