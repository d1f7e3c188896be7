"""Which definition of a chunk a query is about: small neighbours share one."""

from typing import Final

from cruxe.engine.verify import Verified
from cruxe.index.snapshot import Snapshot
from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.query.analysis import QueryAnalysis
from cruxe.respond.snippets import sum_of_held, sum_of_terms, terms_held

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
    of_lines = terms_held(each.text.between(hit.line_start, hit.line_end), weights)
    whole = sum_of_held(of_lines, weights)
    if not whole:
        return each

    def held_by(symbol: StoredSymbol) -> float:
        own = of_lines[symbol.line_start - hit.line_start : symbol.line_end - hit.line_start + 1]
        # Not the qualified name: what all symbols of a file share tells none of them apart.
        return sum_of_held((*own, *terms_held((symbol.name, symbol.doc), weights)), weights)

    held = {symbol.ordinal: held_by(symbol) for symbol in inside}

    def order(symbol: StoredSymbol) -> tuple[float, float, int, int]:
        named = sum_of_terms((symbol.name,), weights)
        return -held[symbol.ordinal], -named, _length(symbol), symbol.ordinal

    best = min(inside, key=order)
    if held[best.ordinal] >= _MOST_OF_IT * whole:
        return each._replace(hit=_narrowed(hit, best))
    return each


def _length(symbol: StoredSymbol) -> int:
    return symbol.line_end - symbol.line_start


def _narrowed(hit: SearchHit, symbol: StoredSymbol) -> SearchHit:
    return hit._replace(line_start=symbol.line_start, line_end=symbol.line_end, symbol=symbol)
