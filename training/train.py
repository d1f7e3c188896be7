"""Pairs to a table: each question pulled to its own code and pushed from all other of the batch.

Vectors are made as at run time: pieces summed, fields scaled to unit length and mixed. The
gradient is written out; the sums are sparse products, so an ordinary processor needs minutes.
"""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from cruxe.embed.encoding import PATH_WEIGHT, STEM_WEIGHT
from training.batches import Batch, Batches, Matrix, whole_field
from training.features import Features

Floats = NDArray[np.float32]

_MOMENTUM: Final = 0.9
_SECOND_MOMENTUM: Final = 0.98
_EPSILON: Final = 1e-9
_WARM_UP_STEPS: Final = 30
_LAST_RATE_SHARE: Final = 0.05
_FORWARD_SHARE: Final = 0.7  # question to code; the rest is code to question
_TINY: Final = np.float32(1e-9)
_BLOCK: Final = 8192


class Recipe(NamedTuple):
    """What can be chosen about a run."""

    steps: int = 500
    rate: float = 0.003
    sharpness: float = 22.0  # the inverse of the temperature
    seed: int = 1  # of the first run; the others have those that follow
    runs: int = 4


class _Pooled(NamedTuple):
    """Sums of rows, scaled to unit length; with what the way back needs."""

    matrix: Matrix
    lengths: Floats
    units: Floats


def train(start: Floats, batches_of: Callable[[int], Batches], recipe: Recipe) -> Floats:
    """The mean of some runs from the same start, by the batches of one seed each.

    What chance gave to a row in one run, the others take from it.
    """
    total = np.zeros(start.shape, np.float64)
    for seed in range(recipe.seed, recipe.seed + recipe.runs):
        total += _run(start, batches_of(seed), recipe)
    return (total / recipe.runs).astype(np.float32)


def mean_document(table: Floats, features: Features) -> Floats:
    """The mean of the unit vectors of all code, with their places, as at run time."""
    size, total = len(table), np.zeros(table.shape[1], np.float32)
    fields = [
        whole_field(each, size, damped=True)
        for each in (features.code, features.path, features.stem)
    ]
    count = fields[0].shape[0]
    for at in range(0, count, _BLOCK):
        block = slice(at, at + _BLOCK)
        code, path, stem = (_scaled(each[block] @ table) for each in fields)
        total += _scaled(code + PATH_WEIGHT * path + STEM_WEIGHT * stem).sum(0)
    return total / np.float32(count)


def _run(start: Floats, batches: Batches, recipe: Recipe) -> Floats:
    """Train a table from a start, which is left as it is."""
    table = start.astype(np.float32, copy=True)
    optimiser = _Adam(table)
    began, mean_loss = time.process_time(), 0.0
    for step, batch in enumerate(_endless(batches)):
        if step == recipe.steps:
            break
        loss, gradient, touched = _gradient(table, batch, recipe.sharpness)
        optimiser.step(touched, gradient, _rate_at(step, recipe))
        mean_loss += 0.05 * (loss - mean_loss) if step else loss
        if step % 50 == 0:
            spent = time.process_time() - began
            sys.stderr.write(f"step {step}, loss {mean_loss:.3f}, {spent:.0f} s of CPU\n")
    return table


def _endless(batches: Batches) -> Iterator[Batch]:
    while True:
        yield from batches.draw()


def _rate_at(step: int, recipe: Recipe) -> float:
    """Up in a straight line, then down along a cosine."""
    warmth = min(1.0, (step + 1) / _WARM_UP_STEPS)
    cosine = 0.5 * (1 + np.cos(np.pi * step / recipe.steps))
    return float(recipe.rate * warmth * (_LAST_RATE_SHARE + (1 - _LAST_RATE_SHARE) * cosine))


