"""The nearest rows by numpy: what `vector_reader.py` does without it, not a bit differs."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cruxe.embed.mixing import NUMBERS_PER_BYTE, query_code

if TYPE_CHECKING:
    import mmap

_CODE_WORD_BYTES = 8


def products_by_numpy(
    codes: "mmap.mmap | bytes",
    rows: "mmap.mmap | bytes",
    spans: Sequence[tuple[int, int, int]],
    query: Sequence[int],
    least: int,
) -> Iterator[tuple[int, int]]:
    """At least so many rows with their products with a query."""
    words = len(query) // NUMBERS_PER_BYTE // _CODE_WORD_BYTES
    code = np.frombuffer(query_code(query), np.uint64)
    table = np.frombuffer(codes, np.uint64)
    table = table[: len(table) // words * words].reshape(-1, words)
    numbers = _row_numbers(spans)
    is_all = len(numbers) == len(table)
    distances = np.zeros(len(numbers), np.uint16)
    for word in range(words):
        column = table[:, word] if is_all else table[numbers, word]
        distances += np.bitwise_count(column ^ code[word])
    so_far = np.cumsum(np.bincount(distances))
    limit = int(np.searchsorted(so_far, min(least, len(numbers))))
    near = numbers[distances <= limit]
    values = np.frombuffer(rows, np.int8)
    values = values[: len(values) // len(query) * len(query)].reshape(-1, len(query))
    # Exact: no product of the two leaves what 32-bit floats hold exactly.
    products = values[near].astype(np.float32) @ np.array(query, np.float32)
    return zip(near.tolist(), map(int, products.tolist()), strict=True)


def _row_numbers(spans: Sequence[tuple[int, int, int]]) -> NDArray[np.int64]:
    firsts = np.array([first for _, first, _ in spans], np.int64)
    counts = np.array([count for _, _, count in spans], np.int64)
    # Each first row, counted on to the end of its span.
    jumps = firsts - (np.cumsum(counts) - counts)
    numbers: NDArray[np.int64] = np.repeat(jumps, counts) + np.arange(counts.sum())
    return numbers
