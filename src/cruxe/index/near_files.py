"""What a scan of vectors gives: the files of the nearest rows, and which chunks these are of."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from cruxe.index.vector_rows import PackedSpans
from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple


class NearFiles(NamedTuple):
    """Files column by column, that with the nearest chunk first; last those of which none is near.

    What is equally near stands in the order of its rows.
    """

    keys: list[VersionKey]
    chunks: list[list[int]]  # of each its places in the file, nearest first
    similarities: list[list[float]]  # of these: 1 is the same direction, 0 unrelated
    docs: list[float]  # that of all its docs together; nothing where they are not near
    middle: float  # what half of the rows reach


NOTHING_NEAR: Final = NearFiles([], [], [], [], 0.0)


def near_files(
    rows: Iterable[int], similarities: Iterable[float], middle: float, spans: PackedSpans
) -> NearFiles:
    """The files of some rows, from how near each of these is."""
    keys, first_rows, row_counts = spans
    chunks: dict[int, list[tuple[int, float]]] = {}  # by the place of a file among the spans
    docs: dict[int, float] = {}
    for row, similarity in sorted(zip(rows, similarities, strict=True), key=_nearest_first):
        place = bisect_right(first_rows, row) - 1
        chunk = row - first_rows[place]
        if chunk == row_counts[place] - 1:  # the last row is that of the docs
            docs[place] = similarity
        else:
            chunks.setdefault(place, []).append((chunk, similarity))
    places = [*dict.fromkeys([*chunks, *docs])]
    found = [chunks.get(place, []) for place in places]
    return NearFiles(
        [VersionKey(keys[place]) for place in places],
        [[chunk for chunk, _ in each] for each in found],
        [[similarity for _, similarity in each] for each in found],
        [docs.get(place, 0.0) for place in places],
        middle,
    )


def _nearest_first(pair: tuple[int, float]) -> tuple[float, int]:
    row, similarity = pair
    return -similarity, row
