"""Suite: questions in natural language, answered with vectors and without, on the same indexes."""

import os
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

import cruxe
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.suites import DataSuite
from benchmarks.suites.quality.ranking.candidates import Answered, answer, opened_folder
from benchmarks.suites.quality.ranking.fitting import by_repository, held_out_qualities
from benchmarks.suites.quality.ranking.queries import (
    QUERIES_VARIABLE,
    REPOSITORIES_VARIABLE,
    Benchmark,
    Query,
    load_benchmark,
    ndcg,
)
from benchmarks.suites.quality.ranking.suite import data_dir, told_weights
from cruxe.model.specs import SearchSpec
from cruxe.query.rank.signals import hybrid_table
from cruxe.query.retrieve.dense import SemanticPlan, plan_semantics
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.understand.intent_classifier import classify_intent

_LEAST: Final = {"sub-folder": 0.895, "whole repository": 0.880}
_LEAST_GAIN: Final = 0.015
_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"
_DRAWS: Final = 4_000
_HYBRID_SIGNALS: Final = hybrid_table(1.0).signals
# Thirteen signals of which some say the same: `docs/performance-log.md`, ranking.
_HELD: Final = 0.01

Pairs = list[tuple[Answered, Answered]]  # of each query: without vectors, with them


def measure() -> Measured:
    """Ask all queries twice."""
    benchmark = load_benchmark()
    if benchmark is None:
        note = f"Skipped: {QUERIES_VARIABLE} and {REPOSITORIES_VARIABLE} name no queries."
        return Measured(notes=(note,))
    scopes = {scope: _ask_all(benchmark, is_whole=scope != "sub-folder") for scope in _LEAST}
    held_out = _held_out(scopes)
    figures = [
        figure
        for scope, pairs in scopes.items()
        for figure in (*_figures(pairs, scope), *_held_out_figures(held_out[scope], scope))
    ]
    questions = {scope: _questions(pairs) for scope, pairs in scopes.items()}
    return Measured(tuple(figures), (told_weights(_side(questions, 1), _HYBRID_SIGNALS, _HELD),))


def _ask_all(benchmark: Benchmark, *, is_whole: bool) -> Pairs:
    pairs: Pairs = []
    for repository in benchmark.repos:
        with data_dir() as folder:
            os.environ[_DATA_DIR] = folder
            with opened_folder(repository.place(is_whole=is_whole)) as opened:
                for query in benchmark.queries:
                    if query.repo == repository.name:
                        plain = answer(query, opened, repository.name)
                        plan = _plan(query, opened)
                        pairs.append((plain, answer(query, opened, repository.name, plan)))
    return pairs


def _plan(query: Query, opened: OpenedRef) -> SemanticPlan:
    settings = cruxe.open(os.curdir).context.settings
    reading = classify_intent(query.query, settings.search.intent)
    return plan_semantics(settings, SearchSpec(query=query.query), reading, opened)


def _figures(pairs: Pairs, scope: str) -> Iterable[Figure]:
    lexical, hybrid = _as_ranked(pairs, 0), _as_ranked(pairs, 1)
    yield Figure(f"{scope}: NDCG@10, lexical", _mean(lexical), Unit.SHARE)
    yield Figure(f"{scope}: NDCG@10, hybrid", _mean(hybrid), Unit.SHARE, least=_LEAST[scope])
    gain, low, high = _gain(hybrid, lexical)
    yield Figure(f"{scope}: gain", gain, Unit.SHARE, least=_LEAST_GAIN)
    yield Figure(f"{scope}: gain, lower end of 95 %", low, Unit.SHARE, least=0.0)
    yield Figure(f"{scope}: gain, upper end of 95 %", high, Unit.SHARE)
    symbols = [pair for pair in pairs if pair[0].query.category == "symbol"]
    lost = _mean(_as_ranked(symbols, 0)) - _mean(_as_ranked(symbols, 1))
    yield Figure(f"{scope}: lost on symbol queries", lost, Unit.SHARE, bar=0.0)
    for place, kind in enumerate(("lexical", "hybrid")):
        times = [pair[place].milliseconds for pair in _questions(pairs)]
        yield Figure(f"{scope}: {kind} p50", float(np.percentile(times, 50)), Unit.MILLISECONDS)
        yield Figure(f"{scope}: {kind} p95", float(np.percentile(times, 95)), Unit.MILLISECONDS)


