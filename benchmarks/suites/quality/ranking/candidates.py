"""What the engine makes of the annotated queries: its answers, and what it chose from."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import cruxe
from benchmarks.suites.quality.ranking.queries import Query, Shown
from cruxe.model.specs import SearchSpec
from cruxe.query.rank.ranking import find_files, search
from cruxe.query.rank.regions import regions_of
from cruxe.query.rank.scoring import score_files
from cruxe.query.rank.signals import LEXICAL_TABLE, hybrid_table
from cruxe.query.retrieve.dense import LEXICAL_ONLY, SemanticPlan
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.understand.analysis import analyse_query
from cruxe.store.open import open_store
from cruxe.workspace.context import resolve_target

_DEPTH: Final = 10


class Answered(NamedTuple):
    """A query with what the engine gave, how long it took, and what it chose from."""

    query: Query
    shown: list[Shown]
    milliseconds: float
    candidates: list[Shown]  # the best region of each candidate file
    signals: NDArray[np.float64]  # by candidate: the value of each signal times what penalties left
    is_hybrid: bool = False  # vectors had a part


@contextmanager
def opened_folder(folder: str) -> Iterator[OpenedRef]:
    """Index a folder and open it for questions."""
    repository = cruxe.open(folder)
    repository.sync_repo()
    target = resolve_target(repository.context.workspace, None)
    with open_store(repository.context.location).snapshot() as snapshot:
        row = snapshot.find_ref(target.ref.name)
        assert row is not None
        yield OpenedRef(snapshot, row.ref_id)


def answer(
    query: Query, opened: OpenedRef, own_name: str, plan: SemanticPlan = LEXICAL_ONLY
) -> Answered:
    """Ask the engine and look at its candidates."""
    started = time.perf_counter()
    analysis = analyse_query(query.query, own_name)
    spec = SearchSpec(query=query.query)
    first = list(islice(search(analysis, spec, opened, {}, plan).hits(0, _DEPTH), _DEPTH))
    milliseconds = (time.perf_counter() - started) * 1000
    files, scales, semantics = find_files(analysis, spec, opened, {}, plan)
    is_hybrid = semantics.skipped is None
    # The table of the query at hand may have signals of names and paths, which are not fitted.
    fitted = hybrid_table(semantics.ratio) if is_hybrid else LEXICAL_TABLE
    weights = {**fitted.weights, **scales.table.weights}
    candidates: list[Shown] = []
    rows: list[list[float]] = []
    for scored in score_files(files, scales, {}):
        best = regions_of(scored, scales)[0]
        candidates.append(Shown(best.path, best.line_start, best.line_end))
        left = scored.score / scored.earned if scored.earned else 0.0
        values = dict(scored.points)
        rows.append(
            [left * values.get(each.name, 0.0) / weights[each.name] for each in fitted.signals]
        )
    shown = [Shown(hit.path, hit.line_start, hit.line_end) for hit in first]
    return Answered(query, shown, milliseconds, candidates, np.array(rows), is_hybrid)
