"""Suite: what vectors cost: CPU of the index, time of a question, memory."""

import statistics
import sys
from typing import Final

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.processes import run
from benchmarks.harness.stores import Store, temporary_store
from benchmarks.harness.suites import Suite

_MAX_INDEX_SHARE: Final = 0.30
_MAX_FIRST_MS: Final = 150.0
_MAX_LATER_MS: Final = 10.0
_MAX_MEMORY_MB: Final = 60.0
_MEGABYTE: Final = 1_000_000
_QUESTIONS: Final = (
    "where are requests turned away when there are too many",
    "how is a value checked before it is saved",
    "what happens when the connection is lost",
    "how are settings read from the environment",
    "which part decides what a user may see",
    "how is text escaped before it is shown",
)
# Run in a process of its own: the first question with its imports, then all of them as a server
# answers, five times to warm it up and thirty times more, and its memory.
_ASK: Final = """
import json, resource, sys, time
import cruxe
def timed(repository, query):
    started = time.perf_counter()
    repository.search_code(query, freshness_policy="best_effort")
    return (time.perf_counter() - started) * 1000
root, *queries = sys.argv[1:]
first = timed(cruxe.open(root), queries[0])
served = cruxe.open(root, background=True)
later = [timed(served, query) for query in queries * 35][len(queries) * 5:]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
served.close()
print(json.dumps({"first": first, "later": later, "peak": peak}))
"""


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Index and ask with vectors and without, in turns."""
    found = {"off": _Costs(), "hybrid": _Costs()}
    for _ in range(repeat):
        for mode, costs in found.items():
            with temporary_store(corpus.root, mode) as store:
                costs.add(store)
    off, hybrid = found["off"], found["hybrid"]
    added = statistics.median(hybrid.index) / statistics.median(off.index) - 1
    first = statistics.median(hybrid.first) - statistics.median(off.first)
    later = _p95(hybrid.later) - _p95(off.later)
    memory = (max(hybrid.peak) - max(off.peak)) / _MEGABYTE
    return Measured(
        (
            Figure("index CPU added", added, Unit.SHARE, bar=_MAX_INDEX_SHARE),
            Figure("first question added", first, Unit.MILLISECONDS, bar=_MAX_FIRST_MS),
            Figure("question p95 added", later, Unit.MILLISECONDS, bar=_MAX_LATER_MS),
            Figure("memory added", memory, Unit.MEGABYTES, bar=_MAX_MEMORY_MB),
            Figure("question p95, hybrid", _p95(hybrid.later), Unit.MILLISECONDS),
        )
    )


class _Costs:
    """What one mode cost, run by run."""

    def __init__(self) -> None:
        self.index: list[float] = []
        self.first: list[float] = []
        self.later: list[float] = []
        self.peak: list[float] = []

    def add(self, store: Store) -> None:
        """Index a store and ask it."""
        import json

        self.index.append(store.run("index").cpu_seconds)
        asked = run([sys.executable, "-c", _ASK, store.root, *_QUESTIONS], store.environment)
        told = json.loads(asked.output)
        self.first.append(told["first"])
        self.later += told["later"]
        self.peak.append(told["peak"])


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


SUITE: Final = Suite(
    name="semantic_cost",
    about=(
        "What vectors add: to the CPU of an index, to the first question of a process, to the 95th"
        " percentile of later ones, and to its memory; with vectors and without, in turns."
    ),
    repeat=3,
    measure=measure,
)
