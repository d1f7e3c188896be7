"""The weights for pasted texts, fitted so that a file of the fix comes first.

A soft-max over an issue's candidates, by gradient steps (Adam). Weights start at those that ship,
are drawn to them and never fall below zero.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.suites.quality.localise.answers import Answered
from cruxe.query.rank.pasted import PASTED_TABLE

_STEPS: Final = 150
_STEP_SIZE: Final = 0.05
_DRAWN: Final = 4.0  # over all issues together

Numbers = NDArray[np.float64]
SHIPPED: Final = np.array([signal.weight for signal in PASTED_TABLE.signals])


def fit(answered: Sequence[Answered]) -> Numbers:
    """Fit the weights of the table to some issues."""
    rows = [(each.signals, _is_gold(each)) for each in answered]
    telling = [(values, is_gold) for values, is_gold in rows if is_gold.any()]
    weights = SHIPPED.copy()
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        gradient = _DRAWN / 2 * (weights - SHIPPED)
        for values, is_gold in telling:
            gradient = gradient + _pull(values, is_gold, weights)
        gradient = gradient / len(telling)
        mean = 0.9 * mean + 0.1 * gradient
        spread = 0.999 * spread + 0.001 * gradient**2
        scaled = (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
        weights = np.maximum(0.0, weights - _STEP_SIZE * scaled)
    return weights


def order_by(each: Answered, weights: Numbers) -> list[str]:
    """The candidates in the order that some weights give."""
    scores = np.round(each.signals @ weights, 9)
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], each.candidates[i]))
    return [each.candidates[index] for index in order]


def held_out_orders(answered: Sequence[Answered]) -> list[list[str]]:
    """The candidates of each issue, by weights fitted without its repository."""
    repositories = sorted({each.issue.repo for each in answered})
    weights = {
        repo: fit([each for each in answered if each.issue.repo != repo]) for repo in repositories
    }
    return [order_by(each, weights[each.issue.repo]) for each in answered]


def _is_gold(each: Answered) -> NDArray[np.bool_]:
    return np.array([path in each.issue.files for path in each.candidates], dtype=np.bool_)


def _pull(values: Numbers, is_gold: NDArray[np.bool_], weights: Numbers) -> Numbers:
    scores = values @ weights
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    wanted = np.where(is_gold, shares, 0.0)
    wanted /= wanted.sum()
    return np.asarray(values.T @ (shares - wanted))
