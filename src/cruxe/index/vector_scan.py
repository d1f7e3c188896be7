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
    runs: Sequence[tuple[int, int]],
    query: Sequence[int],
    least: int,
) -> Iterator[tuple[int, int]]:
    """At least so many rows with their products with a query."""
    words = len(query) // NUMBERS_PER_BYTE // _CODE_WORD_BYTES
    code = np.frombuffer(query_code(query), np.uint64)
    table = np.frombuffer(codes, np.uint64)
    table = table[: len(table) // words * words].reshape(-1, words)
    numbers = _row_numbers(runs)
    parts = [table[first : first + count] for first, count in runs]
    near_rows = parts[0] if len(parts) == 1 else np.concatenate(parts)
    distances = np.zeros(len(numbers), np.uint16)
    for word in range(words):
        distances += np.bitwise_count(near_rows[:, word] ^ code[word])
    so_far = np.cumsum(np.bincount(distances))
    limit = int(np.searchsorted(so_far, min(least, len(numbers))))
    near = numbers[distances <= limit]
    values = np.frombuffer(rows, np.int8)
    values = values[: len(values) // len(query) * len(query)].reshape(-1, len(query))
    # Exact: no product of the two leaves what 32-bit floats hold exactly.
    products = values[near].astype(np.float32) @ np.array(query, np.float32)
    return zip(near.tolist(), map(int, products.tolist()), strict=True)


def _row_numbers(runs: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    return np.concatenate([np.arange(first, first + count) for first, count in runs])
