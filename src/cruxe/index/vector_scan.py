"""The nearest rows by numpy: what `vector_reader.py` does without it, not a bit differs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cruxe.embed.mixing import FULL_PRODUCT, NUMBERS_PER_BYTE, query_code
from cruxe.model.rounding import DIGITS, NEARLY_HALF, PARTS

if TYPE_CHECKING:
    import mmap

_CODE_WORD_BYTES = 8


class VectorScan:
    """Some runs of rows, laid out for questions."""

    def __init__(
        self,
        codes: "mmap.mmap | bytes",
        rows: "mmap.mmap | bytes",
        runs: Sequence[tuple[int, int]],
        dimensions: int,
    ) -> None:
        """Copy the codes, the first word of all rows first: so they are read without gaps."""
        words = dimensions // NUMBERS_PER_BYTE // _CODE_WORD_BYTES
        table = np.frombuffer(codes, np.uint64)
        table = table[: len(table) // words * words].reshape(-1, words)
        self._words = np.concatenate([table[first : first + count].T for first, count in runs], 1)
        self._numbers = np.concatenate([np.arange(first, first + count) for first, count in runs])
        values = np.frombuffer(rows, np.int8)
        self._values = values[: len(values) // dimensions * dimensions].reshape(-1, dimensions)

    def nearest(self, query: Sequence[int], least: int) -> tuple[list[int], list[float], float]:
        """At least so many rows that are nearest to a query, how near each is, and half of them."""
        distances = np.zeros(len(self._numbers), np.uint16)
        for word, own in zip(np.frombuffer(query_code(query), np.uint64), self._words, strict=True):
            distances += np.bitwise_count(own ^ word)
        so_far = np.cumsum(np.bincount(distances))
        limit = np.searchsorted(so_far, min(least, len(distances)))
        near = self._numbers[distances <= limit]
        # Exact: no product of the two leaves what 32-bit floats hold exactly.
        exact = self._values[near].astype(np.float32) @ np.array(query, np.float32)
        products = exact.astype(np.float64)
        middle = float(np.median(products)) / FULL_PRODUCT
        return near.tolist(), rounded_all(products / FULL_PRODUCT), middle


def rounded_all(values: NDArray[np.float64]) -> list[float]:
    """What `model.rounding.rounded` gives for each."""
    products = values * PARTS
    wholes = np.rint(products)
    found: list[float] = (wholes / PARTS).tolist()
    for place in np.flatnonzero(np.abs(products - wholes) >= NEARLY_HALF).tolist():
        found[place] = round(float(values[place]), DIGITS)
    return found
