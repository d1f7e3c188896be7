"""The nearest rows by numpy: what `vector_reader.py` does without it, not a bit differs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from cruxe.embed.mixing import FULL_PRODUCT, NUMBERS_PER_BYTE
from cruxe.index.near_rows import DOCS, NearRows
from cruxe.index.vector_rows import PackedSpans
from cruxe.model.rounding import DIGITS, NEARLY_HALF, PARTS

if TYPE_CHECKING:
    import mmap

    Files = tuple[mmap.mmap | bytes, mmap.mmap | bytes]  # codes and rows

_CODE_WORD_BYTES: Final = 8


class VectorScan:
    """Some runs of rows, laid out for questions."""

    def __init__(
        self,
        files: "Files",
        runs: Sequence[tuple[int, int]],
        spans: PackedSpans,
        dimensions: int,
    ) -> None:
        """Copy the codes, the first word of all rows first: so they are read without gaps."""
        codes, rows = files
        words = dimensions // NUMBERS_PER_BYTE // _CODE_WORD_BYTES
        table = np.frombuffer(codes, np.uint64)
        table = table[: len(table) // words * words].reshape(-1, words)
        self._words = np.concatenate([table[first : first + count].T for first, count in runs], 1)
        self._numbers = np.concatenate([np.arange(first, first + count) for first, count in runs])
        values = np.frombuffer(rows, np.int8)
        self._values = values[: len(values) // dimensions * dimensions].reshape(-1, dimensions)
        self._keys, self._firsts, self._counts = (np.array(each, np.int64) for each in spans)

    def nearest(self, query: Sequence[int], least: int) -> NearRows:
        """At least so many rows that are nearest to a query."""
        asked = np.array(query, np.float32)
        distances = self._distances(np.packbits(asked > 0).view(np.uint64))
        so_far = np.cumsum(np.bincount(distances))
        limit = np.searchsorted(so_far, min(least, len(distances)))
        near = self._numbers[np.flatnonzero(distances <= limit)]
        # Exact: no product of the two leaves what 32-bit floats hold exactly. Not by `@`: for so
        # few rows the threads of a BLAS cost more than they bring.
        values = self._values.take(near, axis=0).astype(np.float32)
        exact = np.einsum("ij,j->i", values, asked)
        products = exact.astype(np.float64)
        ordered, half = np.sort(products), len(products) // 2
        middle = float(ordered[half] + ordered[~half]) / 2 / FULL_PRODUCT
        return self._named(near, rounded_all(products / FULL_PRODUCT), middle)

    def _distances(self, code: NDArray[np.uint64]) -> NDArray[np.uint16]:
        """In how many bits each row differs from a code."""
        count = len(self._numbers)
        differing, bits = np.empty(count, np.uint64), np.empty(count, np.uint8)
        distances = np.zeros(count, np.uint16)
        for word, own in zip(code, self._words, strict=True):
            np.bitwise_xor(own, word, out=differing)
            distances += np.bitwise_count(differing, out=bits)
        return distances

    def _named(
        self, rows: NDArray[np.int64], similarities: NDArray[np.float64], middle: float
    ) -> NearRows:
        """Rows in rising order, put in the order of their similarities and named."""
        places = np.searchsorted(self._firsts, rows, side="right") - 1
        chunks = rows - self._firsts[places]
        chunks[chunks == self._counts[places] - 1] = DOCS
        order = np.argsort(-similarities, kind="stable")
        columns = self._keys[places], chunks, similarities
        keys, chunks_found, found = (column[order].tolist() for column in columns)
        return NearRows(keys, chunks_found, found, middle)


def rounded_all(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """What `model.rounding.rounded` gives for each."""
    products = values * PARTS
    wholes = np.rint(products)
    found = wholes / PARTS
    for place in np.flatnonzero(np.abs(products - wholes) >= NEARLY_HALF).tolist():
        found[place] = round(float(values[place]), DIGITS)
    return found
