"""Suite: a whole `cruxe locate` process on a warm store, beside an interpreter doing nothing."""

from typing import Final

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Measured
from benchmarks.harness.starts import measure_starts
from benchmarks.harness.suites import Suite

_MAX_TIMES_BARE: Final = 6.0


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Locate a corpus's symbol again and again, in turns with the bare interpreter."""
    return measure_starts(corpus, ("locate", corpus.symbol), repeat, _MAX_TIMES_BARE)


SUITE: Final = Suite(
    name="locate",
    about="A whole `cruxe locate NAME` process on a warm store, beside `python -c pass`.",
    repeat=15,
    measure=measure,
)
