"""Searches vectors: the files of a ref that are nearest to a query vector.

The one-bit codes of all rows are compared first; exact products are computed for the nearest rows.
Products are integers, the same on every machine, and rows with equal distances are all included,
so results do not depend on the order in which rows were written.
"""

import mmap
import os
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, compress, groupby
from typing import cast

from cruxe.embed.quantise import FULL_PRODUCT, NUMBERS_PER_BYTE, query_code
from cruxe.model.hits import PARTS, rounded
from cruxe.model.identity import VersionKey
from cruxe.model.stored import NearFiles, Nearness, NearWanted, StorePart
from cruxe.native import kernels
from cruxe.store.local.database import corrupt
from cruxe.store.local.layout import CODES_FILE, ROWS_FILE
from cruxe.store.local.vector_rows import PackedSpans

Runs = Sequence[tuple[int, int]]  # first row and number of rows


class VectorReader:
    """The vectors of one ref; safe for concurrent use by threads."""

    def __init__(self, folder: str, spans: PackedSpans, dimensions: int) -> None:
        """Map the files of a folder into memory."""
        self._spans = spans
        self._dimensions = dimensions
        _, first_rows, row_counts = spans
        # Spans are ordered by row: the last one ends last.
        rows = first_rows[-1] + row_counts[-1] if first_rows else 0
        self._rows = _map(os.path.join(folder, ROWS_FILE), rows * dimensions)
        self._codes = _map(os.path.join(folder, CODES_FILE), rows * dimensions // NUMBERS_PER_BYTE)

    def nearest(
        self,
        query: Sequence[int],
        wanted: NearWanted,
        is_live: Callable[[VersionKey], bool] | None = None,
    ) -> NearFiles | None:
        """Return the files of the nearest rows, only of live versions if `is_live` is given.

        None if there is nothing to compare.
        """
        runs = self._all_runs if is_live is None else list(self._runs(is_live))
        if not runs or not any(query):
            return None
        in_c = kernels()
        if in_c is None:
            return self._scan(runs, query, wanted)
        files, packed = (self._codes, self._rows), array("q", chain.from_iterable(runs))
        asked = array("i", query), FULL_PRODUCT, PARTS
        found = in_c.nearest_files(files, packed, asked, wanted, self._spans)
        similarities, chunks, floor = cast("NearFiles", found)  # keys are versions
        return NearFiles(similarities, chunks, floor)

    @cached_property
    def _all_runs(self) -> list[tuple[int, int]]:
        _, first_rows, row_counts = self._spans
        rows = sum(row_counts)
        if rows and first_rows[-1] + row_counts[-1] == rows:  # no gaps, as in a new store
            return [(0, rows)]
        return list(self._runs(None))

    def _runs(self, is_live: Callable[[VersionKey], bool] | None) -> Iterator[tuple[int, int]]:
        """Yield the rows to compare; adjacent spans are one run."""
        start = end = 0
        for key, first, count in zip(*self._spans, strict=True):
            if is_live is not None and not is_live(VersionKey(key)):
                continue
            if first != end:
                if end > start:
                    yield start, end - start
                start = first
            end = first + count
        if end > start:
            yield start, end - start

    def _scan(self, runs: Runs, query: Sequence[int], wanted: NearWanted) -> NearFiles:
        """Do in Python what the C kernel does."""
        from cruxe.store.local import vector_lanes as lanes

        code = query_code(query)
        codes = b"".join(_rows(self._codes, first, count, len(code)) for first, count in runs)
        distances = lanes.distances_of(codes, code)
        limit = lanes.distance_reached(distances, wanted.rows)
        rows = chain.from_iterable(range(first, first + count) for first, count in runs)
        near = [*compress(rows, lanes.flags_within(distances, limit))]
        numbers = b"".join(_rows(self._rows, row, 1, self._dimensions) for row in near)
        products = lanes.products_of(numbers, query)
        ordered, half = sorted(products), len(products) // 2
        middle = (ordered[half] + ordered[~half]) / 2 / FULL_PRODUCT
        similarities = [rounded(product / FULL_PRODUCT) for product in products]
        return near_files(zip(near, similarities, strict=True), middle, wanted, self._spans)


def _rows(file: "mmap.mmap | bytes", first: int, count: int, row_bytes: int) -> bytes:
    return file[first * row_bytes : (first + count) * row_bytes]


def check_sizes(folder: str, rows: int, dimensions: int) -> None:
    """Raise if the files of a folder are too short for some rows."""
    for name, row_bytes in ((ROWS_FILE, dimensions), (CODES_FILE, dimensions // NUMBERS_PER_BYTE)):
        try:
            size = os.path.getsize(os.path.join(folder, name))
        except OSError as error:
            raise corrupt("the vectors are missing", StorePart.VECTORS) from error
        if size < rows * row_bytes:
            raise corrupt("some vectors are missing", StorePart.VECTORS)


def _map(path: str, least_bytes: int) -> "mmap.mmap | bytes":
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < least_bytes:
                raise corrupt("some vectors are missing", StorePart.VECTORS)
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    except OSError as error:
        raise corrupt("the vectors are missing", StorePart.VECTORS) from error


def near_files(
    near: Iterable[tuple[int, float]], middle: float, wanted: NearWanted, spans: PackedSpans
) -> NearFiles:
    """Return the files of some rows, given in row order with similarities, and their median."""
    keys, first_rows, row_counts = spans
    found = NearFiles({}, {}, rounded(max(0.0, middle)))
    for index, rows in groupby(near, key=lambda row: bisect_right(first_rows, row[0]) - 1):
        numbered = [(similarity, row - first_rows[index]) for row, similarity in rows]
        docs = [each for each, number in numbered if number == row_counts[index] - 1]
        chunks = [pair for pair in numbered if pair[1] != row_counts[index] - 1]
        chunks.sort(key=lambda pair: (-pair[0], pair[1]))
        key, is_near = VersionKey(keys[index]), bool(chunks) and chunks[0][0] > wanted.similarity
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