class _HeldOut(NamedTuple):
    """The quality of each repository under weights fitted without it."""

    all: dict[str, float]  # as hybrid search has it: what is no question is ranked by words
    lexical: dict[str, float]  # of questions alone, by weights fitted on questions alone
    hybrid: dict[str, float]


def _held_out_figures(held_out: _HeldOut, scope: str) -> Iterable[Figure]:
    name = f"{scope}: NDCG@10, hybrid, weights fitted on others"
    yield Figure(name, _mean(held_out.all), Unit.SHARE, least=_LEAST[scope])
    gain, low, _ = _gain(held_out.hybrid, held_out.lexical)
    name = f"{scope}: gain in questions, weights fitted on others"
    yield Figure(name, gain, Unit.SHARE, least=_LEAST_GAIN)
    yield Figure(f"{name}, lower end of 95 %", low, Unit.SHARE, least=0.0)


def _held_out(scopes: Mapping[str, Pairs]) -> dict[str, _HeldOut]:
    questions = {scope: _questions(pairs) for scope, pairs in scopes.items()}
    plain = held_out_qualities(_side(scopes, 0))
    lexical = held_out_qualities(_side(questions, 0))
    hybrid = held_out_qualities(_side(questions, 1), _HYBRID_SIGNALS, _HELD)
    found: dict[str, _HeldOut] = {}
    for scope, pairs in scopes.items():
        of_questions = iter(hybrid[scope])
        joined = [
            next(of_questions) if each.is_hybrid else by_words
            for (_, each), by_words in zip(pairs, plain[scope], strict=True)
        ]
        asked = [each for _, each in questions[scope]]
        found[scope] = _HeldOut(
            by_repository([each for _, each in pairs], joined),
            by_repository(asked, lexical[scope]),
            by_repository(asked, hybrid[scope]),
        )
    return found


def _questions(pairs: Pairs) -> Pairs:
    """Those that vectors had a part in."""
    return [pair for pair in pairs if pair[1].is_hybrid]


def _side(scopes: Mapping[str, Pairs], place: int) -> dict[str, list[Answered]]:
    return {scope: [pair[place] for pair in pairs] for scope, pairs in scopes.items()}


def _as_ranked(pairs: Pairs, place: int) -> dict[str, float]:
    """The quality of each repository."""
    found: dict[str, list[float]] = {}
    for pair in pairs:
        each = pair[place]
        found.setdefault(each.query.repo, []).append(ndcg(each.shown, each.query.targets))
    return {name: fmean(values) for name, values in sorted(found.items())}


def _mean(qualities: Mapping[str, float]) -> float:
    return fmean(qualities.values())


def _gain(better: Mapping[str, float], than: Mapping[str, float]) -> tuple[float, float, float]:
    """The mean difference over repositories, and the ends of its interval by drawing from them."""
    gains = np.array([better[name] - than[name] for name in better])
    draws = np.random.default_rng(0).integers(0, len(gains), (_DRAWS, len(gains)))
    low, high = np.percentile(gains[draws].mean(axis=1), [2.5, 97.5])
    return float(gains.mean()), float(low), float(high)


SUITE: Final = DataSuite(
    name="semantic",
    about=(
        "Questions on annotated repositories with vectors and without, on the same indexes: the"
        " mean over repositories of NDCG@10, the gain with its interval over repositories, and both"
        " when the tables of weights are fitted, on sub-folders and whole repositories together,"
        " without the repository they are judged by."
    ),
    data="dev queries",
    measure=measure,
)
