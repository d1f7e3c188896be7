"""Make vectors of queries and files with a static model.

A chunk's vector is the vector of its text plus weighted vectors of its path and file name, so that
the location of code counts as well as its words.
"""

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from struct import unpack_from
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.embed.quantise import (
    FRACTIONS,
    QUERY_LENGTH,
    SIGN,
    VECTOR_LENGTH,
    WITHOUT_SIGN,
    quantise,
    scale,
)
from cruxe.embed.table import ModelTable, PieceCounter, open_table, unpack
from cruxe.model.stored import Vectors
from cruxe.native import kernels
from cruxe.text.identifiers import space_out, terms_memo
from cruxe.text.paths import stem_of_path

if TYPE_CHECKING:
    from cruxe.native import MixingTable

# A longer text is data; its first words describe it well enough.
_MAX_WORDS: Final = 4_000


class FilePieces(NamedTuple):
    """The vocabulary pieces in the parts of a file, packed (see `table.unpack`)."""

    chunks: list[bytes]
    doc: bytes  # all docs together; if empty, their vector is zero
    path: bytes
    stem: bytes


class Encoder:
    """Makes vectors with one static model."""

    def __init__(self, table: ModelTable) -> None:
        """Take an open model."""
        self._table = table
        self._counter = PieceCounter(table.vocabulary)

    @property
    def version(self) -> str:
        """Return the model's version; vectors of different versions are never compared."""
        return self._table.card.version

    @property
    def dimensions(self) -> int:
        """Return the number of dimensions of a vector."""
        return self._table.dimensions

    def query_vector(self, text: str) -> "array[int]":
        """Return the vector of a query: all zeros if none of its words is in the vocabulary."""
        return query_vector(self._table, self._count(text))

    def text_vector(self, text: str) -> list[int]:
        """Return the vector of a text, scaled like those of chunks but without a path."""
        counts = damped(self._count(text))
        return scale(unit_sum(self._table, counts), VECTOR_LENGTH)

    def pack(self, text: bytes) -> bytes:
        """Return the packed vocabulary pieces of a text's words."""
        spaced = space_out(text)
        return self._file_counter.pack(spaced, 0, len(spaced), _MAX_WORDS)

    def split_spaced(
        self, spaced: bytes, spans: list[tuple[int, int]]
    ) -> tuple[list[bytes], list[bytes]]:
        """Return the terms and the packed pieces of spans of a text prepared by `space_out`."""
        terms, pack = terms_memo().join, self._file_counter.pack
        return (
            [terms(spaced, start, end, len(spaced)) for start, end in spans],
            [pack(spaced, start, end, _MAX_WORDS) for start, end in spans],
        )

    def pieces_of(self, path: str, chunks: list[bytes], doc: bytes) -> FilePieces:
        """Return the input of `file_vectors`: packed chunks and docs, and the packed path."""
        return FilePieces(
            chunks=chunks,
            doc=doc,
            path=self.pack(_encoded(path)),
            stem=self.pack(_encoded(stem_of_path(path))),
        )

    def file_vectors(self, file: FilePieces) -> Vectors:
        """Return the vectors of a file's chunks, then the vector of all its docs."""
        in_c = kernels()
        if in_c is not None:
            return Vectors(*in_c.file_vectors(self._mixing_table, *file))
        return file_vectors(self._table, file)

    def warm_up(self) -> None:
        """Load what the first file needs."""
        if kernels() is not None:
            _ = self._mixing_table, self._file_counter, terms_memo()

    @cached_property
    def _mixing_table(self) -> "MixingTable":
        return mixing_table(self._table)

    @cached_property
    def _file_counter(self) -> PieceCounter:
        return PieceCounter(self._table.vocabulary, is_for_files=True)

    def _count(self, text: str) -> dict[int, int]:
        return self._counter.count_spaced(space_out(_encoded(text)), _MAX_WORDS)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@cache
def encoder_of(folder: str) -> Encoder:
    """Return the encoder of a model folder, opened once per process."""
    return Encoder(open_table(folder))


