"""Which definition of a chunk a query is about: small neighbours share one."""

from typing import Final

from cruxe.engine.verify import Verified
from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.respond.snippets import holds_term, term_lines

# A definition that holds less of the query than this share of its chunk does is only a part of the
# answer, and the chunk is shown as a whole.
_MOST_OF_IT: Final = 0.75


def focus(each: Verified, weights: dict[str, float], inside: tuple[StoredSymbol, ...]) -> Verified:
    """Narrow a chunk to the one of the definitions in it that answers, if one does."""
    hit = each.hit
    lines = term_lines(each.text.text_between(hit.line_start, hit.line_end))
    terms = [(term, weight, lines.holding(term)) for term, weight in weights.items()]
    whole = sum([weight for _, weight, held in terms if held])
    if not whole:
        return each

    def order(pair: tuple[float, StoredSymbol]) -> tuple[float, float, int, int]:
        held, symbol = pair
        named = sum([weight for term, weight, _ in terms if holds_term(symbol.name, term)])
        return -held, -named, symbol.line_end - symbol.line_start, symbol.ordinal

    found = [(_held_by(symbol, hit.line_start, terms), symbol) for symbol in inside]
    answering = [pair for pair in found if pair[0] >= _MOST_OF_IT * whole]
    return each._replace(hit=_narrowed(hit, min(answering, key=order)[1])) if answering else each


def _held_by(symbol: StoredSymbol, first_line: int, terms: list[tuple[str, float, int]]) -> float:
    """What the terms count for that a definition holds in its lines, its name or its doc."""
    count = symbol.line_end - symbol.line_start + 1
    lines = ((1 << count) - 1) << (symbol.line_start - first_line)
    doc = term_lines(symbol.doc)
    # Not the qualified name: what all symbols of a file share tells none of them apart.
    return sum(
        [
            weight
            for term, weight, held in terms
            if held & lines or holds_term(symbol.name, term) or doc.holding(term)
        ]
    )


def _narrowed(hit: SearchHit, symbol: StoredSymbol) -> SearchHit:
    return hit._replace(line_start=symbol.line_start, line_end=symbol.line_end, symbol=symbol)
