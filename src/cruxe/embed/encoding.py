"""Vectors of questions and of files, with one model.

A chunk's vector is that of its text with a share of those of its path and its file name, so that
where code stands counts as well as what it says.
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

# More words than this are data; the first say what it is.
_MAX_WORDS: Final = 4_000


class FilePieces(NamedTuple):
    """The pieces of the vocabulary that the parts of a file hold, packed (`pieces.unpack`)."""

    chunks: list[bytes]
    doc: bytes  # all docs together; without any, their vector is zero
    path: bytes
    stem: bytes


class Encoder:
    """Makes vectors with one model."""

    def __init__(self, table: ModelTable) -> None:
        """Take an open model."""
        self._table = table
        self._counter = PieceCounter(table.vocabulary)

    @property
    def version(self) -> str:
        """The model's version: vectors of another are never compared with these."""
        return self._table.card.version

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        return self._table.dimensions

    def query_vector(self, text: str) -> "array[int]":
        """The vector of a question; all zeros where the model knows none of its words."""
        return query_vector(self._table, self._count(text))

    def text_vector(self, text: str) -> list[int]:
        """The vector of a text by itself, as those of chunks are."""
        counts = damped(self._count(text))
        return scale(unit_sum(self._table, counts), VECTOR_LENGTH)

    def pack(self, text: bytes) -> bytes:
        """The pieces of the model's vocabulary that a text's words are made of, packed."""
        spaced = space_out(text)
        return self._file_counter.pack(spaced, 0, len(spaced), _MAX_WORDS)

    def split_spaced(
        self, spaced: bytes, spans: list[tuple[int, int]]
    ) -> tuple[list[bytes], list[bytes]]:
        """The terms of spans of a text that `space_out` made ready, and their packed pieces."""
        terms, pack = terms_memo().join, self._file_counter.pack
        return (
            [terms(spaced, start, end, len(spaced)) for start, end in spans],
            [pack(spaced, start, end, _MAX_WORDS) for start, end in spans],
        )

    def pieces_of(self, path: str, chunks: list[bytes], doc: bytes) -> FilePieces:
        """What the vectors of a file are made from: its packed chunks and docs, and its path."""
        return FilePieces(
            chunks=chunks,
            doc=doc,
            path=self.pack(_encoded(path)),
            stem=self.pack(_encoded(stem_of_path(path))),
        )

    def file_vectors(self, file: FilePieces) -> Vectors:
        """The vectors of a file's chunks, and last that of all its docs."""
        in_c = kernels()
        if in_c is not None:
            return Vectors(*in_c.file_vectors(self._mixing_table, *file))
        return file_vectors(self._table, file)

    def warm_up(self) -> None:
        """Load what the first file would otherwise wait for."""
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
    """The encoder of a model folder; opened once a process."""
    return Encoder(open_table(folder))


# The weights of a sum add up to this at most: times 127 it stays under 2**24.
TOTAL_WEIGHT: Final = 120_000
# What path and file name count for beside the text, as the model was trained.
PATH_WEIGHT: Final = 0.3
STEM_WEIGHT: Final = 0.3
# Units of what a piece counts for. Documents damp how often it occurs, as the model was trained.
COUNT_UNIT: Final = 1_024
MAX_COUNT: Final = 4_095
_LANE_BYTES: Final = 4


def query_vector(table: ModelTable, counts: Mapping[int, int]) -> "array[int]":
    """The vector of a question from its pieces; all zeros where there are none."""
    factors = _factors(table, {place: count * COUNT_UNIT for place, count in counts.items()})
    in_c = kernels()
    if in_c is None:
        return array("i", scale(_unit_of(_weighted_sum(table, factors)), QUERY_LENGTH))
    rows = table.rows, table.first_row, table.dimensions
    places, times = array("q", factors), array("q", factors.values())
    return array("i", in_c.directed(rows, places, times, FRACTIONS, QUERY_LENGTH))


def file_vectors(table: ModelTable, file: FilePieces) -> Vectors:
    """The vectors of a file's chunks, then that of its docs, which has no share of the path's."""
    of_path, of_stem = _unit(table, file.path), _unit(table, file.stem)
    place = [PATH_WEIGHT * a + STEM_WEIGHT * b for a, b in zip(of_path, of_stem, strict=True)]
    mixed = [
        [own + added for own, added in zip(_unit(table, pieces), place, strict=True)]
        for pieces in file.chunks
    ]
    mixed.append(_unit(table, file.doc))
    return quantise(mixed, table.card.centre)


def mixing_table(table: ModelTable) -> "MixingTable":
    """What the same in C takes."""
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
    """What each piece of a document counts for."""
    return {place: damped_count(min(count, MAX_COUNT)) for place, count in counts.items()}


def damped_count(count: int) -> int:
    """What a piece counts for that occurs so often."""
    return round((1 + math.log(count)) * COUNT_UNIT)


def unit_sum(table: ModelTable, weights: Mapping[int, int]) -> list[float]:
    """The weighted sum of some rows, of length one; all zeros where there are none."""
    return _unit_of(_weighted_sum(table, _factors(table, weights)))


def _unit_of(sums: Sequence[int]) -> list[float]:
    length = math.sqrt(sum(number * number for number in sums))
    return [number / length for number in sums] if length else [0.0] * len(sums)


def _factors(table: ModelTable, weights: Mapping[int, int]) -> dict[int, int]:
    """What the row of each piece is multiplied by."""
    own = {place: weight * table.scale(place) for place, weight in weights.items()}
    total = max(1, sum(own.values()))
    return {place: weight * TOTAL_WEIGHT // total for place, weight in own.items()}


def _weighted_sum(table: ModelTable, factors: Mapping[int, int]) -> list[int]:
    """The sum of some rows, each times its factor.

    A number of a row is a lane of one long whole number, so that rows are multiplied and added as a
    whole; without a sign, since a negative lane would borrow from the next.
    """
    lanes = bytearray(table.dimensions * _LANE_BYTES)
    sums = 0
    for place, factor in factors.items():
        lanes[::_LANE_BYTES] = table.row(place).translate(WITHOUT_SIGN)
        sums += factor * int.from_bytes(lanes, "little")
    shift = SIGN * sum(factors.values())
    numbers = unpack_from(f"<{table.dimensions}I", sums.to_bytes(len(lanes), "little"))
    return [number - shift for number in numbers]
