"""Suite: what a server costs that nobody asks, minute after minute; `--repeat` is the minutes."""

import time
from itertools import pairwise
from typing import Final

from benchmarks.harness.clones import temporary_clone
from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.memory import memory_of
from benchmarks.harness.servers import StdioServer, cpu_seconds, resident_megabytes, serving
from benchmarks.harness.stores import temporary_store
from benchmarks.harness.suites import Suite

_MAX_MEGABYTES: Final = 100.0
_MAX_SHARE: Final = 0.001
_QUERY: Final = "where is the connection to the database opened"
_SEARCHES: Final = 20
_MINUTE: Final = 60.0
# Longer than the indexing process lingers after its last order.
_SETTLING_SECONDS: Final = 25.0
_LOOK_SECONDS: Final = 0.05


def measure(corpus: Corpus, minutes: int) -> Measured:
    """Open a corpus, ask a little, and leave the server alone."""
    with temporary_clone(corpus.root) as clone, temporary_store(clone.root) as store:
        store.run("index")
        clone.refresh()
        store.run("sync")
        with serving(store) as server:
            server.wait_until("health_check", "prewarm_status", "complete")
            wait_for_watcher(server)
            for _ in range(_SEARCHES):
                server.call("search_code", query=_QUERY)
            time.sleep(_SETTLING_SECONDS)
            figures = _idle(server, minutes)
    note = f"{minutes} minutes after {_SEARCHES} searches; the watcher is on."
    return Measured(figures, (note,))


def wait_for_watcher(server: StdioServer) -> None:
    """Ask until an answer's freshness rests on the watcher."""
    while True:
        metadata = server.call("search_code", query=_QUERY).answer["metadata"]
        if isinstance(metadata, dict) and metadata.get("freshness_basis") == "watcher":
            return
        time.sleep(_LOOK_SECONDS)


def _idle(server: StdioServer, minutes: int) -> tuple[Figure, ...]:
    looks = [cpu_seconds(server.pid)]
    for _ in range(minutes):
        time.sleep(_MINUTE)
        looks.append(cpu_seconds(server.pid))
    busiest = max(later - earlier for earlier, later in pairwise(looks))
    share = (looks[-1] - looks[0]) / (minutes * _MINUTE)
    resident, memory = resident_megabytes(server.pid), memory_of(server.pid)
    return (
        Figure("idle: CPU", share, Unit.SHARE, _MAX_SHARE),
        Figure("idle: CPU of the busiest minute", busiest / _MINUTE, Unit.SHARE),
        Figure("idle: resident", resident, Unit.MEGABYTES, _MAX_MEGABYTES),
        Figure("idle: anonymous", memory.anonymous, Unit.MEGABYTES),
    )


SUITE: Final = Suite(
    name="idle",
    about="A `cruxe serve-mcp` process with a repository open that nobody asks anything.",
    repeat=10,
    measure=measure,
)