def _gradient(
    table: Floats, batch: Batch, sharpness: float
) -> tuple[float, Floats, NDArray[np.int64]]:
    """The loss, and the gradient of the rows that a batch touches."""
    joined = sparse.vstack(batch, format="csr")
    touched, columns = np.unique(joined.indices, return_inverse=True)
    joined = sparse.csr_matrix(
        (joined.data, columns, joined.indptr), shape=(joined.shape[0], len(touched))
    )
    rows, count = table[touched], batch.question.shape[0]
    question, code, path, stem = (
        _pool(joined[at * count : (at + 1) * count], rows) for at in range(len(batch))
    )
    weights = (1.0, PATH_WEIGHT, STEM_WEIGHT)
    mixed = code.units + PATH_WEIGHT * path.units + STEM_WEIGHT * stem.units
    lengths = _lengths(mixed)
    documents = mixed / lengths
    loss, to_question, to_document = _contrast(question.units, documents, sharpness)
    to_mixed = _through_unit(to_document, documents, lengths)
    gradient = _back(question, to_question)
    for weight, each in zip(weights, (code, path, stem), strict=True):
        gradient += _back(each, np.float32(weight) * to_mixed)
    return loss, gradient, touched.astype(np.int64)


def _pool(matrix: Matrix, rows: Floats) -> _Pooled:
    sums: Floats = matrix @ rows
    lengths = _lengths(sums)
    return _Pooled(matrix, lengths, sums / lengths)


def _back(pooled: _Pooled, to_units: Floats) -> Floats:
    gradient: Floats = pooled.matrix.T @ _through_unit(to_units, pooled.units, pooled.lengths)
    return gradient


def _contrast(
    questions: Floats, documents: Floats, sharpness: float
) -> tuple[float, Floats, Floats]:
    """How badly each question finds its document and the reverse; with the gradients of both."""
    scores = questions @ documents.T * np.float32(sharpness)
    right = np.diag_indices(len(scores))
    forward, forward_loss = _shares(scores, 1)
    backward, backward_loss = _shares(scores, 0)
    loss = _FORWARD_SHARE * forward_loss + (1 - _FORWARD_SHARE) * backward_loss
    to_scores = np.float32(_FORWARD_SHARE) * forward + np.float32(1 - _FORWARD_SHARE) * backward
    to_scores[right] -= 1
    to_scores *= np.float32(sharpness / len(scores))
    return loss, to_scores @ documents, to_scores.T @ questions


def _shares(scores: Floats, axis: int) -> tuple[Floats, float]:
    shares = np.exp(scores - scores.max(axis, keepdims=True))
    shares /= shares.sum(axis, keepdims=True)
    return shares, float(-np.log(np.diagonal(shares) + _TINY).mean())


def _through_unit(gradient: Floats, units: Floats, lengths: Floats) -> Floats:
    along = (gradient * units).sum(1, keepdims=True)
    through: Floats = (gradient - along * units) / lengths
    return through


def _lengths(rows: Floats) -> Floats:
    """Lengths as a column; one for rows of zeros, which stay zeros."""
    lengths: Floats = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(lengths > _TINY, lengths, np.float32(1))


def _scaled(rows: Floats) -> Floats:
    return rows / _lengths(rows)


class _Adam:
    """Adam on the rows that a batch touches; the others rest."""

    def __init__(self, table: Floats) -> None:
        self._table = table
        self._first, self._second = np.zeros_like(table), np.zeros_like(table)
        self._steps = 0

    def step(self, touched: NDArray[np.int64], gradient: Floats, rate: float) -> None:
        self._steps += 1
        first = _MOMENTUM * self._first[touched] + (1 - _MOMENTUM) * gradient
        second = _SECOND_MOMENTUM * self._second[touched] + (1 - _SECOND_MOMENTUM) * gradient**2
        self._first[touched], self._second[touched] = first, second
        first_scale = 1 - _MOMENTUM**self._steps
        second_scale = 1 - _SECOND_MOMENTUM**self._steps
        move = first / first_scale / (np.sqrt(second / second_scale) + _EPSILON)
        self._table[touched] -= np.float32(rate) * move.astype(np.float32)
