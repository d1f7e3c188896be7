"""Training: a table is the mean of several runs, and the same whenever it is made."""

from string import ascii_lowercase

import numpy as np
import pytest

from training.features import Features, Ragged

pytest.importorskip("scipy", reason="training has requirements of its own")

from training.batches import BATCH, Batches
from training.train import Floats, Recipe, train

PIECES = len(ascii_lowercase)


def test_a_table_is_the_mean_of_its_runs_and_the_same_again() -> None:
    start = np.random.default_rng(5).standard_normal((PIECES, 8)).astype(np.float32)

    def runs(seed: int, count: int) -> Floats:
        return train(start, _batches, Recipe(steps=3, seed=seed, runs=count))

    both = runs(1, 2)

    np.testing.assert_array_equal(both, runs(1, 2))
    np.testing.assert_allclose(both, (runs(1, 1) + runs(2, 1)) / 2, atol=1e-6)
    assert not np.array_equal(runs(1, 1), runs(2, 1))


def _batches(seed: int) -> Batches:
    """Batches of a thousand pairs that ask for a letter and are answered by it."""
    rows = np.arange(BATCH) % PIECES
    field = Ragged(np.arange(BATCH + 1), rows.astype(np.uint16), np.ones(BATCH, np.uint8))
    features = Features(field, field, field, field, field, np.zeros(BATCH, np.uint8))
    return Batches(features, [np.array([0])], PIECES, seed)
