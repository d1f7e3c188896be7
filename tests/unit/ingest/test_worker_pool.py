"""Worker processes that hang, die or are stopped: the file pays for it, the rest does not.

A worker misbehaves by a `sitecustomize` module on its path, which Python runs before all else.
"""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from cruxe.embed.models import chosen_model
from cruxe.ingest.processing_runs import processing_plan
from cruxe.ingest.sync_options import SyncOptions
from cruxe.ingest.worker_pool import WorkerPool
from cruxe.ingest.worker_processes import Arrivals, ForkServer, WorkerProcess
from cruxe.model.errors import InternalError
from cruxe.model.source import FileStat, FileTask
from cruxe.model.stored import pack_keys
from cruxe.workspace.context import RepositoryContext
from tests.requirements import requirement
from tests.support.indexing import context_of, index, paths_of
from tests.support.processes import children_of, is_running
from tests.support.programs import SOURCE_FOLDER
from tests.support.repositories import MakeRepo, Repo
from tests.support.waiting import wait_for

FILES: Final = 30
MORE: Final = [f"n{number:03}.py" for number in range(300)]
MISBEHAVING: Final = """
import os, signal, time
from cruxe.ingest.processing import FileProcessor

process = FileProcessor.process

def misbehave(processor, task):
    if "hang" in task.path:
        time.sleep(3600)
    if "crash" in task.path:
        os.kill(os.getpid(), signal.SIGKILL)
    if "once" in task.path:
        mark = os.path.join(os.environ["HOME"], "met")
        if not os.path.exists(mark):
            open(mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
    if "loud" in task.path:
        os.write(1, b"a parser that prints")
    return process(processor, task)

FileProcessor.process = misbehave
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs signals")


@pytest.fixture
def misbehaving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers do what the names of files tell them."""
    folder = tmp_path / "custom"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(MISBEHAVING, "utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{SOURCE_FOLDER}")
    monkeypatch.setenv("CRUXE_INDEX_PARSE_TIMEOUT_MS", "3000")
    monkeypatch.setenv("CRUXE_INDEX_PARALLELISM", "2")


def repository(repo: MakeRepo, *extra: str) -> Repo:
    names = [*(f"m{number:02}.py" for number in range(FILES)), *extra]
    return repo("".join(f"-- {name}\nx = 1\n" for name in names))


def skipped(context: RepositoryContext) -> dict[str, str]:
    return {path: reason for path, reason in paths_of(context).items() if reason is not None}


@requirement("INDEX-FUSE")
@pytest.mark.usefixtures("misbehaving")
@pytest.mark.parametrize("bad", ["m00_hang.py", "m20_hang.py"])
def test_a_file_that_hangs_its_worker_is_skipped_alone(bad: str, repo: MakeRepo) -> None:
    context = context_of(repository(repo, bad))
    outcome = index(context)

    assert skipped(context) == {bad: "parse_timeout"}
    assert (outcome.changed_files, outcome.indexed_files) == (FILES + 1, FILES)
    assert children_of(os.getpid()) == []


@requirement("INDEX-FUSE")
@pytest.mark.usefixtures("misbehaving")
@pytest.mark.parametrize("bad", ["m00_crash.py", "m20_crash.py"])
def test_a_file_that_kills_its_worker_is_skipped_alone(bad: str, repo: MakeRepo) -> None:
    context = context_of(repository(repo, bad))
    outcome = index(context)

    assert skipped(context) == {bad: "parser_crashed"}
    assert outcome.indexed_files == FILES


@requirement("INDEX-FUSE")
@pytest.mark.usefixtures("misbehaving")
def test_a_worker_that_dies_by_chance_costs_no_file(repo: MakeRepo) -> None:
    context = context_of(repository(repo, "m07_once.py"))
    index(context)

    assert skipped(context) == {}


@requirement("INDEX-FUSE")
@pytest.mark.usefixtures("misbehaving")
def test_many_bad_files_are_many_skipped_files_and_no_failure(repo: MakeRepo) -> None:
    bad = [f"m{number:02}_crash.py" for number in range(0, FILES, 3)]
    context = context_of(repository(repo, *bad))
    index(context)

    assert skipped(context) == dict.fromkeys(bad, "parser_crashed")


@requirement("INDEX-FUSE")
@pytest.mark.usefixtures("misbehaving")
def test_what_a_parser_prints_disturbs_nothing(
    repo: MakeRepo, capfd: pytest.CaptureFixture[str]
) -> None:
    context = context_of(repository(repo, "m07_loud.py"))
    index(context)

    assert skipped(context) == {}
    assert capfd.readouterr().out == ""


