"""Groups the nearest rows of a vector scan by file: similarities and nearest chunks."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import groupby

from cruxe.model.identity import VersionKey
from cruxe.model.rounding import rounded
from cruxe.model.stored import NearFiles, Nearness, NearWanted
from cruxe.store.local.vector_rows import PackedSpans


def near_files(
    near: Iterable[tuple[int, float]], middle: float, wanted: NearWanted, spans: PackedSpans
) -> NearFiles:
    """Return the files of some rows, given in row order with similarities, and their median."""
    keys, first_rows, row_counts = spans
    found = NearFiles({}, {}, rounded(max(0.0, middle)))
    least = max(found.floor, wanted.similarity)
    for index, rows in groupby(near, key=lambda row: bisect_right(first_rows, row[0]) - 1):
        numbered = [(similarity, row - first_rows[index]) for row, similarity in rows]
        docs = [each for each, number in numbered if number == row_counts[index] - 1]
        chunks = [pair for pair in numbered if pair[1] != row_counts[index] - 1]
        chunks.sort(key=lambda pair: (-pair[0], pair[1]))
        key, is_near = VersionKey(keys[index]), bool(chunks) and chunks[0][0] > least
        if is_near or key in wanted.known:
            similarities = [each for each, _ in chunks]
            found.similarities[key] = _nearness(similarities, docs, wanted.further_weights)
        if is_near and key not in wanted.known:
            found.chunks[key] = [number for _, number in chunks[: wanted.chunks_per_file]]
    return found


def _nearness(
    chunks: list[float], docs: list[float], further_weights: tuple[float, float]
) -> Nearness:
    best = three = chunks[0] if chunks else 0.0
    for weight, similarity in zip(further_weights, chunks[1:], strict=False):
        three += weight * similarity
    return best, rounded(three) if len(chunks) > 1 else three, docs[0] if docs else 0.0
