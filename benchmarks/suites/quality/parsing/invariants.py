"""What holds of every parsed file, whatever its language and however broken its source.

One member may stand outside its parent: one that is attached to a type of the same file, such as
a Go method by its receiver or a Rust method by its `impl`. Then the type comes first.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator

from cruxe.model.symbols import NO_SYMBOL, ParsedFile, Symbol, SymbolKind
from cruxe.parse.chunks import MAX_LINES
from cruxe.parse.language import TYPE_KINDS
from cruxe.parse.source_text import SourceText

_ATTACHABLE = TYPE_KINDS | {SymbolKind.TYPE_ALIAS}


def misfits(source: SourceText, parsed: ParsedFile) -> list[str]:
    """Everything in a parsed file that cannot be true of its source, as sentences."""
    return [
        *_symbol_misfits(source.line_count, parsed.symbols),
        *_mention_misfits(source.line_count, parsed),
        *_prose_misfits(source, parsed),
        *_chunk_misfits(source.line_count, parsed),
        *_told_misfits(source, parsed),
        *_shared_ids(parsed.symbols),
    ]


def _symbol_misfits(last: int, symbols: tuple[Symbol, ...]) -> Iterator[str]:
    for ordinal, symbol in enumerate(symbols):
        told = f"symbol {ordinal} {symbol.name!r} at {symbol.line_start}-{symbol.line_end}"
        if not symbol.name or not symbol.stable_id:
            yield f"{told} has no name or no id"
        if not 1 <= symbol.line_start <= symbol.name_line <= symbol.line_end <= last:
            yield f"{told}, named at {symbol.name_line}, is not within {last} lines"
        if symbol.parent == NO_SYMBOL:
            continue
        if not 0 <= symbol.parent < ordinal:
            yield f"{told} comes before its parent {symbol.parent}"
        elif not _may_be_child(symbol, symbols[symbol.parent]):
            yield f"{told} is outside its parent {symbols[symbol.parent].name!r}"


def _may_be_child(symbol: Symbol, parent: Symbol) -> bool:
    is_inside = parent.line_start <= symbol.line_start <= symbol.line_end <= parent.line_end
    return is_inside or (parent.kind in _ATTACHABLE and parent.line_start <= symbol.line_start)


def _mention_misfits(last: int, parsed: ParsedFile) -> Iterator[str]:
    symbols = range(NO_SYMBOL, len(parsed.symbols))
    for site in parsed.sites:
        _, name, _, line, symbol = site
        if not (name and 1 <= line <= last and symbol in symbols):
            yield f"{site} is not in the file"
    for item in parsed.imports:
        if not 1 <= item.line <= last:
            yield f"{item} is not in the file"
    for problem in parsed.problems:
        if not 1 <= problem.line <= max(1, last):
            yield f"{problem} is not in the file"


def _prose_misfits(source: SourceText, parsed: ParsedFile) -> Iterator[str]:
    for start, end in (*parsed.comment_spans, *parsed.doc_spans):
        if not 0 <= start < end <= len(source.data):
            yield f"the text from {start} to {end} is not in the file"


def _chunk_misfits(last: int, parsed: ParsedFile) -> Iterator[str]:
    symbols = range(NO_SYMBOL, len(parsed.symbols))
    following = 1
    for chunk in parsed.chunks:
        if chunk.line_start != following or chunk.symbol not in symbols:
            yield f"{chunk} does not follow line {following - 1}"
        if not 0 <= chunk.line_end - chunk.line_start < MAX_LINES:
            yield f"{chunk} has not 1 to {MAX_LINES} lines"
        following = chunk.line_end + 1
    if following != last + 1:
        yield f"the chunks end at line {following - 1} of {last}"


def _told_misfits(source: SourceText, parsed: ParsedFile) -> Iterator[str]:
    """At least half of a chunk's lines belong to its symbol or to the comments above that."""
    commented = {
        line
        for start, end in parsed.comment_spans
        for line in range(
            bisect_right(source.line_starts, start), bisect_left(source.line_starts, end) + 1
        )
    }
    for chunk in parsed.chunks:
        if not 0 <= chunk.symbol < len(parsed.symbols):
            continue
        symbol = parsed.symbols[chunk.symbol]
        first = symbol.line_start
        while first - 1 in commented:
            first -= 1
        own = min(chunk.line_end, symbol.line_end) - max(chunk.line_start, first) + 1
        if 2 * own < chunk.line_end - chunk.line_start + 1:
            yield f"{chunk} has {own} lines of {symbol.name!r}"


def _shared_ids(symbols: tuple[Symbol, ...]) -> Iterator[str]:
    owners = Counter(symbol.stable_id for symbol in symbols)
    for stable_id, count in owners.items():
        if count > 1:
            yield f"{count} symbols share the id {stable_id}"
