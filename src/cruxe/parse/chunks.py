"""Chunks: every line of a file in a region small enough to rank, cut at definitions."""

from bisect import bisect_right
from typing import Final, NamedTuple

from cruxe.model.identity import MAX_ORDINAL
from cruxe.model.symbols import NO_SYMBOL, ROLE_OF_KIND, Chunk, SymbolRole
from cruxe.parse.source import SourceText
from cruxe.parse.symbols import FileSymbols

# Neighbours merge up to MERGED_BYTES, pieces split above SPLIT_BYTES: the sizes that ranked
# best in the laboratory's comparison of chunkings (1,300 and 2,000 characters).
MERGED_BYTES: Final = 1300
SPLIT_BYTES: Final = 2000
MAX_LINES: Final = 60
# A top-level definition starts a chunk of its own once the one before it has this much.
SETTLED_BYTES: Final = 500


class _Cut(NamedTuple):
    line: int
    is_top_level: bool


def cut_chunks(source: SourceText, built: FileSymbols) -> tuple[Chunk, ...]:
    """Cut a file into chunks that cover all its lines, in order, without overlap."""
    if not source.line_count:
        return ()
    pieces = _pieces(source, _cuts(source.line_count, built))
    spans = _merge(source, pieces)
    if len(spans) > MAX_ORDINAL:  # lines of a few bytes each: the tail becomes one chunk
        spans[MAX_ORDINAL:] = [(spans[MAX_ORDINAL][0], spans[-1][1])]
    return _attribute(spans, built)


def _cuts(line_count: int, built: FileSymbols) -> list[_Cut]:
    """Lines where a piece starts: before a definition and after its end."""
    cuts = {1: True}
    for symbol, region in zip(built.symbols, built.regions, strict=True):
        if ROLE_OF_KIND[symbol.kind] in (SymbolRole.VALUE, SymbolRole.ALIAS):
            continue
        is_top_level = symbol.parent == NO_SYMBOL
        cuts[region] = cuts.get(region, False) or is_top_level
        after = symbol.line_end + 1
        if symbol.line_end > symbol.line_start and after <= line_count:
            cuts.setdefault(after, False)
    return [_Cut(line, cuts[line]) for line in sorted(cuts)]


def _pieces(source: SourceText, cuts: list[_Cut]) -> list[tuple[int, int, bool]]:
    """Spans between cuts, those that are too big split at quiet lines."""
    pieces: list[tuple[int, int, bool]] = []
    starts, data = [*source.line_starts, len(source.data)], source.data
    ends = [cut.line - 1 for cut in cuts[1:]] + [source.line_count]
    for (start, is_top_level), end in zip(cuts, ends, strict=True):
        first = start
        while end - first >= MAX_LINES or starts[end] - starts[first - 1] > SPLIT_BYTES:
            if first == end:  # one line, however long
                break
            middle = _quiet_line(data, starts, first, end)
            pieces.append((first, middle, is_top_level and first == start))
            first = middle + 1
        pieces.append((first, end, is_top_level and first == start))
    return pieces


def _quiet_line(data: bytes, starts: list[int], first: int, end: int) -> int:
    """The last line of the first part: a blank one if there is one near the right size."""
    # Line n ends where starts[n] is; the last line whose end still fits, at least the first.
    fitting = bisect_right(starts, starts[first - 1] + MERGED_BYTES) - 1
    last = max(first, min(fitting, first + MAX_LINES - 1, end - 1))
    for line in range(last, (first + last) // 2, -1):
        if data[starts[line - 1] : starts[line]].isspace():
            return line
    return last


def _merge(source: SourceText, pieces: list[tuple[int, int, bool]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end, is_top_level in pieces:
        if merged:
            first = merged[-1][0]
            is_settled = is_top_level and _size(source, *merged[-1]) >= SETTLED_BYTES
            fits = _size(source, first, end) <= MERGED_BYTES and end - first < MAX_LINES
            if fits and not is_settled:
                merged[-1] = (first, end)
                continue
        merged.append((start, end))
    return merged


def _attribute(spans: list[tuple[int, int]], built: FileSymbols) -> tuple[Chunk, ...]:
    """Give each chunk the innermost symbol around all of it, else the first that starts in it."""
    chunks = []
    symbols, position, open_symbols = built.symbols, 0, list[int]()
    for start, end in spans:
        while open_symbols and symbols[open_symbols[-1]].line_end < start:
            open_symbols.pop()
        around = [each for each in open_symbols if symbols[each].line_end >= end]
        first = NO_SYMBOL
        while position < len(symbols) and built.regions[position] <= end:
            if first == NO_SYMBOL or built.regions[position] < built.regions[first]:
                first = position
            while open_symbols and symbols[open_symbols[-1]].line_end < symbols[position].line_end:
                open_symbols.pop()
            open_symbols.append(position)
            position += 1
        if around and first == NO_SYMBOL:
            chunks.append(Chunk(start, end, around[-1]))
        else:
            chunks.append(Chunk(start, end, first))
    return tuple(chunks)


def _size(source: SourceText, start: int, end: int) -> int:
    starts = source.line_starts
    stop = starts[end] if end < len(starts) else len(source.data)
    return stop - starts[start - 1]
