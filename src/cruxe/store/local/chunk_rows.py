"""The chunks of file versions: their lines, the symbol that each shows, and the symbols inside."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.symbols import NO_SYMBOL

ChunkName = tuple[VersionKey, int]  # a version, and the chunk's place in it
Span = tuple[int, int, int | None]  # first and last line, and the ordinal of the symbol shown
SymbolReader = Callable[..., list[StoredSymbol]]  # by a condition and its values, in file order


class StoredVersion(NamedTuple):
    """A file version as ranking needs it."""

    version_key: VersionKey
    path: str
    language: str
    line_count: int
    chunks: str  # JSON without spaces: [[line_start,line_end,symbol],…]

    def chunk(self, ordinal: int) -> Span:
        """The lines of a chunk and the symbol that it shows; all of a file that has none."""
        return self.chunks_at([ordinal])[0]

    def chunks_at(self, ordinals: Iterable[int]) -> list[Span]:
        """The same for several chunks."""
        # Of hundreds a few are read; a decoder would read all, and takes 2 ms to import.
        chunks = self.chunks[2:-2].split("],[")
        found: list[Span] = []
        for ordinal in ordinals:
            numbers = chunks[ordinal] if 0 <= ordinal < len(chunks) else ""
            start, end, symbol = 1, self.line_count, NO_SYMBOL
            if numbers:
                start, end, symbol = map(int, numbers.split(","))
            found.append((start, max(1, end), None if symbol == NO_SYMBOL else symbol))
        return found


class StoredChunk(NamedTuple):
    """A chunk as a page shows it."""

    line_start: int
    line_end: int
    symbol: StoredSymbol | None  # that it shows, which may be larger
    inside: tuple[StoredSymbol, ...]  # what lies within its lines, in file order


def read_chunks(
    read_symbols: SymbolReader, version: StoredVersion, ordinals: list[int]
) -> Iterator[tuple[ChunkName, StoredChunk]]:
    """Some chunks of a version, each with its symbols, of which one statement finds all."""
    key = version.version_key
    condition = "version_key = ? AND (ordinal = ? OR line_start >= ? AND line_end <= ?)"
    for ordinal, span in zip(ordinals, version.chunks_at(ordinals), strict=True):
        first, last, shown = span
        yield (key, ordinal), _stored(span, read_symbols(condition, key, shown, first, last))


def _stored(span: Span, symbols: list[StoredSymbol]) -> StoredChunk:
    first, last, shown = span
    return StoredChunk(
        first,
        last,
        next((each for each in symbols if each.ordinal == shown), None),
        tuple(each for each in symbols if first <= each.line_start and each.line_end <= last),
    )
