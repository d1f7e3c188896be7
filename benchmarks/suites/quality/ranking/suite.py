"""Suite: the ranking on annotated queries, and how it does under weights that never saw them."""

import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from statistics import fmean
from typing import Final

import numpy as np

from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.suites import DataSuite
from benchmarks.suites.quality.ranking.candidates import Answered, answer, opened_folder
from benchmarks.suites.quality.ranking.fitting import by_repository, fit, held_out_qualities
from benchmarks.suites.quality.ranking.queries import (
    QUERIES_VARIABLE,
    REPOSITORIES_VARIABLE,
    STORES_VARIABLE,
    Benchmark,
    load_benchmark,
    ndcg,
)
from cruxe.query.rank.signals import SIGNALS, Signal

_LEAST: Final = {"sub-folder": 0.875, "whole repository": 0.855}
_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"


def measure() -> Measured:
    """Ask all queries, of the benchmark's sub-folders and of whole repositories."""
    benchmark = load_benchmark()
    if benchmark is None:
        note = f"Skipped: {QUERIES_VARIABLE} and {REPOSITORIES_VARIABLE} name no queries."
        return Measured(notes=(note,))
    scopes = {scope: _ask_all(benchmark, is_whole=scope != "sub-folder") for scope in _LEAST}
    held_out = held_out_qualities(scopes)
    figures = [
        figure
        for scope, answered in scopes.items()
        for figure in _figures(answered, scope, by_repository(answered, held_out[scope]))
    ]
    return Measured(tuple(figures), (told_weights(scopes, SIGNALS),))


def told_weights(
    scopes: Mapping[str, Sequence[Answered]], signals: Sequence[Signal], held: float = 0.0
) -> str:
    """The weights that fit all queries of all scopes."""
    fitted = fit([*chain.from_iterable(scopes.values())], signals, held)
    pairs = zip(signals, fitted, strict=True)
    told = ", ".join(f"{signal.name} {weight:.2f}" for signal, weight in pairs)
    return f"Weights fitted on all queries: {told}."


def _ask_all(benchmark: Benchmark, *, is_whole: bool) -> list[Answered]:
    answered: list[Answered] = []
    for repository in benchmark.repos:
        with data_dir() as folder:
            os.environ[_DATA_DIR] = folder
            with opened_folder(repository.place(is_whole=is_whole)) as opened:
                queries = [each for each in benchmark.queries if each.repo == repository.name]
                answered += [answer(each, opened, repository.name) for each in queries]
    return answered


@contextmanager
def data_dir() -> Iterator[str]:
    """Where stores go: into the folder that is named for them, else thrown away."""
    if kept := os.environ.get(STORES_VARIABLE):
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-quality-") as folder:
        yield folder


def _figures(
    answered: list[Answered], scope: str, held_out: Mapping[str, float]
) -> Iterable[Figure]:
    least = _LEAST[scope]
    yield Figure(
        f"{scope}: NDCG@10, weights fitted on others",
        fmean(held_out.values()),
        Unit.SHARE,
        least=least,
    )
    yield Figure(f"{scope}: NDCG@10", _by_repository(answered), Unit.SHARE, least=least)
    for dimension, key in _DIMENSIONS.items():
        groups: dict[str, list[Answered]] = defaultdict(list)
        for each in answered:
            groups[key(each)].append(each)
        for name in sorted(groups):
            yield Figure(
                f"{scope}: NDCG@10, {dimension} {name}", _by_repository(groups[name]), Unit.SHARE
            )
    times = [each.milliseconds for each in answered]
    yield Figure(f"{scope}: query p50", float(np.percentile(times, 50)), Unit.MILLISECONDS)
    yield Figure(f"{scope}: query p95", float(np.percentile(times, 95)), Unit.MILLISECONDS)


_DIMENSIONS: Final[dict[str, Callable[[Answered], str]]] = {
    "category": lambda each: each.query.category,
    "language": lambda each: each.query.language,
}


def _by_repository(answered: list[Answered]) -> float:
    """The mean over repositories of their means."""
    groups: dict[str, list[float]] = defaultdict(list)
    for each in answered:
        groups[each.query.repo].append(ndcg(each.shown, each.query.targets))
    return fmean(map(fmean, groups.values()))


SUITE: Final = DataSuite(
    name="search_quality",
    about=(
        "Ranked search on annotated queries over 25 public repositories, without any model: the"
        " mean over repositories of NDCG@10, as the engine ranks and with weights fitted, on"
        " sub-folders and whole repositories together, without the repository they are judged by."
    ),
    data="dev queries",
    measure=measure,
)
