"""Which definition of a chunk a query is about: small neighbours share one."""

from typing import Final

from cruxe.engine.verify import Verified
from cruxe.index.snapshot import Snapshot
from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.query.analysis import QueryAnalysis
from cruxe.respond.snippets import LineTerms, sum_of_terms

# A definition that holds less of the query than this share of its chunk does is only a part of the
# answer, and the chunk is shown as a whole.
_MOST_OF_IT: Final = 0.75


def focus(each: Verified, analysis: QueryAnalysis, snapshot: Snapshot) -> Verified:
    """Narrow a chunk to the one definition in it that answers; others stay as they are."""
    hit = each.hit
    if hit.chunk is None or each.text.changed is not None:
        return each
    inside = snapshot.symbols_within(hit.version_key, hit.line_start, hit.line_end)
    if not inside:
        return each
    weights = analysis.weights
    lines = LineTerms(each.text.between(hit.line_start, hit.line_end), weights)
    whole = lines.sum(0, hit.line_end - hit.line_start + 1, ())

    def held_by(symbol: StoredSymbol) -> float:
        first, end = symbol.line_start - hit.line_start, symbol.line_end - hit.line_start + 1
        # Not the qualified name: what all symbols of a file share tells none of them apart.
        return lines.sum(first, end, (symbol.name, symbol.doc))

    held = {symbol.ordinal: held_by(symbol) for symbol in inside}

    def order(symbol: StoredSymbol) -> tuple[float, float, int, int]:
        named = sum_of_terms(symbol.name, weights)
        return -held[symbol.ordinal], -named, _length(symbol), symbol.ordinal

    best = min(inside, key=order)
    if whole and held[best.ordinal] >= _MOST_OF_IT * whole:
        return each._replace(hit=_narrowed(hit, best))
    return each


def _length(symbol: StoredSymbol) -> int:
    return symbol.line_end - symbol.line_start


def _narrowed(hit: SearchHit, symbol: StoredSymbol) -> SearchHit:
    return hit._replace(line_start=symbol.line_start, line_end=symbol.line_end, symbol=symbol)
