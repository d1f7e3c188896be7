"""Whole processes that answer one question, beside an interpreter that does nothing."""

import sys
from collections.abc import Sequence
from statistics import median
from typing import Final

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit, how_often, ratio
from benchmarks.harness.processes import Cost, run
from benchmarks.harness.stores import Store, temporary_store

_BARE: Final = (sys.executable, "-c", "pass")
# What changed within two seconds of the last look is looked at again by the next one.
_SETTLING_TURNS: Final = 2


def measure_starts(
    corpus: Corpus, words: Sequence[str], repeat: int, max_times_bare: float
) -> Measured:
    """Ask a question of a warm store again and again, in turns with the bare interpreter."""
    with temporary_store(corpus.root) as store:
        store.run("index")
        _take_turns(store, words, _SETTLING_TURNS)  # fills the caches of files and of modules
        turns = _take_turns(store, words, repeat)
    synced, unsynced, bare = zip(*turns, strict=True)
    ours, theirs = _walls(synced), _walls(bare)
    times_unsynced = ratio(_walls(unsynced), theirs)
    cpu = ratio(_cpus(synced), _cpus(bare))
    figures = (
        Figure("wall / bare interpreter", ratio(ours, theirs), Unit.TIMES, max_times_bare),
        Figure("wall / bare interpreter, --no-sync", times_unsynced, Unit.TIMES),
        Figure("CPU / bare interpreter", cpu, Unit.TIMES),
        Figure("wall", median(ours) * 1000, Unit.MILLISECONDS),
        Figure("wall, --no-sync", median(_walls(unsynced)) * 1000, Unit.MILLISECONDS),
        Figure("wall of the bare interpreter", median(theirs) * 1000, Unit.MILLISECONDS),
    )
    return Measured(figures, (f"`cruxe {' '.join(words)}`; {how_often(repeat)}.",))


def _take_turns(store: Store, words: Sequence[str], repeat: int) -> list[tuple[Cost, Cost, Cost]]:
    return [
        (
            store.run(*words),
            store.run(*words, "--no-sync"),
            run(_BARE, store.environment),
        )
        for _ in range(repeat)
    ]


def _walls(costs: tuple[Cost, ...]) -> list[float]:
    return [cost.wall_seconds for cost in costs]


def _cpus(costs: tuple[Cost, ...]) -> list[float]:
    return [cost.cpu_seconds for cost in costs]
