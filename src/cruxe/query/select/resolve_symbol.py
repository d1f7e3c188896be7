"""Resolve a handle or a name to one symbol or region; an ambiguous one is an error."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import AmbiguousSymbolError, ResultNotFoundError, SymbolNotFoundError
from cruxe.model.hits import MatchTier, StoredSymbol
from cruxe.model.identity import Handle, VersionKey, parse_handle
from cruxe.model.specs import LocateSpec
from cruxe.model.symbols import split_name
from cruxe.query.retrieve.definitions_by_name import locate
from cruxe.query.retrieve.opened_ref import OpenedRef

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot

_MAX_LOCATED: Final = 100
_MAX_CANDIDATES: Final = 10
_MAX_NEAREST: Final = 5
_SURE: Final = (MatchTier.EXACT, MatchTier.QUALIFIED, MatchTier.CASE_INSENSITIVE)


class ResolvedSymbol(NamedTuple):
    """A symbol or region of an indexed file."""

    version_key: VersionKey
    path: str
    language: str
    lines: tuple[int, int]
    symbol: StoredSymbol | None
    match: str = ""  # how a name was found


def resolve_symbol(text: str, opened: OpenedRef) -> ResolvedSymbol:
    """Resolve a handle or a name; raise if there is no such symbol, or several."""
    handle = parse_handle(text)
    found = None if handle is None else _by_handle(handle, text, opened)
    # Any word of twelve letters may be read as a handle.
    return _by_name(text, opened) if found is None else found


def symbols_of(version_key: VersionKey, snapshot: "Snapshot") -> list[StoredSymbol]:
    """All symbols of a version in file order; a symbol's ordinal is its index."""
    return dict(snapshot.symbols_of([version_key])).get(version_key, [])


def _by_handle(handle: Handle, text: str, opened: OpenedRef) -> ResolvedSymbol | None:
    """Return what a handle names, or None if the store does not know its version."""
    snapshot = opened.snapshot
    versions = snapshot.versions([handle.version_key])
    if not versions:
        return None
    is_live = handle.version_key in snapshot.live_keys(opened.ref_id)
    if handle.is_symbol:
        symbol = snapshot.symbol_at(handle.version_key, handle.ordinal)
        if symbol is None:
            return None
        return _resolved(symbol if is_live else _moved(symbol, text, opened))
    if not is_live:
        raise ResultNotFoundError(f"{text} is of a version that this ref does not hold")
    start, end, ordinal = versions[0].chunk(handle.ordinal)
    shown = None if ordinal is None else snapshot.symbol_at(handle.version_key, ordinal)
    return ResolvedSymbol(
        version_key=handle.version_key,
        path=versions[0].path,
        language=versions[0].language,
        lines=(start, end),
        symbol=shown,
    )


def _moved(symbol: StoredSymbol, text: str, opened: OpenedRef) -> StoredSymbol:
    """The same symbol in the version that the ref holds."""
    file = opened.snapshot.find_file(opened.ref_id, symbol.path)
    if file is not None and file.version_key is not None:
        for each in symbols_of(file.version_key, opened.snapshot):
            if each.stable_id == symbol.stable_id:
                return each
    raise SymbolNotFoundError(
        f"{symbol.qualified_name} ({text}) is not in this ref",
        data={"symbol": symbol.qualified_name},
    )


def _resolved(symbol: StoredSymbol, match: str = "") -> ResolvedSymbol:
    return ResolvedSymbol(
        version_key=symbol.version_key,
        path=symbol.path,
        language=symbol.language,
        lines=(symbol.line_start, symbol.line_end),
        symbol=symbol,
        match=match,
    )


def _by_name(name: str, opened: OpenedRef) -> ResolvedSymbol:
    outcome = locate(LocateSpec(name=name, limit=_MAX_LOCATED), opened)
    found = [(hit.symbol, hit.match) for hit in outcome.hits if hit.symbol is not None]
    sure = [(symbol, tier) for symbol, tier in found if tier in _SURE]
    if not sure:
        raise _not_found(name, opened, [symbol for symbol, _ in found])
    best = [symbol for symbol, tier in sure if tier is sure[0][1]]
    rivals = [symbol for symbol in best if symbol.qualified_name == name] or best
    if len(rivals) > 1:
        raise _ambiguous(name, rivals)
    return _resolved(rivals[0], str(sure[0][1] or ""))


def _ambiguous(name: str, rivals: list[StoredSymbol]) -> AmbiguousSymbolError:
    shown = [
        f"{each.path}:{each.line_start} {each.kind} {each.qualified_name}"
        for each in rivals[:_MAX_CANDIDATES]
    ]
    return AmbiguousSymbolError(
        f"{name} has {len(rivals)} definitions: {'; '.join(shown)}",
        remedy="give the path:line or the qualified name of one of them",
        data={"symbol": name, "candidates": tuple(shown), "total_candidates": len(rivals)},
    )


def _not_found(name: str, opened: OpenedRef, similar: list[StoredSymbol]) -> SymbolNotFoundError:
    nearest = _nearest(name, opened, similar)
    return SymbolNotFoundError(
        f"no symbol {name} in this ref",
        remedy=f"did you mean {', '.join(nearest)}?" if nearest else None,
        data={"symbol": name, "nearest": tuple(nearest)},
    )


def _nearest(name: str, opened: OpenedRef, similar: list[StoredSymbol]) -> list[str]:
    """Qualified names with the same end, else similar ones."""
    live = opened.snapshot.live_keys(opened.ref_id)
    last = (split_name(name) or [name])[-1]
    named = opened.snapshot.symbols_named([last])[last]
    same_end = [each for each in named if each.version_key in live]
    names = dict.fromkeys(each.qualified_name for each in same_end or similar)
    return list(names)[:_MAX_NEAREST]
