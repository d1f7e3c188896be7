"""Suite: what the freshness check and the explanation add to a search of a warm server.

Levels are asked in turns, and the least of all rounds counts for a question: what else the machine
does only ever adds.
"""

import os
import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.stores import temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.questions import QUESTIONS
from benchmarks.search_latency import LATE, percentile
from cruxe.engine.attended import AttendedCheck
from cruxe.engine.context import open_context
from cruxe.engine.freshness import FreshnessCheck
from cruxe.engine.served import Served
from cruxe.engine.targets import resolve_target

_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"
_MAX_CHECK_MS: Final = 5.0  # SC-106
_MAX_EXPLAINED: Final = 1.1  # SC-107
_LEVELS: Final = ("off", "basic")
_LOOK_SECONDS: Final = 0.05


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Ask every question so often, of a process that watches the corpus."""
    with temporary_store(corpus.root) as store:
        store.run("index")
        os.environ[_DATA_DIR] = store.data_folder
        with closing(Served(open_context(corpus.root))) as served:
            _wait_for_watcher(served)
            searches = _search(served, repeat)
            watched, compared = _check(served, repeat)
    off, basic = (percentile(searches[level], LATE) for level in _LEVELS)
    figures = (
        Figure("search at off: p95", off, Unit.MILLISECONDS),
        Figure("search at basic: p95", basic, Unit.MILLISECONDS),
        Figure("search, basic / off: p95", basic / off, Unit.TIMES, _MAX_EXPLAINED),
        Figure("check by the watcher: p95", watched, Unit.MILLISECONDS, _MAX_CHECK_MS),
        Figure("check by every file's stamps: p95", compared, Unit.MILLISECONDS),
    )
    return Measured(figures, (f"{len(QUESTIONS)} questions, {repeat} times each.",))


def _wait_for_watcher(served: Served) -> None:
    """Ask until an answer's freshness rests on the watcher."""
    served.watch()
    while True:
        metadata = served.repository.search_code(QUESTIONS[0])["metadata"]
        if isinstance(metadata, dict) and metadata.get("freshness_basis") == "watcher":
            return
        time.sleep(_LOOK_SECONDS)


def _search(served: Served, repeat: int) -> dict[str, list[float]]:
    """The least milliseconds of every question at every level."""
    least = {level: dict.fromkeys(QUESTIONS, float("inf")) for level in _LEVELS}
    ask = served.repository.search_code
    for _ in range(repeat):
        for query in QUESTIONS:
            for level, times in least.items():
                took = _milliseconds(lambda: ask(query, ranking_explain_level=level))  # noqa: B023
                times[query] = min(times[query], took)
    return {level: [*times.values()] for level, times in least.items()}


def _check(served: Served, repeat: int) -> tuple[float, float]:
    """What it takes to know that the index is fresh: with a watcher, and by a look at all files."""
    context = served.context
    target = resolve_target(context.workspace, None)
    watched: list[float] = []
    compared: list[float] = []
    with served.readers.open() as snapshot:
        for _ in range(repeat * len(QUESTIONS)):
            attended = AttendedCheck(context, target, served.watching)
            watched.append(_milliseconds(lambda: attended.is_fresh(snapshot)))  # noqa: B023
            plain = FreshnessCheck(context, target)
            compared.append(_milliseconds(lambda: plain.is_fresh(snapshot)))  # noqa: B023
    return percentile(watched, LATE), percentile(compared, LATE)


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


SUITE: Final = Suite(
    name="overheads",
    about=(
        "What the freshness check (SC-106) and the explanation at `basic` (SC-107) add to a search"
        " of a process that stays open and watches the working tree. Wall time."
    ),
    repeat=20,
    measure=measure,
)
