"""A writer killed at any moment: what was published answers, and the next run makes good."""

import os
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from cruxe.repository import Repository
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext
from tests.requirements import requirement
from tests.support.indexing import (
    Question,
    collect_now,
    context_of,
    index,
    ranked_hits,
    settle,
    store_content,
)
from tests.support.processes import HAS_PROC, left_behind
from tests.support.programs import start_program
from tests.support.repositories import Repo, write_repo
from tests.support.stores import layout_of

FILES: Final = 300
LONG: Final = 1_000  # kills, of all tasks together
# Small checkpoints, so that a run of a second has many moments at which it may be cut.
PROGRAM: Final = """
    import os, sys
    task, root, os.environ["CRUXE_STORAGE_DATA_DIR"] = sys.argv[1:]
    from cruxe.store.local import writer
    writer.CHECKPOINT_BYTES = 8000
    import cruxe
    repository = cruxe.open(root)
    if task == "collect":
        repository.collect()
    else:
        repository.sync_repo(force=task == "force")
"""
TASKS: Final = ("sync", "force", "collect")
QUESTIONS: Final = [
    Question("name", ("handl",)),
    Question("text", ("payload", "second")),
    Question("head", ("m12", "12")),
]

pytestmark = pytest.mark.skipif(not HAS_PROC, reason="looks for orphans in /proc")


class Scene(NamedTuple):
    """A repository that has changed, the stores from before and after, and the right answer."""

    made: Repo
    stores: dict[str, str]  # of each task: the data directory that it starts from
    expected: RepositoryContext
    folder: str


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """Index a first state, change most files, and index the second state elsewhere."""
    folder = os.fspath(tmp_path)
    made = write_repo(os.path.join(folder, "repo"), _sources("first", FILES // 10))
    before, after = os.path.join(folder, "before"), os.path.join(folder, "after")
    index(context_of(made, before))
    made.write(_sources("second", FILES))
    settle(made, *(f"m{number}.py" for number in range(FILES)))
    shutil.copytree(before, after)
    index(context_of(made, after))
    expected = context_of(made, os.path.join(folder, "expected"))
    index(expected)
    return Scene(made, {"sync": before, "force": after, "collect": after}, expected, folder)


@requirement("STORE-CRASH", "STORE-PUBLISH", "INDEX-RESUME")
@pytest.mark.parametrize("task", TASKS)
def test_a_killed_writer_leaves_the_last_generation_and_the_next_run_makes_good(
    task: str, scene: Scene, home: str
) -> None:
    for moment in _moments(task, scene, 5 if task == "sync" else 2):
        _kill_and_recover(task, moment, scene, home)


@pytest.mark.long
@pytest.mark.parametrize("task", TASKS)
def test_a_writer_killed_a_thousand_times_never_loses_anything(
    task: str, scene: Scene, home: str
) -> None:
    for moment in _moments(task, scene, LONG // len(TASKS) + 1):
        _kill_and_recover(task, moment, scene, home)


def _moments(task: str, scene: Scene, count: int) -> Iterator[float]:
    """Moments from the start to the end of a run that nobody disturbs, and a little beyond."""
    started = time.monotonic()
    with closing(_Run(task, scene)) as run:
        assert run.end() == 0
    duration = time.monotonic() - started
    chance = random.Random(f"{task} {count}")  # noqa: S311
    return (duration * chance.uniform(0.1, 1.05) for _ in range(count))


def _kill_and_recover(task: str, moment: float, scene: Scene, home: str) -> None:
    with closing(_Run(task, scene)) as run:
        run.kill_after(moment)
        assert left_behind(home) == []
        _check_reader(run.context)
        index(run.context)
        _check_reader(run.context, only="second")
        collect_now(run.context)

        assert store_content(run.context) == store_content(scene.expected)
        assert ranked_hits(run.context, QUESTIONS) == ranked_hits(scene.expected, QUESTIONS)
        jobs = Repository(run.context).index_status()["recent_jobs"]
        assert isinstance(jobs, list)
        assert {job["status"] for job in jobs} <= {"published", "interrupted"}
        assert set(os.listdir(layout_of(run.context).folder)) <= {
            *("CURRENT", "writer.lock", "s-1", "s-2"),
        }


def _check_reader(context: RepositoryContext, only: str | None = None) -> None:
    """All that is stored is of the first state, or all is of the second."""
    results = Repository(context).locate_symbol("handler", limit=100)
    # Not by its outline, which is that of the file as it is now.
    with open_snapshot(layout_of(context)) as snapshot:
        (ref,) = snapshot.list_refs()
        first, *_ = snapshot.outline_rows(ref.ref_id, "m3.py", top_only=True)
    states = {"first": (FILES // 10, 1), "second": (FILES, 4)}
    found = (results["total_candidates"], first.line_start)
    assert found in ([states[only]] if only else states.values())


class _Run:
    """One run of the program on its own copy of a store."""

    def __init__(self, task: str, scene: Scene) -> None:
        self._data_dir = os.path.join(scene.folder, "run")
        shutil.copytree(scene.stores[task], self._data_dir)
        self.context = context_of(scene.made, self._data_dir)
        self._program = start_program(PROGRAM, task, scene.made.root, self._data_dir)

    def end(self) -> int:
        _, complaints = self._program.communicate()
        assert complaints == ""
        return self._program.returncode

    def kill_after(self, seconds: float) -> None:
        try:
            self._program.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.communicate()

    def close(self) -> None:
        shutil.rmtree(self._data_dir)


def _sources(state: str, count: int) -> str:
    head = "" if state == "first" else "# moved\n# down\n\n"
    return "".join(
        f"-- m{number}.py\n{head}def handler(payload):\n    {state} = {number}\n"
        f"    return payload + {state}\n\n\nclass Box{number}:\n    size = {number}\n"
        for number in range(count)
    )
