"""Suite: what a freshness policy and an explanation add to an answer, asked in turns in one run.

The repository is opened with `background`, so it answers as a server does: its readers stay open, a
watcher looks after the tree, and a stale one is indexed by another process meanwhile. CPU time, not
wall time: the machine may be busy, and an answer waits for nothing. A check without a watcher may
wait for git, whose CPU time counts too.
"""

import os
import resource
import time
from typing import TYPE_CHECKING, Final, NamedTuple

import cruxe
from benchmarks.harness.clones import temporary_clone
from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.stores import Store, temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.speed.questions import QUESTIONS
from benchmarks.suites.speed.search_latency import LATE, MIDDLE, percentile, times_over
from cruxe.freshness.budgeted_check import BudgetedCheck, TreeSweep
from cruxe.freshness.check import FreshnessCheck, FullCheck
from cruxe.hosting.warm_readers import WarmReaders
from cruxe.repository import Repository
from cruxe.serve.dispatch import encode
from cruxe.store.open import open_store
from cruxe.workspace.context import open_context, resolve_target

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_FRESHNESS_MS: Final = 5.0  # SC-106
_MAX_BASIC: Final = 1.1  # SC-107
_LEVELS: Final = ("off", "basic", "full")
_POLICIES: Final = ("balanced", "best_effort")
_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"
_LOOK_SECONDS: Final = 0.02
# Stamps of files that were written later than this before they were indexed are not trusted.
_TRUSTED_SECONDS: Final = 2.1
_CHECKS: Final = 40
_EDITED_SUFFIX: Final = ".py"
_NEW_FILE: Final = "added_by_benchmark.py"

Times = dict[str, list[float]]


class _Tree(NamedTuple):
    """A working tree with a file to edit."""

    root: str
    edited: str  # its full path

    def change(self, number: int) -> None:
        """Edit a file that is known and add one that is not."""
        with open(self.edited, "a", encoding="utf-8") as file:
            file.write(f"# edited {number}\n")
        with open(os.path.join(self.root, f"{number}_{_NEW_FILE}"), "w", encoding="utf-8") as file:
            file.write(f"def added_by_benchmark_{number}():\n    return {number}\n")


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Ask all questions at every level, and then before and after edits."""
    with temporary_clone(corpus.root) as clone, temporary_store(clone.root) as store:
        store.run("index")
        clone.refresh()
        time.sleep(_TRUSTED_SECONDS)
        store.run("sync")
        os.environ[_DATA_DIR] = store.data_folder
        tree = _tree(store)
        figures = _unwatched(tree)
        repository = cruxe.open(clone.root, background=True)
        try:
            figures += _levels(repository, repeat)
            figures += _staleness(repository, tree, repeat)
        finally:
            repository.close()
    note = (
        f"{len(QUESTIONS)} questions, {repeat} times at every level; {repeat} times an edit and a"
        f" new file, and questions until they are indexed; {_CHECKS} checks without a watcher."
    )
    return Measured(tuple(figures), (note,))


def _tree(store: Store) -> _Tree:
    """The tree of a store, with a file from the middle of it to edit."""
    paths = sorted(path for path in store.indexed_files() if path.endswith(_EDITED_SUFFIX))
    return _Tree(store.root, os.path.join(store.root, paths[len(paths) // 2]))


def _levels(repository: Repository, repeat: int) -> list[Figure]:
    """Every question at one level after the other, each level first in its turn."""
    times: Times = {level: [] for level in _LEVELS}
    _wait_until_fresh(repository)
    for turn in range(-1, repeat):  # the first fills the caches
        for question in QUESTIONS:
            for place in range(len(_LEVELS)):
                level = _LEVELS[(turn + place) % len(_LEVELS)]
                started = time.process_time()
                encode(repository.search_code(question, ranking_explain_level=level))
                if turn >= 0:
                    times[level].append((time.process_time() - started) * 1000)
    off, basic, full = times["off"], times["basic"], times["full"]
    return [
        Figure("explanation off: p95", percentile(off, LATE), Unit.MILLISECONDS),
        times_over("explanation basic / off: p50", basic, off, MIDDLE, None),
        times_over("explanation basic / off: p95", basic, off, LATE, _MAX_BASIC),
        times_over("explanation full / off: p95", full, off, LATE, None),
    ]


def _staleness(repository: Repository, tree: _Tree, repeat: int) -> list[Figure]:
    """All questions of a fresh tree, then of a stale one under each policy in turn."""
    fresh: list[float] = []
    stale: Times = {policy: [] for policy in _POLICIES}
    by_clock: Times = {"fresh": [], "stale": []}
    for turn in range(repeat):
        _wait_until_fresh(repository)
        for question in QUESTIONS:
            asked = _ask(repository, question)
            fresh.append(asked.milliseconds)
            by_clock["fresh"].append(asked.wall_ms)
        tree.change(turn)
        for number in range(len(QUESTIONS) * len(_POLICIES)):
            policy = _POLICIES[(turn + number) % len(_POLICIES)]
            asked = _ask(repository, QUESTIONS[number // len(_POLICIES)], policy)
            if asked.is_stale:
                stale[policy].append(asked.milliseconds)
                by_clock["stale"].append(asked.wall_ms)
    late = {policy: percentile(times, LATE) for policy, times in stale.items()}
    added = late["balanced"] - percentile(fresh, LATE)
    return [
        Figure("fresh, balanced: p95", percentile(fresh, LATE), Unit.MILLISECONDS),
        Figure("stale, best_effort: p95", late["best_effort"], Unit.MILLISECONDS),
        Figure("stale, balanced: p95", late["balanced"], Unit.MILLISECONDS),
        *(
            Figure(f"{state}, by the clock: p95", percentile(times, LATE), Unit.MILLISECONDS)
            for state, times in by_clock.items()
        ),
        Figure("stale answers, balanced", len(stale["balanced"]), Unit.COUNT),
        Figure("stale - fresh, balanced: p95", added, Unit.MILLISECONDS, _MAX_FRESHNESS_MS),
    ]


def _unwatched(tree: _Tree) -> list[Figure]:
    """What a check takes by itself where no watcher vouches: a server's, and one of all files."""
    context = open_context(tree.root)
    target = resolve_target(context.workspace, None)
    readers = WarmReaders(open_store(context.location))
    sweep = TreeSweep()
    checks: dict[str, Callable[[], FreshnessCheck]] = {
        "check without a watcher": lambda: BudgetedCheck(context, target, sweep),
        "check of all files": lambda: FullCheck(context, target),
    }
    bars = {"check without a watcher": _MAX_FRESHNESS_MS}
    figures: list[Figure] = []
    for state in ("fresh", "edited"):
        for name, make in checks.items():
            times = [_timed_check(make(), readers) for _ in range(_CHECKS)]
            late = percentile(times, LATE)
            figures.append(Figure(f"{name}, {state}: p95", late, Unit.MILLISECONDS, bars.get(name)))
        tree.change(-1)
    readers.close()
    return figures


