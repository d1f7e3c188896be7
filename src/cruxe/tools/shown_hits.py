"""Hits with what is shown of them: their lines, and what stands around them."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.config.settings import SecuritySettings
from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.model.specs import ResponseSpec
from cruxe.model.stored import Neighbours
from cruxe.safety.safe_symbols import safe_symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cruxe.model.symbols import ParsedFile
    from cruxe.query.select.verify import Verified
    from cruxe.store.api import Snapshot

_RELATED: Final = 5


class ShownHit(NamedTuple):
    """A hit as it is shown."""

    hit: SearchHit
    lines: list[str]
    neighbours: Neighbours
    also_at: tuple[str, ...] = ()


def show(
    hits: "Sequence[Verified]",
    snapshot: "Snapshot",
    response: ResponseSpec,
    security: SecuritySettings,
) -> list[ShownHit]:
    """Look up as much of the hits as the answer shows."""
    around = [Neighbours()] * len(hits)
    if response.has_context:
        around = [_safe(each, security) for each in _neighbours(hits, snapshot)]
    return [
        ShownHit(hit, text.between(hit.line_start, hit.line_end), neighbours)
        for (hit, text), neighbours in zip(hits, around, strict=True)
    ]


def _safe(neighbours: Neighbours, security: SecuritySettings) -> Neighbours:
    parent, related = neighbours
    return Neighbours(
        None if parent is None else safe_symbol(parent, security),
        tuple(safe_symbol(each, security) for each in related),
    )


def _neighbours(hits: "Sequence[Verified]", snapshot: "Snapshot") -> list[Neighbours]:
    """Return what is around each hit; nothing around a hit without symbol."""
    found = [Neighbours()] * len(hits)
    symbols = [(index, hit.symbol, text.changed) for index, (hit, text) in enumerate(hits)]
    same = {index: each for index, each, parsed in symbols if each and parsed is None}
    stored = snapshot.neighbours([*same.values()], _RELATED) if same else []
    for index, around in zip(same, stored, strict=True):
        found[index] = around
    changed = [(index, each, parsed) for index, each, parsed in symbols if each and parsed]
    keys = dict.fromkeys(each.version_key for _, each, _ in changed)
    indexed = dict(snapshot.symbols_of(keys)) if changed else {}
    for index, symbol, parsed in changed:
        found[index] = _present_neighbours(symbol, parsed, indexed[symbol.version_key])
    return found


def _present_neighbours(
    symbol: StoredSymbol, parsed: "ParsedFile", stored: list[StoredSymbol]
) -> Neighbours:
    """What is around a definition in a file that changed since it was indexed."""
    from cruxe.query.select.reparsed import present_symbols, siblings_of

    symbols = present_symbols(symbol.version_key, symbol.path, parsed, stored)
    here = next(each for each in symbols if each.stable_id == symbol.stable_id)
    parent = None if here.parent is None else symbols[here.parent]
    return Neighbours(parent, tuple(siblings_of(here, symbols)[:_RELATED]))
