"""What `mixing.py` does, by numpy and for some files at once; not a bit differs."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

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
    FilePieces,
    damped_count,
)
from cruxe.embed.table import SCALE_UNIT, ModelTable
from cruxe.model.vectors import Vectors

_DAMPED: Final = np.array([0, *map(damped_count, range(1, MAX_COUNT + 1))], np.int64)
# Above the place of a piece in a key, the number of the text that holds it.
_TEXT_SHIFT: Final = 32
_PLACE_MASK: Final = (1 << _TEXT_SHIFT) - 1
# Sums of whole numbers are exact in 64-bit floats below this.
_EXACT_BELOW: Final = 1 << 53


class BatchMixer:
    """A model's table as arrays."""

    def __init__(self, table: ModelTable) -> None:
        """View the table's files; nothing is copied but the scales."""
        rows = np.frombuffer(table.rows, np.int8, offset=table.first_row)
        self._rows = rows.reshape(-1, table.dimensions)
        scales = np.frombuffer(table.scales, "<f2").astype(np.float64)
        self._scales = (scales * SCALE_UNIT).astype(np.int64)
        self._centre = np.array(table.card.centre, np.int8)

    def file_vectors(self, files: Sequence[FilePieces]) -> list[Vectors]:
        """The vectors of each file's chunks, then that of its docs."""
        units = self._units([text for file in files for text in (*file.chunks, *file[1:])])
        kept: list[NDArray[np.float64]] = []
        start = 0
        for file in files:
            doc = start + len(file.chunks)
            place = PATH_WEIGHT * units[doc + 1] + STEM_WEIGHT * units[doc + 2]
            units[start:doc] += place
            kept.append(units[start : doc + 1])
            start = doc + 3
        numbers = _stored(np.concatenate(kept))
        codes = np.packbits(numbers > self._centre, axis=1)
        return list(_by_file(files, numbers, codes))

    def _units(self, texts: Sequence[bytes]) -> NDArray[np.float64]:
        """The sum of each text's rows, of length one; all zeros where there are none."""
        whole = self._sums(texts).astype(np.float64)
        squares = np.vecdot(whole, whole)
        if squares.max() >= _EXACT_BELOW:  # a table with many large numbers
            exact = whole.astype(np.int64)
            squares = np.vecdot(exact, exact).astype(np.float64)
        whole /= np.sqrt(np.maximum(squares, 1.0))[:, np.newaxis]
        return whole

    def _sums(self, texts: Sequence[bytes]) -> NDArray[np.float32]:
        sums = np.zeros((len(texts), self._rows.shape[1]), np.float32)
        places, times, ends = _count(texts)
        weights = _DAMPED.take(np.minimum(times, MAX_COUNT)) * self._scales.take(places)
        so_far = np.zeros(len(weights) + 1, np.int64)
        np.cumsum(weights, out=so_far[1:])
        bounds = so_far.take(ends)
        totals = np.maximum(bounds[1:] - bounds[:-1], 1)
        weights *= TOTAL_WEIGHT
        weights //= np.repeat(totals, ends[1:] - ends[:-1])
        factors = weights.astype(np.float32)
        rows = self._rows.take(places, axis=0)
        for row, (start, end) in zip(sums, pairwise(ends.tolist()), strict=True):
            if end > start:
                # Converted row by row of the result, the rows stay in the processor's cache.
                factors[start:end].dot(rows[start:end].astype(np.float32), out=row)
        return sums


def _stored(mixed: NDArray[np.float64]) -> NDArray[np.int8]:
    """Vectors as they are kept: of one length, a byte a number."""
    mixed *= FRACTIONS
    whole = np.rint(mixed, out=mixed)
    # Numbers below 2 ** 21 of a vector no longer than that: their squares add up exactly.
    lengths = np.sqrt(np.vecdot(whole, whole))
    whole *= (VECTOR_LENGTH / np.maximum(lengths, 1.0))[:, np.newaxis]
    np.rint(whole, out=whole)
    np.maximum(whole, -BYTE_MAX, out=whole)
    return np.minimum(whole, BYTE_MAX, out=whole).astype(np.int8)


def _by_file(
    files: Sequence[FilePieces], numbers: NDArray[np.int8], codes: NDArray[np.uint8]
) -> Iterator[Vectors]:
    start = 0
    for file in files:
        end = start + len(file.chunks) + 1
        yield Vectors(numbers[start:end].tobytes(), codes[start:end].tobytes())
        start = end


class _Counted(NamedTuple):
    """The distinct pieces of some texts, one text after the other."""

    places: NDArray[np.int64]
    times: NDArray[np.int64]
    ends: NDArray[np.int64]  # zero, and where the pieces of each text end


def _count(texts: Sequence[bytes]) -> _Counted:
    places = np.frombuffer(b"".join(texts), np.intc)
    sizes = [len(text) // places.itemsize for text in texts]
    keys = np.repeat(np.arange(len(texts)) << _TEXT_SHIFT, sizes) | places
    keys.sort()
    is_first = np.ones(len(keys) + 1, np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:-1])
    firsts = np.flatnonzero(is_first)
    distinct = keys[firsts[:-1]]
    ends = np.searchsorted(distinct, np.arange(len(texts) + 1) << _TEXT_SHIFT)
    return _Counted(distinct & _PLACE_MASK, firsts[1:] - firsts[:-1], ends)
