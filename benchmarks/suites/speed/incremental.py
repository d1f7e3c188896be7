"""Suite: an index that follows: nothing changed, one edit, another branch, a second worktree."""

import sys
from collections.abc import Sequence
from statistics import median
from typing import Final

import msgspec

from benchmarks.harness.clones import Clone, temporary_clone
from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit, how_often, ratio
from benchmarks.harness.processes import run
from benchmarks.harness.stores import Store, temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.speed.floors.publish_one import Spent, Turn

_TIMES_STATUS: Final = 1.2
_BESIDE_STATUS_MS: Final = 100.0
_MAX_TIMES_COMMIT: Final = 3.0
_BRANCH_FILES: Final = 50
_MAX_BRANCH_SECONDS: Final = 2.0
_MAX_WORKTREE_SHARE: Final = 0.1
# A file read within two seconds of its last change is read again by the next sync.
_MAX_SETTLING_SYNCS: Final = 5
_ORDINARY_BYTES: Final = range(2_000, 20_000)
_STATUS: Final = ("git", "status", "--porcelain")


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Index a clone, then let it change in one way after another."""
    with temporary_clone(corpus.root) as clone, temporary_store(clone.root) as store:
        cold_seconds = store.run("index").cpu_seconds
        _settle(clone, store)
        figures = (
            *_nothing_changed(store, repeat),
            *_branches(clone, store, max(1, repeat // 3)),
            *_second_worktree(clone, store, cold_seconds),
            *_one_edit(store, repeat),
        )
    return Measured(figures, (f"{how_often(repeat).capitalize()}.",))


def _settle(clone: Clone, store: Store) -> None:
    clone.refresh()
    for _ in range(_MAX_SETTLING_SYNCS):
        answer = msgspec.json.decode(store.run("sync", "--json").output, type=_Synced)
        if not answer.changed_files:
            return
    raise ValueError(f"{clone.root} does not settle, so no sync of it finds nothing to do")


class _Synced(msgspec.Struct):
    changed_files: int


def _nothing_changed(store: Store, repeat: int) -> list[Figure]:
    syncs: list[float] = []
    statuses: list[float] = []
    for _ in range(repeat):
        syncs.append(store.run("sync").wall_seconds * 1000)
        status = run(_STATUS, store.environment, directory=store.root)
        statuses.append(status.wall_seconds * 1000)
    status_ms = median(statuses)
    bar = _TIMES_STATUS * status_ms + _BESIDE_STATUS_MS
    return [
        Figure("no change: wall of sync", median(syncs), Unit.MILLISECONDS, bar),
        Figure("no change: wall of git status", status_ms, Unit.MILLISECONDS),
    ]


def _branches(clone: Clone, store: Store, repeat: int) -> list[Figure]:
    walls: list[float] = []
    paths = _sources(store)[:_BRANCH_FILES]
    for number in range(repeat):
        branch = f"benchmark-{number}"
        clone.add_branch(branch, paths)
        # The first ref besides the working tree needs no more than those after it.
        walls.append(store.run("index", "--ref", branch).wall_seconds)
    what = f"branch {len(paths)} files apart: wall"
    return [Figure(what, median(walls), Unit.SECONDS, _MAX_BRANCH_SECONDS)]


def _second_worktree(clone: Clone, store: Store, cold_seconds: float) -> list[Figure]:
    second = f"{clone.root}-second"
    clone.add_worktree(second)
    seconds = store._replace(root=second).run("sync").cpu_seconds
    what, bar = "second worktree: CPU / cold index", _MAX_WORKTREE_SHARE
    return [
        Figure(what, seconds / cold_seconds, Unit.SHARE, bar),
        Figure("cold index: CPU", cold_seconds, Unit.SECONDS),
    ]


def _one_edit(store: Store, repeat: int) -> list[Figure]:
    program = [sys.executable, "-m", "benchmarks.suites.speed.floors.publish_one"]
    arguments = [store.root, _sources(store)[0], store.lexical_folder(), str(repeat)]
    output = run([*program, *arguments], store.environment).output
    turns = msgspec.json.decode(output, type=list[Turn])
    syncs = [turn.sync for turn in turns]
    figures: list[Figure] = []
    commits = {
        "small index": [turn.small_commit for turn in turns],
        "index of this size": [turn.large_commit for turn in turns],
    }
    for index, spent in commits.items():
        for what, ours, theirs in (
            ("wall", _walls(syncs), _walls(spent)),
            ("CPU", _cpus(syncs), _cpus(spent)),
        ):
            times, label = ratio(ours, theirs), f"one edit: {what} / commit, {index}"
            figures.append(Figure(label, times, Unit.TIMES, _MAX_TIMES_COMMIT))
    wall_ms, cpu_ms = median(_walls(syncs)) * 1000, median(_cpus(syncs)) * 1000
    return [
        *figures,
        Figure("one edit: wall", wall_ms, Unit.MILLISECONDS),
        Figure("one edit: CPU", cpu_ms, Unit.MILLISECONDS),
    ]


def _sources(store: Store) -> list[str]:
    """Source files of ordinary size and name, by path."""
    return [path for path, size in store.indexed_files().items() if _is_ordinary(path, size)]


def _is_ordinary(path: str, size: int) -> bool:
    is_source = path.endswith((".py", ".go", ".rs", ".java", ".ts", ".js", ".c", ".cc"))
    return is_source and path.isascii() and " " not in path and size in _ORDINARY_BYTES


def _walls(costs: Sequence[Spent]) -> list[float]:
    return [cost.wall_seconds for cost in costs]


def _cpus(costs: Sequence[Spent]) -> list[float]:
    return [cost.cpu_seconds for cost in costs]


SUITE: Final = Suite(
    name="incremental",
    about=(
        "A clone that changes. `cruxe sync` beside `git status --porcelain`; one edited file"
        " published by the Python API beside one document committed to a bare Tantivy index;"
        " `cruxe index --ref` of a branch; `cruxe sync` of a second worktree beside the cold index."
    ),
    repeat=15,
    measure=measure,
)
