"""Suite: a whole `cruxe locate` process on a warm store, beside an interpreter doing nothing."""

import sys
from statistics import median
from typing import Final

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit, how_often, ratio
from benchmarks.harness.processes import Cost, run
from benchmarks.harness.stores import Store, temporary_store
from benchmarks.harness.suites import Suite

_MAX_TIMES_BARE: Final = 6.0
_BARE: Final = (sys.executable, "-c", "pass")


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Locate a corpus's symbol again and again, in turns with the bare interpreter."""
    with temporary_store(corpus.root) as store:
        store.run("index")
        _take_turns(store, corpus.symbol, 1)  # fills the caches of files and of compiled modules
        turns = _take_turns(store, corpus.symbol, repeat)
    synced, unsynced, bare = zip(*turns, strict=True)
    ours, theirs = _walls(synced), _walls(bare)
    times_unsynced = ratio(_walls(unsynced), theirs)
    cpu = ratio(_cpus(synced), _cpus(bare))
    figures = (
        Figure("wall / bare interpreter", ratio(ours, theirs), Unit.TIMES, _MAX_TIMES_BARE),
        Figure("wall / bare interpreter, --no-sync", times_unsynced, Unit.TIMES),
        Figure("CPU / bare interpreter", cpu, Unit.TIMES),
        Figure("wall", median(ours) * 1000, Unit.MILLISECONDS),
        Figure("wall, --no-sync", median(_walls(unsynced)) * 1000, Unit.MILLISECONDS),
        Figure("wall of the bare interpreter", median(theirs) * 1000, Unit.MILLISECONDS),
    )
    return Measured(figures, (f"`cruxe locate {corpus.symbol}`; {how_often(repeat)}.",))


def _take_turns(store: Store, symbol: str, repeat: int) -> list[tuple[Cost, Cost, Cost]]:
    return [
        (
            store.run("locate", symbol),
            store.run("locate", symbol, "--no-sync"),
            run(_BARE, store.environment),
        )
        for _ in range(repeat)
    ]


def _walls(costs: tuple[Cost, ...]) -> list[float]:
    return [cost.wall_seconds for cost in costs]


def _cpus(costs: tuple[Cost, ...]) -> list[float]:
    return [cost.cpu_seconds for cost in costs]


SUITE: Final = Suite(
    name="locate",
    about="A whole `cruxe locate NAME` process on a warm store, beside `python -c pass`.",
    repeat=15,
    measure=measure,
)
