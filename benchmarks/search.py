"""Suite: a whole `cruxe search` process on a warm store, beside an interpreter doing nothing."""

from typing import Final

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Measured
from benchmarks.harness.starts import measure_starts
from benchmarks.harness.suites import Suite

_MAX_TIMES_BARE: Final = 8.0


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Search for what a corpus's symbol does, in turns with the bare interpreter."""
    question = f"how does {corpus.symbol} work"
    return measure_starts(corpus, ("search", question), repeat, _MAX_TIMES_BARE)


SUITE: Final = Suite(
    name="search",
    about="A whole `cruxe search QUERY` process on a warm store, beside `python -c pass`.",
    repeat=15,
    measure=measure,
)
