"""Whole processes that answer one question, beside an interpreter that does nothing."""

import sys
from collections.abc import Iterable, Mapping, Sequence
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
    corpus: Corpus,
    words: Sequence[str],
    repeat: int,
    max_times_bare: float,
    variants: Mapping[str, Sequence[str]] | None = None,
) -> Measured:
    """Ask a question of a warm store again and again, in turns with the bare interpreter.

    Variants of the question, by what they are called, have no bar.
    """
    asked = {"": words, ", --no-sync": (*words, "--no-sync"), **(variants or {})}
    with temporary_store(corpus.root) as store:
        store.run("index")
        _take_turns(store, asked.values(), _SETTLING_TURNS)  # fills the caches
        turns = _take_turns(store, asked.values(), repeat)
    *ours, bare = ([*costs] for costs in zip(*turns, strict=True))
    figures = [
        Figure(
            f"wall / bare interpreter{variant}",
            ratio(_walls(costs), _walls(bare)),
            Unit.TIMES,
            None if variant else max_times_bare,
        )
        for variant, costs in zip(asked, ours, strict=True)
    ]
    figures.append(Figure("CPU / bare interpreter", ratio(_cpus(ours[0]), _cpus(bare)), Unit.TIMES))
    figures += [
        Figure(f"wall{variant}", median(_walls(costs)) * 1000, Unit.MILLISECONDS)
        for variant, costs in zip([*asked, " of the bare interpreter"], [*ours, bare], strict=True)
    ]
    return Measured(tuple(figures), (f"`cruxe {' '.join(words)}`; {how_often(repeat)}.",))


def _take_turns(store: Store, asked: Iterable[Sequence[str]], repeat: int) -> list[list[Cost]]:
    """What each question costs, and last the bare interpreter, turn by turn."""
    return [
        [*(store.run(*words) for words in asked), run(_BARE, store.environment)]
        for _ in range(repeat)
    ]


def _walls(costs: Sequence[Cost]) -> list[float]:
    return [cost.wall_seconds for cost in costs]


def _cpus(costs: Sequence[Cost]) -> list[float]:
    return [cost.cpu_seconds for cost in costs]
