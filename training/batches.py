"""Encoded pairs to batches: what is asked and what answers it, as sparse rows over the vocabulary.

Questions are varied on the way: cut short, words dropped, the name of what they are about added,
question words put around them, so that the table learns what such words are worth: nothing.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from training.features import Features, Ints, Ragged

BATCH: Final = 1024
# Words that people and agents put around what they look for.
FRAMES: Final = (
    "how does it work", "how is implemented", "how are handled", "where is defined", "what does",
    "the code that", "logic for", "implementation of", "and", "support", "handling", "how", "where",
    "system", "module", "functions for", "using",
)  # fmt: skip
_FRAMED_SHARE: Final = 0.35
_NAMED_SHARE: Final = 0.12  # questions that also hold the name of what they ask for
_BARE_SHARE: Final = 0.1  # questions that hold nothing but the name
_FEWEST_NAME_PIECES: Final = 2
_CUT_SHARE: Final = 0.6
_SHORTEST_CUT: Final = 5
_LONGEST_CUT: Final = 22
_QUESTION_DROP: Final = 0.05
_CODE_DROP: Final = 0.15
# A share of the documents goes without path or stem, so that the text learns to carry the meaning.
_PLACE_SHARE: Final = 0.7

Matrix: TypeAlias = sparse.csr_matrix


class Batch(NamedTuple):
    """Sparse rows, one a pair; what answers a question comes in three fields."""

    question: Matrix
    code: Matrix
    path: Matrix
    stem: Matrix


class Batches:
    """Draws batches from pairs; the same for the same seed."""

    def __init__(self, features: Features, frames: Sequence[Ints], size: int, seed: int) -> None:
        """Take pairs, the pieces of the frames, and the size of the vocabulary."""
        self._features = features
        self._frames = frames
        self._size = size
        self._chance = np.random.default_rng(seed)

    def draw(self) -> Iterator[Batch]:
        """Batches of one pass over all pairs, in a new order each time."""
        order = self._chance.permutation(len(self._features.kind))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            yield self._batch(order[at : at + BATCH])

    def _batch(self, chosen: Ints) -> Batch:
        features = self._features
        return Batch(
            self._questions(chosen),
            self._documents(features.code, chosen, np.ones(len(chosen), np.bool_), _CODE_DROP),
            self._documents(features.path, chosen, self._flips(len(chosen), _PLACE_SHARE), 0),
            self._documents(features.stem, chosen, self._flips(len(chosen), _PLACE_SHARE), 0),
        )

    def _flips(self, count: int, share: float) -> NDArray[np.bool_]:
        flips: NDArray[np.bool_] = self._chance.random(count) < share
        return flips

    def _questions(self, chosen: Ints) -> Matrix:
        count = len(chosen)
        rows, places, at = _gather(self._features.question, chosen)
        limits = np.where(
            self._flips(count, _CUT_SHARE),
            self._chance.integers(_SHORTEST_CUT, _LONGEST_CUT, count),
            len(places) + 1,
        )
        kept = (at < limits[rows]) & ~self._flips(len(rows), _QUESTION_DROP) | (at == 0)
        name_lengths = np.diff(self._features.name.starts)[chosen]
        bare = self._flips(count, _BARE_SHARE) & (name_lengths >= _FEWEST_NAME_PIECES)
        kept &= ~bare[rows]
        named = np.flatnonzero(self._flips(count, _NAMED_SHARE) | bare)
        named_rows, named_places, _ = _gather(self._features.name, chosen[named])
        framed = np.flatnonzero(self._flips(count, _FRAMED_SHARE))
        picks = [
            self._frames[each] for each in self._chance.integers(0, len(self._frames), len(framed))
        ]
        return self._matrix(
            np.concatenate([rows[kept], named[named_rows], np.repeat(framed, [*map(len, picks)])]),
            np.concatenate([places[kept], named_places, *picks]),
            None,
            count,
        )

    def _documents(
        self, field: Ragged, chosen: Ints, used: NDArray[np.bool_], drop: float
    ) -> Matrix:
        """Rows of a field, frequent pieces damped as at run time; unused rows are empty."""
        rows, places, _ = _gather(field, chosen)
        counts = field.counts[_positions(field, chosen)].astype(np.float32)
        kept = used[rows] & ~self._flips(len(rows), drop)
        weights = 1 + np.log(counts[kept])
        return self._matrix(rows[kept], places[kept], weights, len(chosen))

    def _matrix(
        self, rows: Ints, places: Ints, weights: NDArray[np.float32] | None, count: int
    ) -> Matrix:
        values = np.ones(len(rows), np.float32) if weights is None else weights
        return sparse.csr_matrix((values, (rows, places)), shape=(count, self._size))


def whole_field(field: Ragged, size: int, *, damped: bool) -> Matrix:
    """All rows of a field, as they are."""
    counts = field.counts.astype(np.float32)
    weights = 1 + np.log(counts) if damped else counts
    shape = (len(field.starts) - 1, size)
    return sparse.csr_matrix((weights, field.places.astype(np.int32), field.starts), shape=shape)


def _positions(field: Ragged, chosen: Ints) -> Ints:
    lengths = field.starts[chosen + 1] - field.starts[chosen]
    before = np.cumsum(lengths) - lengths
    positions: Ints = np.arange(lengths.sum()) + np.repeat(field.starts[chosen] - before, lengths)
    return positions


def _gather(field: Ragged, chosen: Ints) -> tuple[Ints, Ints, Ints]:
    """Of the chosen rows: which of them, which piece, and the how-manieth of its row."""
    lengths = field.starts[chosen + 1] - field.starts[chosen]
    before = np.cumsum(lengths) - lengths
    at = np.arange(lengths.sum()) - np.repeat(before, lengths)
    places = field.places[_positions(field, chosen)].astype(np.int64)
    return np.repeat(np.arange(len(chosen)), lengths), places, at