# Upper bound of the sum of weights: times 127 it stays below 2**24.
TOTAL_WEIGHT: Final = 120_000
# Weights of path and file name relative to the text, as the model was trained.
PATH_WEIGHT: Final = 0.3
STEM_WEIGHT: Final = 0.3
# Fixed-point unit of a piece's weight. Documents damp its count, as the model was trained.
COUNT_UNIT: Final = 1_024
MAX_COUNT: Final = 4_095
_LANE_BYTES: Final = 4


def query_vector(table: ModelTable, counts: Mapping[int, int]) -> "array[int]":
    """Return the vector of a query from its pieces: all zeros if there are none."""
    factors = _factors(table, {place: count * COUNT_UNIT for place, count in counts.items()})
    in_c = kernels()
    if in_c is None:
        return array("i", scale(_unit_of(_weighted_sum(table, factors)), QUERY_LENGTH))
    rows = table.rows, table.first_row, table.dimensions
    places, times = array("q", factors), array("q", factors.values())
    return array("i", in_c.directed(rows, places, times, FRACTIONS, QUERY_LENGTH))


def file_vectors(table: ModelTable, file: FilePieces) -> Vectors:
    """Return the vectors of a file's chunks, then that of its docs, without path weights."""
    of_path, of_stem = _unit(table, file.path), _unit(table, file.stem)
    place = [PATH_WEIGHT * a + STEM_WEIGHT * b for a, b in zip(of_path, of_stem, strict=True)]
    mixed = [
        [own + added for own, added in zip(_unit(table, pieces), place, strict=True)]
        for pieces in file.chunks
    ]
    mixed.append(_unit(table, file.doc))
    return quantise(mixed, table.card.centre)


def mixing_table(table: ModelTable) -> "MixingTable":
    """Return the table argument of the C kernel `file_vectors`."""
    return (
        memoryview(table.rows)[table.first_row :],
        array("q", table.scales_of_all()),
        array("q", [0, *map(damped_count, range(1, MAX_COUNT + 1))]),
        array("b", table.card.centre),
        TOTAL_WEIGHT,
        PATH_WEIGHT,
        STEM_WEIGHT,
        FRACTIONS,
        VECTOR_LENGTH,
    )


def _unit(table: ModelTable, pieces: bytes) -> list[float]:
    return unit_sum(table, damped(Counter(unpack(pieces))))


def damped(counts: Mapping[int, int]) -> dict[int, int]:
    """Return the damped weight of each piece of a document."""
    return {place: damped_count(min(count, MAX_COUNT)) for place, count in counts.items()}


def damped_count(count: int) -> int:
    """Return the damped weight of a piece that occurs `count` times."""
    return round((1 + math.log(count)) * COUNT_UNIT)


def unit_sum(table: ModelTable, weights: Mapping[int, int]) -> list[float]:
    """Return the weighted sum of rows, normalised to length one: all zeros for no rows."""
    return _unit_of(_weighted_sum(table, _factors(table, weights)))


def _unit_of(sums: Sequence[int]) -> list[float]:
    length = math.sqrt(sum(number * number for number in sums))
    return [number / length for number in sums] if length else [0.0] * len(sums)


def _factors(table: ModelTable, weights: Mapping[int, int]) -> dict[int, int]:
    """Return the factor of each piece's row."""
    own = {place: weight * table.scale(place) for place, weight in weights.items()}
    total = max(1, sum(own.values()))
    return {place: weight * TOTAL_WEIGHT // total for place, weight in own.items()}


def _weighted_sum(table: ModelTable, factors: Mapping[int, int]) -> list[int]:
    """Return the sum of rows, each times its factor.

    Each number of a row is a lane of one big integer, so that a row is multiplied and added at
    once. Lanes are unsigned, since a negative lane would borrow from the next.
    """
    lanes = bytearray(table.dimensions * _LANE_BYTES)
    sums = 0
    for place, factor in factors.items():
        lanes[::_LANE_BYTES] = table.row(place).translate(WITHOUT_SIGN)
        sums += factor * int.from_bytes(lanes, "little")
    shift = SIGN * sum(factors.values())
    numbers = unpack_from(f"<{table.dimensions}I", sums.to_bytes(len(lanes), "little"))
    return [number - shift for number in numbers]
