"""The weights of the signals, fitted so that what answers a query comes first.

Every candidate that answers a query is paired with those that do not. A pair counts for what an
exchange of its two places would change in the quality, and each step moves the weights so that the
right one of it wins (LambdaRank, by Burges, for a plain sum). Weights never fall below zero, all
start at one and may be held to it, and every repository counts the same.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.suites.quality.ranking.candidates import Answered
from benchmarks.suites.quality.ranking.queries import ndcg
from cruxe.query.rank.signals import SIGNALS, Signal

_STEPS: Final = 160
_STEP_SIZE: Final = 0.05
_DECAY: Final = 0.0002  # keeps a weight from growing where nothing holds it
_FOLDS: Final = 5
# Candidates of a query that are further down, by weights all alike, cannot come first.
_FIRST: Final = 40
# What is no longer looked at counts half, so that it is still drawn nearer.
_DEPTH: Final = 10
_BEYOND: Final = 0.5

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


class _Pairs(NamedTuple):
    """The candidates of all queries, one below the other, and which of them are to beat which."""

    values: Numbers  # a row a candidate, a column a signal
    starts: Places  # by query: its first row
    queries: Places  # by row
    better: Places  # by pair: a row
    worse: Places
    shares: Numbers  # by pair: what its query counts for


def fit(
    answered: Sequence[Answered], signals: Sequence[Signal] = SIGNALS, held: float = 0.0
) -> Numbers:
    """Fit the weights of a table by gradient steps scaled to each weight (Adam).

    What is given is the mean of the later half of the steps, which go to and fro around it. The
    more weights are held, the more must speak for one that is not as large as the others.
    """
    pairs = _pairs_of(answered)
    weights = np.ones(len(signals))
    mean, spread, later = np.zeros_like(weights), np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        gradient = _gradient(pairs, weights) + _DECAY * weights + held * (weights - 1)
        mean = 0.9 * mean + 0.1 * gradient
        spread = 0.99 * spread + 0.01 * gradient**2
        scaled = (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-9)
        weights = np.maximum(0.0, weights - _STEP_SIZE * scaled)
        if step > _STEPS // 2:
            later += weights / (_STEPS - _STEPS // 2)
    return later


def held_out_qualities(
    scopes: Mapping[str, Sequence[Answered]],
    signals: Sequence[Signal] = SIGNALS,
    held: float = 0.0,
) -> dict[str, list[float]]:
    """The quality of each query of each scope, under weights fitted without its repository.

    The weights that ship are fitted on all scopes together. So are these, and a repository that is
    left out is left out of all of them.
    """
    qualities = iter(_held_out([*chain.from_iterable(scopes.values())], signals, held))
    return {scope: [*islice(qualities, len(answered))] for scope, answered in scopes.items()}


def by_repository(answered: Sequence[Answered], qualities: Iterable[float]) -> dict[str, float]:
    """The mean of each repository's queries."""
    found: dict[str, list[float]] = defaultdict(list)
    for each, value in zip(answered, qualities, strict=True):
        found[each.query.repo].append(value)
    return {name: fmean(values) for name, values in sorted(found.items())}


def quality(each: Answered, weights: Numbers) -> float:
    """The quality of one query's candidates in the order that some weights give."""
    scores = np.round(each.signals @ weights, 9)
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], each.candidates[i].path))
    return ndcg([each.candidates[i] for i in order[:_DEPTH]], each.query.targets)


def _held_out(answered: Sequence[Answered], signals: Sequence[Signal], held: float) -> list[float]:
    repositories = sorted({each.query.repo for each in answered})
    fold_of = {name: number % _FOLDS for number, name in enumerate(repositories)}
    weights = [
        fit([each for each in answered if fold_of[each.query.repo] != fold], signals, held)
        for fold in range(_FOLDS)
    ]
    return [quality(each, weights[fold_of[each.query.repo]]) for each in answered]


def _gradient(pairs: _Pairs, weights: Numbers) -> Numbers:
    scores = pairs.values @ weights
    order = np.lexsort((-scores, pairs.queries))
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[order] = np.arange(len(scores)) - pairs.starts[pairs.queries[order]]
    gains = np.where(ranks < _DEPTH, 1.0, _BEYOND) / np.log2(ranks + 2)
    change = np.abs(gains[pairs.better] - gains[pairs.worse])
    pull = pairs.shares * change / (1 + np.exp(scores[pairs.better] - scores[pairs.worse]))
    forces = np.bincount(pairs.worse, pull, len(scores))
    forces -= np.bincount(pairs.better, pull, len(scores))
    return np.asarray(pairs.values.T @ forces)


def _pairs_of(answered: Sequence[Answered]) -> _Pairs:
    counts = Counter(each.query.repo for each in answered)
    values: list[Numbers] = []
    better: list[Places] = []
    worse: list[Places] = []
    shares: list[Numbers] = []
    row = 0
    for each in answered:
        kept, is_target = _first_candidates(each)
        if not is_target.any():
            continue
        right, wrong = np.flatnonzero(is_target) + row, np.flatnonzero(~is_target) + row
        better.append(np.repeat(right, len(wrong)))
        worse.append(np.tile(wrong, len(right)))
        share = 1 / counts[each.query.repo] / _ideal(each) / len(counts)
        shares.append(np.full(len(right) * len(wrong), share))
        values.append(kept)
        row += len(kept)
    sizes = np.array([len(each) for each in values])
    return _Pairs(
        np.concatenate(values),
        np.cumsum(sizes) - sizes,
        np.repeat(np.arange(len(sizes)), sizes),
        *(np.concatenate(better), np.concatenate(worse), np.concatenate(shares)),
    )


def _first_candidates(each: Answered) -> tuple[Numbers, NDArray[np.bool_]]:
    """The values of what may come first, and which of it answers the query."""
    targets = [ndcg([shown], each.query.targets) > 0 for shown in each.candidates]
    if not targets:
        return each.signals, np.array([], dtype=np.bool_)
    order = np.argsort(-each.signals.sum(axis=1), kind="stable")
    kept = np.union1d(order[:_FIRST], np.flatnonzero(targets))
    return each.signals[kept], np.array(targets)[kept]


def _ideal(each: Answered) -> float:
    return float(sum(1 / np.log2(rank + 2) for rank in range(min(_DEPTH, len(each.query.targets)))))
