"""Suite: a server that stays open: first question, warm questions, health and edits."""

import os
import time
from statistics import median, quantiles
from typing import Final

from benchmarks.harness.clones import Clone, temporary_clone
from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.servers import StdioServer, serving
from benchmarks.harness.stores import Store, temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.speed.idle import wait_for_watcher

_MAX_OUTLINE_MS: Final = 50.0  # SC-103
_MAX_FIRST_MS: Final = 500.0  # SC-104
_MAX_HEALTH_MS: Final = 10.0  # SC-105
_MAX_SAVE_SECONDS: Final = 2.0
_MAX_SYMBOLS: Final = 200  # of the files that SC-103 speaks of
_OUTLINED_FILES: Final = 40
_HEALTH_CALLS: Final = 100
_SEARCHES: Final = 50
_QUERY: Final = "where is the connection to the database opened"
_LOOK_SECONDS: Final = 0.01


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Index a clone and serve it."""
    with temporary_clone(corpus.root) as clone, temporary_store(clone.root) as store:
        store.run("index")
        clone.refresh()
        store.run("sync")
        figures = [*_starts(store, repeat)]
        with serving(store) as server:
            server.wait_until("health_check", "prewarm_status", "complete")
            wait_for_watcher(server)
            figures += _warm(server, store)
            figures += _saves(server, clone, repeat)
    note = (
        f"First questions and saves {repeat} times each; {_HEALTH_CALLS} health checks,"
        f" {_OUTLINED_FILES} outlines, {_SEARCHES} searches."
    )
    return Measured(tuple(figures), (note,))


def _starts(store: Store, repeat: int) -> list[Figure]:
    """Start again and again: hello, the list of tools while warming up, the first question."""
    hello: list[float] = []
    tools: list[float] = []
    at_once: list[float] = []
    warmed: list[float] = []
    warming: list[float] = []
    for _ in range(repeat):
        with serving(store) as server:
            hello.append(server.hello_ms)
            tools.append(server.request("tools/list", {}).milliseconds)
            at_once.append(server.call("search_code", query=_QUERY).milliseconds)
        with serving(store) as server:
            took = server.wait_until("health_check", "prewarm_status", "complete")
            warming.append(took * 1000)
            warmed.append(server.call("search_code", query=_QUERY).milliseconds)
    return [
        Figure("start to initialize: p50", median(hello), Unit.MILLISECONDS),
        Figure("tools/list while warming up: p95", _p95(tools), Unit.MILLISECONDS),
        Figure("warming up: p50", median(warming), Unit.MILLISECONDS),
        Figure("first search, warm: p95", _p95(warmed), Unit.MILLISECONDS, _MAX_FIRST_MS),
        Figure("first search at once: p95", _p95(at_once), Unit.MILLISECONDS, _MAX_FIRST_MS),
    ]


def _warm(server: StdioServer, store: Store) -> list[Figure]:
    searches = [server.call("search_code", query=_QUERY).milliseconds for _ in range(_SEARCHES)]
    outlines = [
        server.call("get_file_outline", path=path).milliseconds for path in _outlined(store)
    ]
    health = [server.call("health_check").milliseconds for _ in range(_HEALTH_CALLS)]
    return [
        Figure("warm search: p50", median(searches), Unit.MILLISECONDS),
        Figure("warm search: p95", _p95(searches), Unit.MILLISECONDS),
        Figure("outline: p95", _p95(outlines), Unit.MILLISECONDS, _MAX_OUTLINE_MS),
        Figure("health_check: p95", _p95(health), Unit.MILLISECONDS, _MAX_HEALTH_MS),
    ]


def _outlined(store: Store) -> list[str]:
    """The files with the most symbols, up to the number that the bar speaks of."""
    with store.opened() as opened:
        snapshot, counts = opened.snapshot, dict[str, int]()
        for path in store.indexed_files():
            counts[path] = len(snapshot.outline_rows(opened.ref_id, path, top_only=False))
    within = [path for path, count in counts.items() if count <= _MAX_SYMBOLS]
    return sorted(within, key=lambda path: (-counts[path], path))[:_OUTLINED_FILES]


def _saves(server: StdioServer, clone: Clone, repeat: int) -> list[Figure]:
    """Save a file and look for what it defines until it is found."""
    seconds: list[float] = []
    path = os.path.join(clone.root, "saved_by_benchmark.py")
    for number in range(repeat):
        name = f"saved_by_benchmark_{number}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"def {name}():\n    return {number}\n")
        started = time.perf_counter()
        while not _finds(server, name):
            time.sleep(_LOOK_SECONDS)
        seconds.append(time.perf_counter() - started)
    os.remove(path)
    return [
        Figure("save to searchable: p50", median(seconds), Unit.SECONDS),
        Figure("save to searchable: slowest", max(seconds), Unit.SECONDS, _MAX_SAVE_SECONDS),
    ]


def _finds(server: StdioServer, name: str) -> bool:
    answer = server.call("locate_symbol", name=name, freshness_policy="best_effort").answer
    results = answer["results"]
    return isinstance(results, list) and any(result["name"] == name for result in results)


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


SUITE: Final = Suite(
    name="serving",
    about="A `cruxe serve-mcp` process asked over stdio: SC-103, SC-104, SC-105 and FR-121, and"
    " saved files.",
    repeat=10,
    measure=measure,
)
