"""Vectors of questions and of files, with one model.

A chunk's vector is that of its text with a share of those of its path and its file name, so that
where code stands counts as well as what it says.
"""

from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from cruxe.embed import static_vectors as mixing
from cruxe.embed.quantise import VECTOR_LENGTH, scale
from cruxe.embed.static_vectors import FilePieces
from cruxe.embed.table import ModelTable, open_table
from cruxe.embed.vocabulary import PieceCounter
from cruxe.model.stored import Vectors
from cruxe.native import kernels
from cruxe.text.identifiers import space_out, terms_memo, word_pairs
from cruxe.text.paths import stem_of_path

if TYPE_CHECKING:
    from array import array

    from cruxe.native import MixingTable, WordPairs

# More words than this are data; the first say what it is.
_MAX_WORDS: Final = 4_000


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
        return mixing.query_vector(self._table, self._count(text))

    def text_vector(self, text: str) -> list[int]:
        """The vector of a text by itself, as those of chunks are."""
        counts = mixing.damped(self._count(text))
        return scale(mixing.unit_sum(self._table, counts), VECTOR_LENGTH)

    def pack(self, text: bytes) -> bytes:
        """The pieces of the model's vocabulary that a text's words are made of, packed."""
        spaced = space_out(text)
        return self._file_counter.pack(spaced, 0, len(spaced), _MAX_WORDS)

    def split_spaced(
        self, spaced: bytes, spans: list[tuple[int, int]]
    ) -> tuple[list[bytes], list[bytes]]:
        """The terms of spans of a text that `space_out` made ready, and their packed pieces."""
        return self._terms_and_pieces.join_each(spaced, spans, _MAX_WORDS)

    def pieces_of(self, path: str, chunks: list[bytes], doc: bytes) -> FilePieces:
        """What the vectors of a file are made from: its packed chunks and docs, and its path."""
        return FilePieces(
            chunks, doc, self.pack(_encoded(path)), self.pack(_encoded(stem_of_path(path)))
        )

    def file_vectors(self, file: FilePieces) -> Vectors:
        """The vectors of a file's chunks, and last that of all its docs."""
        in_c = kernels()
        if in_c is not None:
            return Vectors(*in_c.file_vectors(self._mixing_table, *file))
        return mixing.file_vectors(self._table, file)

    def warm_up(self) -> None:
        """Load what the first file would otherwise wait for."""
        if kernels() is not None:
            _ = self._mixing_table, self._terms_and_pieces

    @cached_property
    def _mixing_table(self) -> "MixingTable":
        return mixing.mixing_table(self._table)

    @cached_property
    def _file_counter(self) -> PieceCounter:
        return PieceCounter(self._table.vocabulary, is_for_files=True)

    @cached_property
    def _terms_and_pieces(self) -> "WordPairs":
        return word_pairs(terms_memo(), self._file_counter.memo)

    def _count(self, text: str) -> dict[int, int]:
        return self._counter.count_spaced(space_out(_encoded(text)), _MAX_WORDS)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@cache
def encoder_of(folder: str) -> Encoder:
    """The encoder of a model folder; opened once a process."""
    return Encoder(open_table(folder))
