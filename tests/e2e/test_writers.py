"""Writers: one at a time, the next one waits or is told, a dead one is in nobody's way."""

import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

import pytest

from cruxe.ingest.collect import collect
from cruxe.ingest.sync_options import SyncOptions
from cruxe.model.errors import IndexInProgressError
from tests.requirements import requirement
from tests.support.command import run_cruxe
from tests.support.indexing import context_of, index, paths_of, store_content
from tests.support.programs import start_program
from tests.support.repositories import MakeRepo, Repo

HOLDER: Final = """
    import sys
    from cruxe.store.open import open_store
    from cruxe.workspace.context import open_context

    with open_store(open_context(sys.argv[1]).location).writer_lock(0):
        print("held", flush=True)
        sys.stdin.read()
"""
SYNC: Final = """
    import sys
    import cruxe
    print(cruxe.open(sys.argv[1]).sync_repo()["status"])
"""
FILES: Final = "-- a.py\ndef one():\n    pass\n"


@contextmanager
def lock_held(made: Repo) -> Iterator[subprocess.Popen[str]]:
    """Another process holds the writer's lock until the block ends it."""
    with start_program(HOLDER, made.root) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder
        holder.kill()


@requirement("STORE-WRITER-LOCK")
def test_a_second_writer_is_told_that_indexing_is_in_progress(repo: MakeRepo) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    made.write("-- b.py\nx = 1\n")
    with lock_held(made):
        for attempt in (
            lambda: index(context, options=SyncOptions(wait_ms=20)),
            lambda: index(context, "HEAD", options=SyncOptions(wait_ms=20)),
            lambda: collect(context, wait_ms=20),
        ):
            with pytest.raises(IndexInProgressError) as caught:
                attempt()
            assert caught.value.message == "another process is writing this repository's index"
        assert paths_of(context) == {"a.py": None}


@requirement("READ-WHILE-WRITING")
def test_a_question_is_answered_from_what_is_published_while_another_process_writes(
    repo: MakeRepo,
) -> None:
    made = repo(FILES)
    index(context_of(made))
    made.write("-- b.py\ndef two():\n    pass\n")
    with lock_held(made):
        told = run_cruxe(made.root, "locate", "one", "--json")
        shown = run_cruxe(made.root, "locate", "one")
    after = run_cruxe(made.root, "locate", "two", "--json")

    metadata = told.answer["metadata"]
    assert isinstance(metadata, dict)
    problem = "the index is not up to date: another process is writing this repository's index"
    assert (told.code, shown.code) == (0, 0)
    assert [metadata[key] for key in ("freshness_status", "indexing_status", "warnings")] == [
        "syncing",
        "indexing",
        [problem],
    ]
    assert metadata["pending_changes"] == {"files": 1, "paths": ["b.py"]}
    assert shown.stdout.startswith("a.py:1")
    assert problem in shown.stderr
    assert "warnings" not in str(after.answer["metadata"])
    assert '"fresh"' in after.stdout


@requirement("STORE-WRITER-LOCK")
def test_a_second_writer_waits_for_the_first(repo: MakeRepo) -> None:
    made = repo(FILES)
    context = context_of(made)
    with ThreadPoolExecutor(1) as thread:
        with lock_held(made):
            waiting = thread.submit(index, context)
            with pytest.raises(TimeoutError):
                waiting.result(timeout=0.3)
        assert waiting.result().indexed_files == 1


@requirement("STORE-WRITER-LOCK")
def test_a_dead_writer_blocks_nobody(repo: MakeRepo) -> None:
    made = repo(FILES)
    with lock_held(made) as holder:
        holder.kill()
        holder.wait()
        outcome = index(context_of(made), options=SyncOptions(wait_ms=0))

    assert outcome.indexed_files == 1


@requirement("STORE-WRITER-LOCK")
def test_nothing_is_locked_where_nothing_has_changed(repo: MakeRepo) -> None:
    made = repo(FILES)
    os.utime(made.path("a.py"), ns=(10**18, 10**18))
    context = context_of(made)
    index(context)
    with lock_held(made):
        assert index(context, options=SyncOptions(wait_ms=0)).changed_files == 0


@requirement("STORE-WRITER-LOCK", "INDEX-WORKTREES")
def test_writers_of_several_worktrees_take_turns(repo: MakeRepo) -> None:
    made = repo("".join(f"-- m{number}.py\nx = {number}\n" for number in range(20)))
    made.branch("topic")
    beside = made.worktree("topic")
    made.write("-- here.py\nx = 1\n")
    beside.write("-- there.py\nx = 1\n")
    started = [start_program(SYNC, tree.root) for tree in (made, beside, made, beside)]
    ended = [program.communicate() for program in started]

    assert ended == [("published\n", "")] * 4
    assert set(paths_of(context_of(made))) - set(paths_of(context_of(beside))) == {"here.py"}
    assert set(paths_of(context_of(beside))) - set(paths_of(context_of(made))) == {"there.py"}
    assert len(store_content(context_of(made)).file_versions) == 22
