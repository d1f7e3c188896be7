"""What `mixing.py` does, by numpy and for a whole file at once; not a bit differs."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from cruxe.embed.mixing import (
    BYTE_MAX,
    FRACTIONS,
    MAX_COUNT,
    PATH_WEIGHT,
    STEM_WEIGHT,
    TOTAL_WEIGHT,
    VECTOR_LENGTH,
    CountedFile,
    damped_count,
)
from cruxe.embed.table import SCALE_UNIT, ModelTable
from cruxe.model.vectors import Vectors

_DAMPED = np.array([0, *map(damped_count, range(1, MAX_COUNT + 1))], np.int64)


class BatchMixer:
    """A model's table as arrays."""

    def __init__(self, table: ModelTable) -> None:
        """View the table's files; nothing is copied but the scales."""
        rows = np.frombuffer(table.rows, np.int8, offset=table.first_row)
        self._rows = rows.reshape(-1, table.dimensions)
        scales = np.frombuffer(table.scales, "<f2").astype(np.float64)
        self._scales = (scales * SCALE_UNIT).astype(np.int64)
        self._centre = np.array(table.card.centre, np.int8)

    def file_vectors(self, counted: CountedFile) -> Vectors:
        """The vectors of a file's chunks, then that of its docs."""
        *chunks, doc, path, stem = self._units([*counted.chunks, *counted[1:]])
        place = PATH_WEIGHT * path + STEM_WEIGHT * stem
        mixed = np.array([*(chunk + place for chunk in chunks), doc])
        whole = np.rint(mixed * FRACTIONS).astype(np.int64)
        factors = VECTOR_LENGTH / np.maximum(_lengths(whole), 1.0)
        numbers = np.rint(whole * factors[:, np.newaxis]).clip(-BYTE_MAX, BYTE_MAX).astype(np.int8)
        codes = np.packbits(numbers > self._centre, axis=1)
        return Vectors(numbers.tobytes(), codes.tobytes())

    def _units(self, counted: Sequence[Mapping[int, int]]) -> NDArray[np.float64]:
        sums = self._sums(counted)
        whole = sums.astype(np.int64)
        lengths = _lengths(whole)
        return whole / np.where(lengths == 0, 1.0, lengths)[:, np.newaxis]

    def _sums(self, counted: Sequence[Mapping[int, int]]) -> NDArray[np.float32]:
        sizes = np.array([len(counts) for counts in counted])
        ends = np.cumsum(sizes)
        size = int(ends[-1])
        places = np.fromiter(chain.from_iterable(counted), np.int64, size)
        times = np.fromiter(chain.from_iterable(each.values() for each in counted), np.int64, size)
        weights = _DAMPED[np.minimum(times, MAX_COUNT)] * self._scales[places]
        so_far = np.concatenate(([0], np.cumsum(weights)))
        totals = np.maximum(1, so_far[ends] - so_far[ends - sizes])
        factors = (weights * TOTAL_WEIGHT // np.repeat(totals, sizes)).astype(np.float32)
        sums = np.zeros((len(counted), self._rows.shape[1]), np.float32)
        for row, start, end in zip(sums, (ends - sizes).tolist(), ends.tolist(), strict=True):
            if end > start:
                # Converted row by row of the result, the rows stay in the processor's cache.
                row[:] = factors[start:end] @ self._rows[places[start:end]].astype(np.float32)
        return sums


def _lengths(numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    squares: NDArray[np.int64] = (numbers * numbers).sum(axis=1)
    return np.sqrt(squares.astype(np.float64))
