"""Suite: the first index of a repository, beside reading and parsing its files and nothing else."""

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Final, NamedTuple

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit, how_often, ratio
from benchmarks.harness.processes import Cost, TreeCost, clean_environment, run
from benchmarks.harness.stores import temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.size.store_size import MAX_STORE_TIMES
from cruxe.ingest.processing_runs import available_cores

# 2.8 with twice as many kernels in C: `docs/performance-log.md`, "Kernels".
_MAX_TIMES_FLOOR: Final = 3.1
_MAX_BUSIEST_SHARE: Final = 0.6
_MAX_MEMORY_MB: Final = 900.0
# A memory bar in megabytes is about a large repository; others are under it without effort.
_MEMORY_CORPUS: Final = "kubernetes"
_MEGABYTE: Final = 1_000_000


# Cruxe parses with as many processes. Side by side, processes take more CPU seconds for the same
# work than one alone, since they share caches, memory and often the core itself.
_WORKERS: Final = available_cores()


class _Floors(NamedTuple):
    side_by_side: float
    alone: float


class _Index(NamedTuple):
    """An index without vectors, beside what one with them costs."""

    cost: TreeCost
    with_vectors: TreeCost
    files: dict[str, int]  # path to bytes
    store_bytes: int


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Index a corpus into an empty store and run the floor over the same files, in turns."""
    indexes: list[_Index] = []
    floors: list[_Floors] = []
    for _ in range(repeat):
        indexes.append(_index(corpus.root))
        files = indexes[-1].files
        floors.append(_Floors(_floor(corpus.root, files, _WORKERS), _floor(corpus.root, files, 1)))
    return Measured(tuple(_figures(corpus, indexes, floors)), (_note(indexes[-1], repeat),))


def _index(root: str) -> _Index:
    with temporary_store(root) as store:
        with_vectors = store.run_watched("index")
    with temporary_store(root, mode="off") as store:
        cost = store.run_watched("index")
        return _Index(cost, with_vectors, store.indexed_files(), store.size_bytes())


def _floor(root: str, files: dict[str, int], processes: int) -> float:
    """The CPU seconds of the floor, its files dealt out to processes that run side by side."""
    paths = list(files)
    hands = [paths[number::processes] for number in range(processes)]
    with ThreadPoolExecutor(processes) as pool:
        return sum(pool.map(lambda hand: _parse_files(root, hand).cpu_seconds, hands))


def _parse_files(root: str, paths: list[str]) -> Cost:
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as listing:
        listing.write("\0".join(paths))
        listing.flush()
        command = [
            sys.executable,
            "-m",
            "benchmarks.suites.speed.floors.parse_files",
            root,
            listing.name,
        ]
        return run(command, clean_environment())


def _figures(corpus: Corpus, indexes: list[_Index], floors: list[_Floors]) -> list[Figure]:
    ours = [index.cost.cpu_seconds for index in indexes]
    with_vectors = [index.with_vectors.cpu_seconds for index in indexes]
    theirs = [floor.side_by_side for floor in floors]
    alone = [floor.alone for floor in floors]
    source_bytes = sum(indexes[-1].files.values())
    figures = [
        Figure("CPU / floor", ratio(ours, theirs), Unit.TIMES, _MAX_TIMES_FLOOR),
        Figure("CPU / floor of one process alone", ratio(ours, alone), Unit.TIMES),
        Figure("CPU / floor, vectors included", ratio(with_vectors, theirs), Unit.TIMES),
        Figure("CPU", median(ours), Unit.SECONDS),
        Figure("CPU, vectors included", median(with_vectors), Unit.SECONDS),
        Figure("CPU of the floor", median(theirs), Unit.SECONDS),
        Figure("CPU of the floor of one process alone", median(alone), Unit.SECONDS),
        Figure("wall", median(index.cost.wall_seconds for index in indexes), Unit.SECONDS),
    ]
    shares = [
        index.cost.busiest_cpu_seconds / index.cost.cpu_seconds
        for index in indexes
        if index.cost.busiest_cpu_seconds is not None
    ]
    if shares:
        name = "busiest process, of the CPU"
        figures.append(Figure(name, median(shares), Unit.SHARE, _MAX_BUSIEST_SHARE))
    watched = [index.with_vectors.peak_memory_bytes for index in indexes]
    peaks = [peak for peak in watched if peak is not None]
    if peaks:
        name = "peak memory (PSS), vectors included"
        bar = _MAX_MEMORY_MB if corpus.folder == _MEMORY_CORPUS else None
        figures.append(Figure(name, max(peaks) / _MEGABYTE, Unit.MEGABYTES, bar))
    store_times = indexes[-1].store_bytes / source_bytes
    figures.append(Figure("store / source", store_times, Unit.TIMES, MAX_STORE_TIMES))
    return figures


def _note(index: _Index, repeat: int) -> str:
    megabytes = sum(index.files.values()) / _MEGABYTE
    return f"{len(index.files):,} files, {megabytes:.1f} MB; {how_often(repeat)}."


SUITE: Final = Suite(
    name="cold_index",
    about=(
        "`cruxe index` into an empty store, without vectors where nothing else is said; what those"
        " add has its bar in `semantic_cost`. The floor reads the files that Cruxe indexed,"
        " detects their languages, parses them and runs the queries, in as many processes side by"
        " side as Cruxe parses with. Memory is sampled five times a second."
    ),
    repeat=3,
    measure=measure,
)
