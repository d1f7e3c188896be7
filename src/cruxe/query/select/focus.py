"""Which of the definitions in a chunk answers a query, if one does.

What a chunk holds never changes. So it is cached by term which of the definitions hold it, and a
question of known terms reads no line.
"""

from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple

from cruxe.model.clock_cache import ClockCache
from cruxe.model.hits import StoredSymbol
from cruxe.model.stored import StoredChunk
from cruxe.query.select.text_source import FileText
from cruxe.text.term_lines import TermLines, holds_term

# A definition that holds less of the query than this share of its chunk does is only a part of the
# answer, and the chunk is shown as a whole.
_ANSWERING_SHARE: Final = 0.75
# That are cached for one chunk.
_MAX_TERMS: Final = 100


def answering_symbol(
    chunk: StoredChunk, text: FileText, weights: dict[str, float]
) -> StoredSymbol | None:
    """Return the definition that holds most of what its chunk does, or None if none does."""
    if not chunk.inside:
        return None
    terms = _terms_of(chunk, text)
    whole: list[float] = []
    held: dict[int, list[float]] = {}
    for term, weight in weights.items():
        is_in_lines, holders = terms[term]
        if is_in_lines:
            whole.append(weight)
        for index in holders:
            held.setdefault(index, []).append(weight)
    least = _ANSWERING_SHARE * sum(whole)
    sums = {index: sum(each) for index, each in held.items()} if least else {}
    answering = [index for index, own in sums.items() if own >= least]
    if len(answering) < 2:  # noqa: PLR2004
        return chunk.inside[answering[0]] if answering else None

    def order(index: int) -> tuple[float, float, int, int]:
        symbol = chunk.inside[index]
        named = sum([weight for term, weight in weights.items() if holds_term(symbol.name, term)])
        return -sums[index], -named, symbol.line_end - symbol.line_start, symbol.ordinal

    return chunk.inside[min(answering, key=order)]


class _Holding(NamedTuple):
    """What holds a term."""

    is_in_lines: bool  # some line of the chunk holds it
    holders: tuple[int, ...]  # indexes of definitions that hold it in lines, name or doc


class _ChunkTerms(dict[str, _Holding]):
    """Which definitions in a chunk hold which terms, computed on demand."""

    def __init__(self, chunk: StoredChunk, text: FileText) -> None:
        super().__init__()
        lines = text.text_between(chunk.line_start, chunk.line_end)
        said = "\n".join([_said_of(symbol) for symbol in chunk.inside])
        self._lines = TermLines(lines)
        self._said = TermLines(said)  # by names and docs, one line for each definition
        self._spans = [
            (symbol.line_start - chunk.line_start, symbol.line_end - chunk.line_start)
            for symbol in chunk.inside
        ]
        self.size_bytes = _OWN_BYTES + _COPIES_OF_TEXT * (len(lines) + len(said))

    def __missing__(self, term: str) -> _Holding:
        if len(self) >= _MAX_TERMS:
            self.clear()
        held = self[term] = self._look_for(term)
        return held

    def _look_for(self, term: str) -> _Holding:
        lines = self._lines.holding(term)
        holders = {*self._said.holding(term)}
        if lines:
            holders.update(
                number
                for number, (first, last) in enumerate(self._spans)
                if bisect_left(lines, first) < bisect_right(lines, last)
            )
        return _Holding(bool(lines), tuple(holders))


def _said_of(symbol: StoredSymbol) -> str:
    # Not the qualified name: what all symbols of a file share does not tell them apart.
    return f"{symbol.name} {symbol.doc}".replace("\n", " ")


# Questions that share words find the same chunks.
_cached_terms: Final[ClockCache[tuple[int, int, int], _ChunkTerms]] = ClockCache(4_000_000)
# The lines and their letters, each with a list of them.
_COPIES_OF_TEXT: Final = 4
# The cached terms themselves.
_OWN_BYTES: Final = 4_000


def _terms_of(chunk: StoredChunk, text: FileText) -> _ChunkTerms:
    lines = text.content.cache_key, chunk.line_start, chunk.line_end
    found = _cached_terms.get(lines)
    if found is None:
        found = _ChunkTerms(chunk, text)
        _cached_terms.put(lines, found, found.size_bytes)
    return found
