"""Definitions by name: exact, by the end of a qualified name, or in another case."""

import re
from typing import Final

from cruxe.index.snapshot import Snapshot
from cruxe.model.hits import LocatedSymbol, LocateOutcome, MatchTier, StoredSymbol
from cruxe.model.specs import LocateSpec
from cruxe.text.identifiers import fold_name

# `a.b.C`, `a::b`, `pkg/Class#method`, `ptr->field`: all of them part a path of names.
_SEPARATORS: Final = re.compile(r"::|->|[.#/:\\$]+")
# Plain words: the enumeration would cost more to define than the question to answer.
_ROLE_ORDER: Final = {"type": 0, "callable": 1, "namespace": 2, "alias": 3, "value": 4}


_TIER_ORDER: Final = {tier: order for order, tier in enumerate(MatchTier)}


def locate(spec: LocateSpec, snapshot: Snapshot, ref_id: int) -> LocateOutcome:
    """Find the definitions of a name in a ref."""
    live = snapshot.live_keys(ref_id)
    parts = split_name(spec.name)
    found: dict[tuple[int, int], LocatedSymbol] = {}
    for last in {spec.name, parts[-1] if parts else spec.name}:
        for symbol in snapshot.symbols_named(last):
            tier = match_tier(symbol, spec.name, parts)
            if tier is not None and symbol.version_key in live:
                found[symbol.version_key, symbol.ordinal] = LocatedSymbol(symbol, tier)
    wanted = sorted((each for each in found.values() if _passes(each, spec)), key=_order)
    return LocateOutcome(wanted[: spec.limit], len(wanted), len(found) - len(wanted))


def split_name(name: str) -> list[str]:
    """The parts of a qualified name in any language's spelling."""
    return [part for part in _SEPARATORS.split(name.strip().removesuffix("()")) if part]


def match_tier(symbol: StoredSymbol, name: str, parts: list[str]) -> MatchTier | None:
    """How a symbol answers a name; nothing where its qualified name ends otherwise."""
    if name in (symbol.name, symbol.qualified_name):
        return MatchTier.EXACT
    own = split_name(symbol.qualified_name)
    if len(parts) > 1 and own[-len(parts) :] == parts:
        return MatchTier.QUALIFIED
    if len(parts) == 1 and parts[0] == symbol.name:
        return MatchTier.EXACT
    if fold_name(name) == fold_name(symbol.name):
        return MatchTier.CASE_INSENSITIVE
    folded = [fold_name(part) for part in parts]
    if folded and [fold_name(part) for part in own[-len(parts) :]] == folded:
        return MatchTier.CASE_INSENSITIVE
    return None


def _passes(each: LocatedSymbol, spec: LocateSpec) -> bool:
    symbol = each.symbol
    return (
        spec.kind in (None, symbol.kind)
        and spec.role in (None, symbol.role)
        and spec.language in (None, symbol.language)
    )


def _order(each: LocatedSymbol) -> tuple[int, int, str, int, int]:
    symbol = each.symbol
    role = _ROLE_ORDER[symbol.role]
    return _TIER_ORDER[each.tier], role, symbol.path, symbol.line_start, symbol.ordinal
