"""The chunks of file versions: their lines, the symbol that each shows, and the symbols inside."""

from collections.abc import Callable, Iterator

from cruxe.model.hits import StoredSymbol
from cruxe.model.stored import ChunkName, ChunkSpan, StoredChunk, StoredVersion

SymbolReader = Callable[..., list[StoredSymbol]]  # by a condition and its values, in file order


def read_chunks(
    read_symbols: SymbolReader, version: StoredVersion, ordinals: list[int]
) -> Iterator[tuple[ChunkName, StoredChunk]]:
    """Some chunks of a version, each with its symbols, of which one statement finds all."""
    key = version.version_key
    condition = "version_key = ? AND (ordinal = ? OR line_start >= ? AND line_end <= ?)"
    for ordinal, span in zip(ordinals, version.chunks_at(ordinals), strict=True):
        first, last, shown = span
        yield (key, ordinal), _stored(span, read_symbols(condition, key, shown, first, last))


def _stored(span: ChunkSpan, symbols: list[StoredSymbol]) -> StoredChunk:
    first, last, shown = span
    return StoredChunk(
        first,
        last,
        next((each for each in symbols if each.ordinal == shown), None),
        tuple(each for each in symbols if first <= each.line_start and each.line_end <= last),
    )
