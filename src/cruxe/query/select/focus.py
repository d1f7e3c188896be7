"""Which of the definitions in a chunk answers a query, if one does.

What a chunk holds never changes. So for every term that someone asked for it is remembered which of
the definitions hold it, and a question that comes with known terms looks into no line.
"""

from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple

from cruxe.model.clock_cache import Kept
from cruxe.model.hits import StoredSymbol
from cruxe.model.stored import StoredChunk
from cruxe.respond.snippets import TermLines, holds_term
from cruxe.tools.texts import FileText

# A definition that holds less of the query than this share of its chunk does is only a part of the
# answer, and the chunk is shown as a whole.
_MOST_OF_IT: Final = 0.75
# That are remembered of one chunk.
_MOST_TERMS: Final = 100


def answering_symbol(
    chunk: StoredChunk, text: FileText, weights: dict[str, float]
) -> StoredSymbol | None:
    """The definition in a chunk that holds most of what the chunk does; nothing if none does."""
    if not chunk.inside:
        return None
    terms = _terms_of(chunk, text)
    whole: list[float] = []
    held: dict[int, list[float]] = {}
    for term, weight in weights.items():
        is_in_lines, holders = terms[term]
        if is_in_lines:
            whole.append(weight)
        for place in holders:
            held.setdefault(place, []).append(weight)
    least = _MOST_OF_IT * sum(whole)
    sums = {place: sum(each) for place, each in held.items()} if least else {}
    answering = [place for place, own in sums.items() if own >= least]
    if len(answering) < 2:  # noqa: PLR2004
        return chunk.inside[answering[0]] if answering else None

    def order(place: int) -> tuple[float, float, int, int]:
        symbol = chunk.inside[place]
        named = sum([weight for term, weight in weights.items() if holds_term(symbol.name, term)])
        return -sums[place], -named, symbol.line_end - symbol.line_start, symbol.ordinal

    return chunk.inside[min(answering, key=order)]


class _Holding(NamedTuple):
    """What holds a term."""

    is_in_lines: bool  # some line of the chunk does
    holders: tuple[int, ...]  # the definitions that do in lines, name or doc, by their places


class _ChunkTerms(dict[str, _Holding]):
    """Which definitions in a chunk hold which terms, as far as someone asked."""

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
        self.size_bytes = _OWN_BYTES + _TEXTS_OF_ONE * (len(lines) + len(said))

    def __missing__(self, term: str) -> _Holding:
        if len(self) >= _MOST_TERMS:
            self.clear()
        held = self[term] = self._look_for(term)
        return held

    def _look_for(self, term: str) -> _Holding:
        places = self._lines.holding(term)
        holders = {*self._said.holding(term)}
        if places:
            holders.update(
                number
                for number, (first, last) in enumerate(self._spans)
                if bisect_left(places, first) < bisect_right(places, last)
            )
        return _Holding(bool(places), tuple(holders))


def _said_of(symbol: StoredSymbol) -> str:
    # Not the qualified name: what all symbols of a file share tells none of them apart.
    return f"{symbol.name} {symbol.doc}".replace("\n", " ")


# The same chunks are found again and again, by questions that share words.
_kept_terms: Final[Kept[tuple[int, int, int], _ChunkTerms]] = Kept(4_000_000)
# The lines and their letters, each with what a list of them takes.
_TEXTS_OF_ONE: Final = 4
# What is remembered of some terms.
_OWN_BYTES: Final = 4_000


def _terms_of(chunk: StoredChunk, text: FileText) -> _ChunkTerms:
    lines = text.content.number, chunk.line_start, chunk.line_end
    found = _kept_terms.get(lines)
    if found is None:
        found = _ChunkTerms(chunk, text)
        _kept_terms.keep(lines, found, found.size_bytes)
    return found
