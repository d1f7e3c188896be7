"""Reading vectors: the rows of a ref that are nearest to a question's vector.

Codes of one bit a number are compared with all rows; of those that come nearest the true product
is taken. Products are whole numbers, the same on every machine, and rows that are equally near all
count, so the order in which rows were written does not show.
"""

import itertools
import mmap
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from cruxe.embed.mixing import FULL_PRODUCT, NUMBERS_PER_BYTE, query_code
from cruxe.index import database
from cruxe.index.layout import CODES_FILE, ROWS_FILE
from cruxe.index.near_rows import NOTHING_NEAR, NearRows, near_rows
from cruxe.index.vector_lanes import distance_reached, distances_of, places_within, products_of
from cruxe.index.vector_rows import PackedSpans
from cruxe.model.identity import VersionKey
from cruxe.model.rounding import rounded

if TYPE_CHECKING:
    from cruxe.index.vector_scan import VectorScan

# So many rows take as long without numpy as loading it does.
_WORTH_NUMPY: Final = 400_000
# A process that asks again goes on asking, and numpy is worth loading for it.
_SCANS_WITHOUT_NUMPY: Final = 2
_scans = itertools.count()


class VectorReader:
    """The vectors of one ref; for any number of questions and threads."""

    def __init__(self, folder: str, spans: PackedSpans, dimensions: int) -> None:
        """Map the files of a folder into memory."""
        self._spans = spans
        self._dimensions = dimensions
        self._code_bytes = dimensions // NUMBERS_PER_BYTE
        self._rows = _map(os.path.join(folder, ROWS_FILE))
        self._codes = _map(os.path.join(folder, CODES_FILE))

    def nearest(
        self,
        query: Sequence[int],
        least: int,
        is_live: Callable[[VersionKey], bool] | None = None,
    ) -> NearRows:
        """At least so many rows that are nearest; only of live versions, if told."""
        runs = self._all_runs if is_live is None else list(self._runs(is_live))
        if not runs or not any(query):
            return NOTHING_NEAR
        if _is_worth_numpy(sum(length for _, length in runs)):
            scan = self._whole_scan if is_live is None else self._scan(runs)
            return scan.nearest(query, least)
        return self._nearest(runs, query, least)

    @cached_property
    def _all_runs(self) -> list[tuple[int, int]]:
        return list(self._runs(None))

    @cached_property
    def _whole_scan(self) -> "VectorScan":
        return self._scan(self._all_runs)

    def _scan(self, runs: Sequence[tuple[int, int]]) -> "VectorScan":
        from cruxe.index.vector_scan import VectorScan

        return VectorScan((self._codes, self._rows), runs, self._spans, self._dimensions)

    def _runs(self, is_live: Callable[[VersionKey], bool] | None) -> Iterator[tuple[int, int]]:
        """The rows to look at: spans that follow each other make one run."""
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

    def _nearest(
        self, runs: Sequence[tuple[int, int]], query: Sequence[int], least: int
    ) -> NearRows:
        """The nearest rows of some runs."""
        codes = b"".join(
            _rows(self._codes, first, count, self._code_bytes) for first, count in runs
        )
        distances = distances_of(codes, query_code(query))
        limit = distance_reached(distances, least)
        numbers = itertools.chain.from_iterable(range(first, first + n) for first, n in runs)
        near = [*itertools.compress(numbers, places_within(distances, limit))]
        rows = b"".join(_rows(self._rows, row, 1, self._dimensions) for row in near)
        products = products_of(rows, query)
        ordered, half = sorted(products), len(products) // 2
        middle = (ordered[half] + ordered[~half]) / 2 / FULL_PRODUCT
        similarities = [rounded(product / FULL_PRODUCT) for product in products]
        return near_rows(near, similarities, middle, self._spans)


def _rows(file: "mmap.mmap | bytes", first: int, count: int, row_bytes: int) -> bytes:
    return file[first * row_bytes : (first + count) * row_bytes]


def _is_worth_numpy(row_count: int) -> bool:
    if "numpy" in sys.modules or row_count > _WORTH_NUMPY:
        return True
    return next(_scans) >= _SCANS_WITHOUT_NUMPY


def _map(path: str) -> "mmap.mmap | bytes":
    try:
        with open(path, "rb") as file:
            if not os.fstat(file.fileno()).st_size:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise database.corrupt("the vectors are missing") from error
