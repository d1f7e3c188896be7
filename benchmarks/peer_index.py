"""Suite: the first index of a repository, beside the peer semble on the same files."""

import tempfile
from statistics import median
from typing import Final

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit, how_often, ratio
from benchmarks.harness.processes import Cost
from benchmarks.harness.stores import temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.peers.semble import FOLDER_VARIABLE, Semble, find_programs, open_semble

_MAX_TIMES_PEER: Final = 0.5


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
    ours: list[float] = []
    code: list[float] = []
    everything: list[float] = []
    for _ in range(repeat):
        ours.append(_index(corpus.root).cpu_seconds)
        code.append(semble.index_folder(corpus.root, "code").cpu_seconds)
        everything.append(semble.index_folder(corpus.root, "all").cpu_seconds)
    figures = (
        Figure("CPU / semble", ratio(ours, code), Unit.TIMES, _MAX_TIMES_PEER),
        Figure("CPU / semble, all content", ratio(ours, everything), Unit.TIMES),
        Figure("CPU", median(ours), Unit.SECONDS),
        Figure("CPU of semble", median(code), Unit.SECONDS),
        Figure("CPU of semble, all content", median(everything), Unit.SECONDS),
    )
    return Measured(figures, (f"semble {semble.version}; {how_often(repeat)}.",))


def _index(root: str) -> Cost:
    with temporary_store(root) as store:
        return store.run("index")


SUITE: Final = Suite(
    name="peer_index",
    about=(
        "`cruxe index` into an empty store, beside semble's command on an empty cache (chunks,"
        " BM25 and embeddings by a static model of the published size). The bar is about its"
        " default, which leaves documentation and configuration out; with all content it reads"
        " about what Cruxe reads."
    ),
    repeat=1,
    measure=measure,
)
