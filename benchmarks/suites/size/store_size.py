"""Suite: what the store of each repository takes on disk, beside the source it is made from."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from benchmarks.harness.corpora import Corpus, list_checkouts, load_table
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.stores import temporary_store
from benchmarks.harness.suites import DataSuite

MAX_STORE_TIMES: Final = 2.0
_MEGABYTE: Final = 1_000_000


def measure() -> Measured:
    """Index every repository that there is a checkout of."""
    corpora = list_checkouts(load_table())
    figures = [figure for corpus in corpora for figure in _figures(corpus)]
    if not figures:
        return Measured(notes=("Skipped: there is no checkout.",))
    return Measured(tuple(figures), (f"{len(corpora)} repositories, each measured once.",))


def _figures(corpus: Corpus) -> Iterator[Figure]:
    with temporary_store(corpus.root, mode="off") as store:
        store.run("index")
        source_bytes, store_bytes = sum(store.indexed_files().values()), store.size_bytes()
    for figure in (
        Figure("source", source_bytes / _MEGABYTE, Unit.MEGABYTES),
        Figure("store / source", store_bytes / source_bytes, Unit.TIMES, MAX_STORE_TIMES),
    ):
        yield replace(figure, subject=corpus.folder)


SUITE: Final = DataSuite(
    name="store_size",
    about=(
        "`cruxe index` into an empty store, without vectors, of every repository in the table of"
        " corpora: what the store takes on disk beside the text that was indexed."
    ),
    data="repositories",
    measure=measure,
)
