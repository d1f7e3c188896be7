"""Hits with what is shown of them: their lines, and what stands around them."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.config.settings import SecuritySettings
from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.model.specs import ResponseSpec
from cruxe.query.select.verify import Verified
from cruxe.respond.search_results import Neighbours
from cruxe.safety.safe_symbols import safe_symbol

if TYPE_CHECKING:
    from cruxe.model.symbols import ParsedFile
    from cruxe.store.api import Snapshot

_RELATED: Final = 5


class ShownHit(NamedTuple):
    """A hit as it is shown."""

    hit: SearchHit
    lines: list[str]
    neighbours: Neighbours
    also_at: tuple[str, ...] = ()


def show(
    each: Verified,
    snapshot: "Snapshot",
    response: ResponseSpec,
    security: SecuritySettings,
    also_at: tuple[str, ...] = (),
) -> ShownHit:
    """Look up as much of a hit as the answer shows."""
    hit = each.hit
    neighbours = Neighbours()
    if response.has_context:
        neighbours = _safe(_neighbours(each, snapshot), security)
    return ShownHit(hit, each.text.between(hit.line_start, hit.line_end), neighbours, also_at)


def _safe(neighbours: Neighbours, security: SecuritySettings) -> Neighbours:
    parent, related = neighbours
    return Neighbours(
        None if parent is None else safe_symbol(parent, security),
        tuple(safe_symbol(each, security) for each in related),
    )


def _neighbours(each: Verified, snapshot: "Snapshot") -> Neighbours:
    hit, parsed = each.hit, each.text.changed
    symbol = hit.symbol
    if symbol is None:
        return Neighbours()
    if parsed is not None:
        return _present_neighbours(symbol, parsed, snapshot)
    parent = None if symbol.parent is None else snapshot.symbol_at(hit.version_key, symbol.parent)
    around = snapshot.symbols_around(hit.version_key, symbol.ordinal, symbol.parent, _RELATED)
    return Neighbours(parent, tuple(around))


def _present_neighbours(
    symbol: StoredSymbol, parsed: "ParsedFile", snapshot: "Snapshot"
) -> Neighbours:
    """What stands around a definition in a file that changed since it was indexed."""
    from cruxe.query.select.reparsed import present_symbols, siblings_of
    from cruxe.query.select.resolve_symbol import symbols_of

    stored = symbols_of(symbol.version_key, snapshot)
    symbols = present_symbols(symbol.version_key, symbol.path, parsed, stored)
    here = next(each for each in symbols if each.stable_id == symbol.stable_id)
    parent = None if here.parent is None else symbols[here.parent]
    return Neighbours(parent, tuple(siblings_of(here, symbols)[:_RELATED]))
