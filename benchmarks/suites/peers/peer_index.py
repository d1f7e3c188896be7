"""Suite: the first index of a repository, beside the peer semble on the same files."""

import tempfile
from statistics import median
from typing import Final, NamedTuple

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit, how_often, ratio
from benchmarks.harness.stores import temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.peers.adapters.semble import (
    FOLDER_VARIABLE,
    Semble,
    find_programs,
    open_semble,
)

MAX_TIMES_PEER: Final = 0.5


class Costs(NamedTuple):
    """CPU seconds of a first index: ours, the peer's of code alone and of all content."""

    ours: float
    code: float
    everything: float


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Index a corpus with Cruxe and with semble, in turns."""
    programs = find_programs()
    if programs is None:
        note = f"Skipped: {FOLDER_VARIABLE} names no installation of semble."
        return Measured(notes=(note,))
    with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-model-") as model_folder:
        semble = open_semble(programs, corpus.root, model_folder)
        if isinstance(semble, str):
            return Measured(notes=(semble,))
        return _compare(semble, corpus, repeat)


def _compare(semble: Semble, corpus: Corpus, repeat: int) -> Measured:
    runs = [index_with_both(semble, corpus.root) for _ in range(repeat)]
    ours, code, everything = zip(*runs, strict=True)
    figures = (
        Figure("CPU / semble", ratio(ours, code), Unit.TIMES, MAX_TIMES_PEER),
        Figure("CPU / semble, all content", ratio(ours, everything), Unit.TIMES, MAX_TIMES_PEER),
        Figure("CPU", median(ours), Unit.SECONDS),
        Figure("CPU of semble", median(code), Unit.SECONDS),
        Figure("CPU of semble, all content", median(everything), Unit.SECONDS),
    )
    return Measured(figures, (f"semble {semble.version}; {how_often(repeat)}.",))


def index_with_both(semble: Semble, root: str) -> Costs:
    """Index a folder from nothing: ours, then the peer's default, then all that it can read."""
    with temporary_store(root) as store:
        ours = store.run("index")
    code, everything = (semble.index_folder(root, content) for content in ("code", "all"))
    return Costs(ours.cpu_seconds, code.cpu_seconds, everything.cpu_seconds)


SUITE: Final = Suite(
    name="peer_index",
    about=(
        "`cruxe index` into an empty store, beside semble's command on an empty cache (chunks,"
        " BM25 and embeddings by a static model of the published size). The bar is about its"
        " default, which leaves documentation and configuration out, and about all content, with"
        " which it reads about what Cruxe reads."
    ),
    repeat=1,
    measure=measure,
)
