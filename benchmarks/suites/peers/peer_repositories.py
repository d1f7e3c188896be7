"""Suite: the first index of many repositories, beside the peer semble on each of them.

They are django and those of the annotated queries, as far as there are checkouts of them.
"""

import tempfile
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from benchmarks.harness.corpora import Choice, choose_corpora, load_table
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.suites import DataSuite
from benchmarks.suites.peers.adapters.semble import FOLDER_VARIABLE, find_programs, open_semble
from benchmarks.suites.peers.peer_index import MAX_TIMES_PEER, Costs, index_with_both

_NAME: Final = "peer_repositories"
_ALL: Final = "all together"


def measure() -> Measured:
    """Index every repository with both; the bar is about the sum."""
    programs = find_programs()
    if programs is None:
        return Measured(notes=(f"Skipped: {FOLDER_VARIABLE} names no installation of semble.",))
    found = dict(_measured(programs))
    if not found:
        return Measured(notes=("Skipped: there is no checkout.",))
    together = Costs(*map(sum, zip(*found.values(), strict=True)))
    figures = [figure for name, costs in found.items() for figure in _figures(name, costs)]
    figures += _figures(_ALL, together, MAX_TIMES_PEER)
    return Measured(tuple(figures), (f"{len(found)} repositories, each measured once.",))


def _measured(programs: str) -> Iterator[tuple[str, Costs]]:
    for candidate in choose_corpora(load_table(), _NAME, Choice((), is_quick=False)):
        if candidate.absence is None:
            with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-model-") as model_folder:
                semble = open_semble(programs, candidate.corpus.root, model_folder)
                if not isinstance(semble, str):
                    yield candidate.corpus.folder, index_with_both(semble, candidate.corpus.root)


def _figures(subject: str, costs: Costs, most: float | None = None) -> list[Figure]:
    figures = [
        Figure("CPU", costs.ours, Unit.SECONDS),
        Figure("CPU of semble", costs.code, Unit.SECONDS),
        Figure("CPU of semble, all content", costs.everything, Unit.SECONDS),
        Figure("CPU / semble", costs.ours / costs.code, Unit.TIMES, most),
        Figure("CPU / semble, all content", costs.ours / costs.everything, Unit.TIMES),
    ]
    return [replace(each, subject=subject) for each in figures]


SUITE: Final = DataSuite(
    name=_NAME,
    about=(
        "`cruxe index` into an empty store, beside semble's command on an empty cache, in django"
        " and the repositories of the annotated queries. The bar is about the sum, and about"
        " semble's default, which reads less than Cruxe does."
    ),
    data="repositories",
    measure=measure,
)
