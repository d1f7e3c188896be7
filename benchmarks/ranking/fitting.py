"""The weights of the signals, fitted so that what answers a query comes first.

A listwise fit: soft-max over the candidates of each query, weights never below zero, every
repository counting the same. `python -m benchmarks.ranking.fitting` prints weights fitted on all
repositories, and the quality of weights fitted on others than those they are judged by.
"""

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.ranking.candidates import Answered
from benchmarks.ranking.queries import ndcg
from cruxe.query.signals import SIGNALS, Signal

_STEPS: Final = 250
_STEP_SIZE: Final = 0.08
_DECAY: Final = 0.002  # keeps a weight from growing where nothing holds it
_FOLDS: Final = 5

Weights = NDArray[np.float64]


def fit(answered: Sequence[Answered], signals: Sequence[Signal] = SIGNALS) -> Weights:
    """Fit the weights of a table by gradient steps scaled to each weight (Adam)."""
    lists = [_with_gains(each) for each in answered]
    usable = [(signals, gains) for signals, gains in lists if gains.sum() > 0]
    counts: dict[str, int] = defaultdict(int)
    for each in answered:
        counts[each.query.repo] += 1
    shares = [
        1 / counts[each.query.repo]
        for each, (_, gains) in zip(answered, lists, strict=True)
        if gains.sum() > 0
    ]
    weights = np.array([signal.weight for signal in signals])
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        gradient = _DECAY * weights
        for (values, gains), share in zip(usable, shares, strict=True):
            scores = values @ weights
            powers = np.exp(scores - scores.max())
            wanted = gains / gains.sum() - powers / powers.sum()
            gradient -= share / sum(shares) * (values.T @ wanted)
        mean = 0.9 * mean + 0.1 * gradient
        spread = 0.99 * spread + 0.01 * gradient**2
        scaled = (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-9)
        weights = np.maximum(0.0, weights - _STEP_SIZE * scaled)
    return weights


def cross_validated(answered: Sequence[Answered]) -> float:
    """The mean over repositories of the quality under weights fitted without them."""
    return fmean(qualities_of(answered).values())


def qualities_of(
    answered: Sequence[Answered], signals: Sequence[Signal] = SIGNALS
) -> dict[str, float]:
    """The quality of each repository under weights fitted without it."""
    repositories = sorted({each.query.repo for each in answered})
    fold_of = {name: number % _FOLDS for number, name in enumerate(repositories)}
    qualities: dict[str, list[float]] = defaultdict(list)
    for fold in range(_FOLDS):
        weights = fit([each for each in answered if fold_of[each.query.repo] != fold], signals)
        for each in answered:
            if fold_of[each.query.repo] == fold:
                qualities[each.query.repo].append(quality(each, weights))
    return {name: fmean(values) for name, values in sorted(qualities.items())}


def quality(each: Answered, weights: Weights) -> float:
    """The quality of one query's candidates in the order that some weights give."""
    scores = np.round(each.signals @ weights, 9)
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], each.candidates[i].path))
    return ndcg([each.candidates[i] for i in order[:10]], each.query.targets)


def _with_gains(each: Answered) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    gains = [float(ndcg([shown], each.query.targets) > 0) for shown in each.candidates]
    return each.signals, np.array(gains)
