"""Hits with what is shown of them: their lines, and what stands around them."""

from typing import Final

from cruxe.engine.verify import Verified
from cruxe.index.snapshot import Snapshot
from cruxe.model.hits import SearchHit
from cruxe.model.named import NamedTuple
from cruxe.respond.results import Neighbours
from cruxe.respond.spec import ResponseSpec

_RELATED: Final = 5


class ShownHit(NamedTuple):
    """A hit as it is shown."""

    hit: SearchHit
    lines: list[str]
    neighbours: Neighbours
    also_at: tuple[str, ...] = ()


def show(
    each: Verified, snapshot: Snapshot, response: ResponseSpec, also_at: tuple[str, ...] = ()
) -> ShownHit:
    """Look up as much of a hit as the answer shows."""
    hit = each.hit
    neighbours = _neighbours(hit, snapshot) if response.has_context else Neighbours()
    return ShownHit(hit, each.text.between(hit.line_start, hit.line_end), neighbours, also_at)


def _neighbours(hit: SearchHit, snapshot: Snapshot) -> Neighbours:
    symbol = hit.symbol
    if symbol is None:
        return Neighbours()
    parent = None if symbol.parent is None else snapshot.symbol_at(hit.version_key, symbol.parent)
    around = snapshot.symbols_around(hit.version_key, symbol.ordinal, symbol.parent, _RELATED)
    return Neighbours(parent, tuple(around))