def _timed_check(check: FreshnessCheck, readers: WarmReaders) -> float:
    with readers.open() as snapshot:
        started = _cpu_with_children()
        check.is_fresh(snapshot)
        return (_cpu_with_children() - started) * 1000


def _cpu_with_children() -> float:
    """The seconds of CPU time of this process and of those that it has waited for."""
    waited_for = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + waited_for.ru_utime + waited_for.ru_stime


class _Asked(NamedTuple):
    milliseconds: float  # of CPU, in the thread that asked
    wall_ms: float
    is_stale: bool


def _ask(repository: Repository, question: str, policy: str = "balanced") -> _Asked:
    started, clock = time.thread_time(), time.perf_counter()
    answer = repository.search_code(question, freshness_policy=policy)
    encode(answer)
    took = (time.thread_time() - started) * 1000, (time.perf_counter() - clock) * 1000
    metadata = answer["metadata"]
    assert isinstance(metadata, dict)
    return _Asked(*took, metadata["freshness_status"] != "fresh")


def _wait_until_fresh(repository: Repository) -> None:
    """Ask until nothing is being indexed and the watcher vouches for the tree."""
    while True:
        metadata = repository.search_code(QUESTIONS[0])["metadata"]
        assert isinstance(metadata, dict)
        said = metadata["freshness_status"], metadata["freshness_basis"]
        if said == ("fresh", "watcher"):
            return
        time.sleep(_LOOK_SECONDS)


SUITE: Final = Suite(
    name="policies",
    about=(
        "What `balanced` costs with a stale tree (SC-106) and what an explanation costs (SC-107):"
        " a repository open as in a server, asked in turns. A tree is stale from an edit and a new"
        " file until the watcher has had them indexed."
    ),
    repeat=20,
    measure=measure,
)