@requirement("INDEX-FUSE")
def test_a_skipped_file_is_tried_again_by_hand_or_when_it_changes(
    repo: MakeRepo, misbehaving: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    del misbehaving
    made = repository(repo, "m07_crash.py", "m08_crash.py")
    index(context_of(made))
    monkeypatch.delenv("PYTHONPATH")
    context = context_of(made)
    index(context)
    assert skipped(context) == {
        "m07_crash.py": "parser_crashed",
        "m08_crash.py": "parser_crashed",
    }
    made.write("-- m08_crash.py\ndef g():\n    pass\n")
    index(context)
    assert skipped(context) == {"m07_crash.py": "parser_crashed"}
    index(context, options=SyncOptions(retry_failed=True))
    assert skipped(context) == {}


@requirement("INDEX-FUSE")
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
@pytest.mark.parametrize("lost", ["spawned", "forked", "fork_server"])
def test_a_process_lost_from_outside_is_replaced_and_its_files_are_done(
    lost: str, sent: signal.Signals, repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    if lost == "spawned":
        monkeypatch.setattr("cruxe.ingest.worker_pool.can_fork", lambda _: False)
    # One of the two may still be loading when it is lost.
    monkeypatch.setattr("cruxe.ingest.worker_pool._START_SECONDS", 15.0)
    context = context_of(repository(repo, *MORE))
    tasks = [FileTask(name, None, FileStat(0, 0, 0, 0)) for name in MORE]
    with closing(WorkerPool(processing_plan(context, pack_keys(())), 2, timeout_ms=5_000)) as pool:
        running = pool.run(tasks)
        outcomes = [next(running)]
        first = children_of(os.getpid())
        workers = first if len(first) > 1 else children_of(first[0])
        for process in first if lost == "fork_server" else workers:
            os.kill(process, sent)
        outcomes += running

    assert sorted(each.path for each in outcomes) == sorted(task.path for task in tasks)
    assert {each.file.skip_reason for each in outcomes} == {None}
    assert children_of(os.getpid()) == []
    assert [pid for pid in workers if is_running(pid)] == []


@requirement("INDEX-FUSE")
@pytest.mark.skipif(sys.platform != "linux", reason="workers are copies on Linux alone")
def test_a_fork_server_that_ends_before_it_has_workers_is_no_reason_to_give_up(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = context_of(repository(repo, *MORE))
    tasks = [FileTask(name, None, FileStat(0, 0, 0, 0)) for name in MORE]
    begin = ForkServer.workers

    def lose(server: ForkServer, arrivals: Arrivals) -> list[WorkerProcess]:
        for process in children_of(os.getpid()):
            os.kill(process, signal.SIGKILL)
        return begin(server, arrivals)

    monkeypatch.setattr(ForkServer, "workers", lose)
    with closing(WorkerPool(processing_plan(context, pack_keys(())), 6, timeout_ms=5_000)) as pool:
        outcomes = list(pool.run(tasks))

    assert len(outcomes) == len(tasks)
    assert {each.file.skip_reason for each in outcomes} == {None}
    assert children_of(os.getpid()) == []


@requirement("INDEX-FUSE", "SERVE-NO-ORPHAN")
@pytest.mark.usefixtures("misbehaving")
@pytest.mark.skipif(sys.platform != "linux", reason="workers are copies on Linux alone")
def test_a_worker_that_hangs_ends_with_whoever_started_it(repo: MakeRepo) -> None:
    made = repository(repo, "m00_hang.py")
    caller = subprocess.Popen(
        [sys.executable, "-m", "cruxe", "-C", made.root, "index"], stdout=subprocess.DEVNULL
    )

    def workers() -> list[int]:
        return [pid for server in children_of(caller.pid) for pid in children_of(server)]

    found = wait_for(workers, "workers")
    caller.kill()
    caller.wait()

    assert wait_for(lambda: not any(map(is_running, found)), "their end")


@requirement("INDEX-FUSE")
@pytest.mark.usefixtures("misbehaving")
def test_workers_that_load_by_themselves_are_replaced_alike(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cruxe.ingest.worker_pool.can_fork", lambda _: False)
    context = context_of(repository(repo, "m00_hang.py", "m20_crash.py", "m25_once.py"))
    index(context)

    assert skipped(context) == {"m00_hang.py": "parse_timeout", "m20_crash.py": "parser_crashed"}
    assert children_of(os.getpid()) == []


@pytest.mark.usefixtures("misbehaving")
def test_files_of_a_lost_worker_get_their_vectors_all_the_same(
    repo: MakeRepo,
) -> None:
    context = context_of(repository(repo, "m07_once.py"))
    names = sorted([*(f"m{number:02}.py" for number in range(FILES)), "m07_once.py"])
    tasks = [FileTask(name, None, FileStat(0, 0, 0, 0)) for name in names]
    model = chosen_model(context.settings.semantic)
    plan = processing_plan(context, pack_keys(()), model)
    with closing(WorkerPool(plan, 1, timeout_ms=20_000)) as pool:
        outcomes = list(pool.run(tasks))

    assert sorted(each.path for each in outcomes) == names
    vectors = [each.record and each.record.vectors for each in outcomes]
    # One for the chunk and one for the docs.
    assert {len(each.rows) if each else 0 for each in vectors} == {2 * model.dimensions}


def test_workers_that_cannot_start_are_told_apart_from_bad_files(
    repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "custom"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import os\nos._exit(3)\n", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    context = context_of(repository(repo))

    with pytest.raises(InternalError) as caught:
        index(context)
    assert "doctor" in caught.value.remedy
    assert children_of(os.getpid()) == []


def test_an_abandoned_run_leaves_no_process_behind(repo: MakeRepo) -> None:
    context = context_of(repository(repo))

    def stop(done: int, total: int) -> None:
        del done, total
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index(context, options=SyncOptions(progress=stop))
    assert children_of(os.getpid()) == []
    assert index(context).indexed_files == FILES
