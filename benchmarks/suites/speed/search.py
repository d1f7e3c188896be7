"""Suite: a whole `cruxe search` process on a warm store, beside an interpreter doing nothing."""

from typing import Final

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Measured
from benchmarks.harness.starts import measure_starts
from benchmarks.harness.suites import Suite

# 8.0 with named tuples of our own: `docs/performance-log.md`, "Start of a command".
_MAX_TIMES_BARE: Final = 9.6


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Search for what a corpus's symbol does, in turns with the bare interpreter."""
    question = f"how does {corpus.symbol} work"
    lexical = ("search", "--semantic-ratio", "0", question)
    variants = {", by meaning too": ("search", question)}
    return measure_starts(corpus, lexical, repeat, _MAX_TIMES_BARE, variants)


SUITE: Final = Suite(
    name="search",
    about=(
        "A whole `cruxe search QUERY` process on a warm store, beside `python -c pass`. The bar is"
        " about a search by words alone; the default searches by meaning too."
    ),
    repeat=15,
    measure=measure,
)
