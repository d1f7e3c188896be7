"""Suite: whole `cruxe text` processes on a warm store, beside ripgrep over the same tree.

CPU is compared, since ripgrep uses all cores. Both write every line to a file. `CRUXE_PEER_RG`
names the ripgrep to use instead of the one on the path.
"""

import os
import shutil
from statistics import median
from typing import Final, NamedTuple

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit, how_often, ratio
from benchmarks.harness.processes import Cost, run
from benchmarks.harness.stores import Store, temporary_store
from benchmarks.harness.suites import Suite

_PEER: Final = "CRUXE_PEER_RG"
_SETTLING_TURNS: Final = 2
_MAX_TIMES_REGEX: Final = 1.3
_MAX_TIMES_WORD: Final = 2.5


class _Question(NamedTuple):
    pattern: str
    is_regex: bool
    max_times: float


_QUESTIONS: Final = (
    _Question(r"def \w+_callback\(", is_regex=True, max_times=_MAX_TIMES_REGEX),
    _Question(r"class \w+\(", is_regex=True, max_times=_MAX_TIMES_REGEX),
    _Question("the", is_regex=False, max_times=_MAX_TIMES_WORD),
)


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Search a corpus for each pattern, in turns with ripgrep."""
    peer = os.environ.get(_PEER) or shutil.which("rg")
    if peer is None:
        return Measured(notes=(f"There is no ripgrep; {_PEER} names one.",))
    with temporary_store(corpus.root) as store:
        store.run("index")
        figures = [
            figure for asked in _QUESTIONS for figure in _compare(store, peer, asked, repeat)
        ]
    return Measured(tuple(figures), (f"CPU of whole processes; {how_often(repeat)}.",))


def _compare(store: Store, peer: str, asked: _Question, repeat: int) -> list[Figure]:
    ours: list[Cost] = []
    theirs: list[Cost] = []
    search = (peer, "--line-number", "--no-heading", "--smart-case", "--hidden", asked.pattern)
    for _ in range(_SETTLING_TURNS + repeat):
        ours.append(store.run("text", *(["--regex"] * asked.is_regex), asked.pattern))
        theirs.append(run(search, store.environment, directory=store.root))
    our_cpu = [cost.cpu_seconds for cost in ours[_SETTLING_TURNS:]]
    their_cpu = [cost.cpu_seconds for cost in theirs[_SETTLING_TURNS:]]
    subject = f"`{asked.pattern}`"
    return [
        Figure(
            name="CPU / ripgrep",
            value=ratio(our_cpu, their_cpu),
            unit=Unit.TIMES,
            bar=asked.max_times,
            subject=subject,
        ),
        Figure("CPU", median(our_cpu) * 1000, Unit.MILLISECONDS, subject=subject),
        Figure("CPU of ripgrep", median(their_cpu) * 1000, Unit.MILLISECONDS, subject=subject),
        Figure("lines", ours[-1].output.count("\n"), Unit.COUNT, subject=subject),
        Figure("lines of ripgrep", theirs[-1].output.count("\n"), Unit.COUNT, subject=subject),
    ]


SUITE: Final = Suite(
    name="text_search",
    about="Whole `cruxe text` processes on a warm store, beside ripgrep over the same tree.",
    repeat=9,
    measure=measure,
)
