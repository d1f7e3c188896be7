"""Suite: queries in a process that has the index open, beside the peer and beside bare Tantivy.

CPU time, not wall time: the machine may be busy, and neither side waits for anything.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

import numpy as np

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.stores import Store, temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.peers.adapters.semble import find_programs, open_semble
from benchmarks.suites.speed.floors.bare_query import BareIndex
from benchmarks.suites.speed.questions import QUESTIONS
from cruxe.freshness.server_check import AssumedFresh
from cruxe.model.specs import SearchSpec
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.select.question import Question
from cruxe.repository import Repository
from cruxe.tools.ref_session import RefSession
from cruxe.workspace.context import RepositoryContext, open_context, resolve_target

_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"
_STORE_VARIABLE: Final = "CRUXE_LATENCY_STORE"
_RESULTS: Final = 10
MIDDLE: Final = 50
LATE: Final = 95


class Times(NamedTuple):
    """Milliseconds of every query: ranked, ranked and verified, and as a whole call."""

    ranked: list[float]
    verified: list[float]
    called: list[float]
    bare: list[float]


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Ask the questions and the corpus's symbol again and again, then the peer."""
    queries = [*QUESTIONS, corpus.symbol] if corpus.symbol else list(QUESTIONS)
    with _store(corpus.root) as store:
        store.run("index")
        times, documents = ask_queries(store, queries, repeat)
    figures = [
        Figure("p50", percentile(times.verified, MIDDLE), Unit.MILLISECONDS),
        Figure("p95", percentile(times.verified, LATE), Unit.MILLISECONDS),
        Figure("p50, ranking alone", percentile(times.ranked, MIDDLE), Unit.MILLISECONDS),
        Figure("p95, ranking alone", percentile(times.ranked, LATE), Unit.MILLISECONDS),
        Figure("p50, whole call", percentile(times.called, MIDDLE), Unit.MILLISECONDS),
        Figure("p95, whole call", percentile(times.called, LATE), Unit.MILLISECONDS),
        times_over("p95 / bare Tantivy", times.verified, times.bare, LATE, None),
        times_over("p95 / bare Tantivy, ranking alone", times.ranked, times.bare, LATE, None),
    ]
    note = f"{documents:,} documents; {len(queries)} queries, {repeat} times each."
    return Measured((*figures, *_beside_peer(corpus, queries, times, repeat)), (note,))


@contextmanager
def _store(root: str) -> Iterator[Store]:
    """A store that is thrown away, or one in a folder that stays: some take minutes."""
    if kept := os.environ.get(_STORE_VARIABLE):
        yield Store(kept, root)
        return
    with temporary_store(root) as store:
        yield store


def ask_queries(store: Store, queries: list[str], repeat: int) -> tuple[Times, int]:
    """Ask again and again, with the floor beside every answer; and how many documents there are."""
    os.environ[_DATA_DIR] = store.data_folder
    context = open_context(store.root)
    repository = Repository(context)
    bare = BareIndex(store.lexical_folder())
    times = Times([], [], [], [])
    with store.opened() as opened:
        for query in queries:  # fills the caches
            _answer(context, opened, query)
        for _ in range(repeat):
            for query in queries:
                ranked, verified = _answer(context, opened, query)
                times.ranked.append(ranked)
                times.verified.append(verified)
                terms = Question(
                    context.settings, context.name, SearchSpec(query=query), opened
                ).analysis.terms
                times.bare.append(bare.milliseconds(term for term, _ in terms))
                times.called.append(_milliseconds(lambda: repository.search_code(query)))  # noqa: B023
    return times, bare.document_count


def _answer(context: RepositoryContext, opened: OpenedRef, query: str) -> tuple[float, float]:
    """Rank, then verify and narrow a page; the time after each."""
    target = resolve_target(context.workspace, None)
    started = time.process_time()
    question = Question(context.settings, context.name, SearchSpec(query=query), opened)
    session = RefSession(context, target, opened, AssumedFresh(target))
    with session.texts() as texts:
        ranking = question.rank(texts)
        ranked = time.process_time()
        question.gather(ranking, 0, _RESULTS, texts)
    return (ranked - started) * 1000, (time.process_time() - started) * 1000


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def _beside_peer(
    corpus: Corpus, queries: list[str], times: Times, repeat: int
) -> tuple[Figure, ...]:
    theirs = {} if corpus.is_heavy else time_peer(corpus, queries, repeat)
    figures: list[Figure] = []
    for mode, own in theirs.items():
        name = f"semble, {mode}"
        figures += [
            Figure(f"p50 of {name}", percentile(own, MIDDLE), Unit.MILLISECONDS),
            Figure(f"p95 of {name}", percentile(own, LATE), Unit.MILLISECONDS),
            times_over(f"p50 / {name}", times.verified, own, MIDDLE, None),
            times_over(f"p95 / {name}", times.verified, own, LATE, None),
            times_over(f"p95 / {name}, ranking alone", times.ranked, own, LATE, None),
        ]
    return tuple(figures)


def time_peer(corpus: Corpus, queries: list[str], repeat: int) -> dict[str, list[float]]:
    """The peer's milliseconds by mode; nothing where there is no peer."""
    programs = find_programs()
    if programs is None:
        return {}
    with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-model-") as folder:
        semble = open_semble(programs, corpus.root, folder)
        return {} if isinstance(semble, str) else semble.time_queries(corpus.root, queries, repeat)


def times_over(
    name: str, ours: Sequence[float], theirs: Sequence[float], percent: int, bar: float | None
) -> Figure:
    """How many times theirs ours is, at a percentile."""
    return Figure(name, percentile(ours, percent) / percentile(theirs, percent), Unit.TIMES, bar)


def percentile(times: Sequence[float], percent: int) -> float:
    """What so many of a hundred stay below."""
    return float(np.percentile(times, percent))


SUITE: Final = Suite(
    name="search_latency",
    about=(
        "Ranked search in a process that has the index open: ranking, reading and verifying the"
        " ten results; as a whole call, with the look at every file's stamps. Beside it semble's"
        " queries in its own process, and Tantivy's search for the same terms alone. CPU time. The"
        " bars beside semble are those of `peer_latency`."
    ),
    repeat=20,
    measure=measure,
)
