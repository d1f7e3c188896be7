"""Fits the weights of the intent classifier; prints them as `intent_weights.py` has them.

    python -m benchmarks.suites.quality.intent.fit

Multinomial logistic regression on the part that is not held out. The penalty is the largest whose
log loss in cross-validation is within one standard error of the lowest: smaller weights are surer
to hold for queries of other people, and the log loss is what makes probabilities honest.
"""

import sys
from typing import Final, get_args

import numpy as np
import numpy.typing as npt

from benchmarks.suites.quality.intent.labelled import LabelledQuery, load_queries
from cruxe.config.settings import IntentSettings
from cruxe.model.intent import QueryShape
from cruxe.query.understand.intent_classifier import features_of
from cruxe.query.understand.intent_weights import Feature

Matrix = npt.NDArray[np.float64]
_PENALTIES: Final = (0.01, 0.03, 0.1, 0.2, 0.4, 0.8, 1.6)
_FOLDS: Final = 8
_STEPS: Final = 1_500
_DIGITS: Final = 1
_SHAPES: Final = tuple(QueryShape)
_FEATURES: Final[tuple[Feature, ...]] = get_args(Feature)


def main() -> int:
    """Choose the penalty, fit, print."""
    queries = [query for query in load_queries() if not query.is_held_out]
    seen, labels = _matrix(queries), _labels(queries)
    penalty = _choose_penalty(seen, labels)
    weights = np.round(_fit(seen, labels, penalty), _DIGITS) + 0.0
    print(
        f"# penalty {penalty}, {len(queries)} queries, log loss {_loss(seen, labels, weights):.4f}"
    )
    for feature, row in zip(_FEATURES, weights, strict=True):
        numbers = ", ".join(f"{weight:.{_DIGITS}f}" for weight in row)
        print(f'    "{feature}": ({numbers}),')
    return 0


def _matrix(queries: list[LabelledQuery]) -> Matrix:
    settings = IntentSettings()
    rows = [features_of(query.text, settings).values for query in queries]
    return np.array([[row.get(feature, 0.0) for feature in _FEATURES] for row in rows])


def _labels(queries: list[LabelledQuery]) -> Matrix:
    return np.array([[float(query.shape is shape) for shape in _SHAPES] for query in queries])


def _choose_penalty(seen: Matrix, labels: Matrix) -> float:
    losses = {penalty: _cross_validated(seen, labels, penalty) for penalty in _PENALTIES}
    for penalty, folds in losses.items():
        print(f"# penalty {penalty}: log loss {folds.mean():.4f} in cross-validation")
    lowest = min(losses.values(), key=np.mean)
    limit = lowest.mean() + lowest.std() / np.sqrt(_FOLDS)
    return max(penalty for penalty, folds in losses.items() if folds.mean() <= limit)


def _cross_validated(seen: Matrix, labels: Matrix, penalty: float) -> Matrix:
    folds = np.arange(len(seen)) % _FOLDS
    losses = [
        _loss(
            seen[folds == fold],
            labels[folds == fold],
            _fit(seen[folds != fold], labels[folds != fold], penalty),
        )
        for fold in range(_FOLDS)
    ]
    return np.array(losses)


def _fit(seen: Matrix, labels: Matrix, penalty: float) -> Matrix:
    """Adam on the whole set: the problem is convex, so nothing depends on the start."""
    weights = np.zeros((seen.shape[1], labels.shape[1]))
    mean, variance = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        slope = seen.T @ (_probabilities(seen, weights) - labels) + penalty * weights
        mean = 0.9 * mean + 0.1 * slope
        variance = 0.99 * variance + 0.01 * slope**2
        pace = 0.1 * (1 - step / _STEPS)
        weights -= pace * (mean / (1 - 0.9**step)) / (np.sqrt(variance / (1 - 0.99**step)) + 1e-9)
    return weights


def _probabilities(seen: Matrix, weights: Matrix) -> Matrix:
    scores = seen @ weights
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _loss(seen: Matrix, labels: Matrix, weights: Matrix) -> float:
    likely = (_probabilities(seen, weights) * labels).sum(axis=1)
    return float(-np.log(likely).mean())


if __name__ == "__main__":
    sys.exit(main())
