"""Suite: queries in a process that has the index open, beside the peer's, over many repositories.

The repositories are those of the annotated queries that search is tuned on, as far as there are
checkouts of them.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from benchmarks.harness.corpora import Choice, Corpus, choose_corpora, load_table
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.stores import temporary_store
from benchmarks.harness.suites import DataSuite
from benchmarks.suites.speed.questions import QUESTIONS
from benchmarks.suites.speed.search_latency import (
    LATE,
    MIDDLE,
    ask_queries,
    percentile,
    time_peer,
    times_over,
)

_NAME: Final = "peer_latency"
_REPEAT: Final = 5
_MAX_TIMES_P50: Final = 1.0
_MAX_TIMES_P95: Final = 0.5
_ALL: Final = "all together"


class _Both(NamedTuple):
    """Milliseconds of the same queries, ours and the peer's."""

    ours: list[float]
    theirs: list[float]


def measure() -> Measured:
    """Ask the same questions in every repository; the bars are about all of them together."""
    found = dict(_measured())
    if not found:
        return Measured(notes=("Skipped: there is no peer, or no checkout.",))
    together = _Both(
        [each for both in found.values() for each in both.ours],
        [each for both in found.values() for each in both.theirs],
    )
    figures = [figure for name, both in found.items() for figure in _figures(name, both)]
    figures += _figures(_ALL, together, _MAX_TIMES_P50, _MAX_TIMES_P95)
    note = f"{len(found)} repositories; {len(QUESTIONS)} questions, {_REPEAT} times each."
    return Measured(tuple(figures), (note,))


def _measured() -> Iterator[tuple[str, _Both]]:
    for candidate in choose_corpora(load_table(), _NAME, Choice((), is_quick=False)):
        corpus = candidate.corpus
        theirs = time_peer(corpus, list(QUESTIONS), _REPEAT) if candidate.absence is None else {}
        if theirs:
            yield corpus.folder, _Both(_own_times(corpus), theirs["hybrid"])


def _own_times(corpus: Corpus) -> list[float]:
    with temporary_store(corpus.root) as store:
        store.run("index")
        times, _ = ask_queries(store, list(QUESTIONS), _REPEAT)
    return times.verified


def _figures(
    subject: str, both: _Both, most_p50: float | None = None, most_p95: float | None = None
) -> list[Figure]:
    ours, theirs = both
    figures = [
        Figure("p50", percentile(ours, MIDDLE), Unit.MILLISECONDS),
        Figure("p95", percentile(ours, LATE), Unit.MILLISECONDS),
        Figure("p50 of semble", percentile(theirs, MIDDLE), Unit.MILLISECONDS),
        Figure("p95 of semble", percentile(theirs, LATE), Unit.MILLISECONDS),
        times_over("p50 / semble", ours, theirs, MIDDLE, most_p50),
        times_over("p95 / semble", ours, theirs, LATE, most_p95),
    ]
    return [replace(each, subject=subject) for each in figures]


SUITE: Final = DataSuite(
    name=_NAME,
    about=(
        "Ranked search in a process that has the index open (ranking, reading and verifying ten"
        " results) beside semble's default in its own, over the repositories of the annotated"
        " queries. CPU time."
    ),
    data="repositories",
    measure=measure,
)
