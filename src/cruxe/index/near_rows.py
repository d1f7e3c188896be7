"""What a scan of vectors gives: the nearest rows, told by version and chunk."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from cruxe.index.vector_rows import PackedSpans
from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple

# In the place of a chunk: the row of a version's docs, which is its last.
DOCS: Final = -1


class NearRows(NamedTuple):
    """Rows column by column, nearest first; equally near ones in the order of their rows."""

    keys: list[VersionKey]
    chunks: list[int]  # places in the file, or `DOCS`
    similarities: list[float]  # 1 is the same direction, 0 unrelated
    middle: float  # what half of the rows reach


NOTHING_NEAR: Final = NearRows([], [], [], 0.0)


def near_rows(
    rows: Iterable[int], similarities: Iterable[float], middle: float, spans: PackedSpans
) -> NearRows:
    """Rows in rising order with how near they are, put in their order and named."""
    keys, first_rows, row_counts = spans
    key, first, end = 0, 0, 0
    found: list[tuple[float, int, int, int]] = []
    for row, similarity in zip(rows, similarities, strict=True):
        if row >= end:  # of the next version
            place = bisect_right(first_rows, row) - 1
            key, first = keys[place], first_rows[place]
            end = first + row_counts[place]
        found.append((-similarity, row, key, DOCS if row == end - 1 else row - first))
    found.sort()
    return NearRows(
        [VersionKey(key) for _, _, key, _ in found],
        [chunk for *_, chunk in found],
        [-farness for farness, *_ in found],
        middle,
    )
