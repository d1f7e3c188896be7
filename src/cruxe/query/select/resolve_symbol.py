"""Resolve a handle or a name to one symbol or chunk; an ambiguous one is an error.

Of several definitions of a name, code goes before tests and examples, those go before
documentation, and a definition goes before its declarations. What this passes over is returned.
"""

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import AmbiguousSymbolError, ResultNotFoundError, SymbolNotFoundError
from cruxe.model.hits import MatchTier, StoredSymbol
from cruxe.model.identity import Handle, VersionKey, parse_handle
from cruxe.model.specs import LocateSpec
from cruxe.model.symbols import SymbolRole, split_name
from cruxe.query.retrieve.definitions_by_name import locate
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.select.verify import TextSource, present_span
from cruxe.text.paths import PathRole, path_roles

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot

_MAX_LOCATED: Final = 100
_MAX_CANDIDATES: Final = 10
_MAX_NEAREST: Final = 5
_words: Final = re.compile(r"\w+").findall
# At the end, but for a comment.
_LAST_SEMICOLON: Final = re.compile(r";\s*(?:/[/*].*)?\Z", re.DOTALL)
_STUB_FILES: Final = (".pyi", ".d.ts", ".d.mts", ".d.cts")
_SURE: Final = (MatchTier.EXACT, MatchTier.QUALIFIED, MatchTier.CASE_INSENSITIVE)


class ResolvedSymbol(NamedTuple):
    """A symbol or a chunk of an indexed file."""

    version_key: VersionKey
    path: str
    language: str
    lines: tuple[int, int]
    symbol: StoredSymbol | None = None
    around: StoredSymbol | None = None  # the definition with most lines of a chunk
    match: str = ""  # how a name was found
    passed_over: tuple[StoredSymbol, ...] = ()  # others of the same name


def resolve_symbol(text: str, opened: OpenedRef, texts: TextSource) -> ResolvedSymbol:
    """Resolve a handle or a name; raise if there is no such symbol, or several."""
    handle = parse_handle(text)
    found = None if handle is None else _by_handle(handle, text, opened)
    # Any word of twelve letters may be read as a handle.
    return _by_name(text, opened, texts) if found is None else found


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
    return ResolvedSymbol(
        version_key=handle.version_key,
        path=versions[0].path,
        language=versions[0].language,
        lines=(start, end),
        around=None if ordinal is None else snapshot.symbol_at(handle.version_key, ordinal),
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


def _resolved(symbol: StoredSymbol) -> ResolvedSymbol:
    return ResolvedSymbol(
        version_key=symbol.version_key,
        path=symbol.path,
        language=symbol.language,
        lines=(symbol.line_start, symbol.line_end),
        symbol=symbol,
    )


def _by_name(name: str, opened: OpenedRef, texts: TextSource) -> ResolvedSymbol:
    outcome = locate(LocateSpec(name=name, limit=_MAX_LOCATED), opened)
    found = [(hit.symbol, hit.match) for hit in outcome.hits if hit.symbol is not None]
    sure = [(symbol, tier) for symbol, tier in found if tier in _SURE]
    if not sure:
        raise _not_found(name, opened, [symbol for symbol, _ in found])
    best = [symbol for symbol, tier in sure if tier is sure[0][1]]
    rivals = _preferred(name, best, texts)
    if len(rivals) > 1:
        raise _ambiguous(name, rivals)
    others = tuple(symbol for symbol in best if symbol is not rivals[0])
    return _resolved(rivals[0])._replace(match=str(sure[0][1] or ""), passed_over=others)


def _preferred(name: str, symbols: list[StoredSymbol], texts: TextSource) -> list[StoredSymbol]:
    """The symbols of one name that are meant rather than the others."""
    if len(symbols) == 1:
        return symbols
    least = min(map(_distance_from_code, symbols))
    code = [each for each in symbols if _distance_from_code(each) == least]
    rivals = [each for each in code if each.qualified_name == name] or code
    return _without_declarations(rivals, texts) if len(rivals) > 1 else rivals


def _distance_from_code(symbol: StoredSymbol) -> int:
    roles = path_roles(symbol.path, symbol.language)
    return 2 if PathRole.PROSE in roles else int(bool(roles))


def _without_declarations(symbols: list[StoredSymbol], texts: TextSource) -> list[StoredSymbol]:
    """Leave out the declarations of what is defined among the symbols."""
    definitions = [each for each in symbols if not _is_declaration(each, texts)]
    defined = set(map(_sort_of, definitions))
    return [each for each in symbols if each in definitions or _sort_of(each) not in defined]


def _sort_of(symbol: StoredSymbol) -> tuple[str, str]:
    """What a declaration shares with its definition; `typedef struct s s;` declares a type."""
    role = SymbolRole.TYPE if symbol.role == SymbolRole.ALIAS else symbol.role
    return symbol.qualified_name, role


def _is_declaration(symbol: StoredSymbol, texts: TextSource) -> bool:
    """Whether a symbol has no body: a prototype, a forward declaration, an overload, a stub."""
    if symbol.path.endswith(_STUB_FILES):
        return True
    text = texts.read(symbol.version_key, symbol.path)
    if text is None:
        return False
    lines = text.between(*present_span(symbol, text))
    if symbol.language == "python":
        return any(line.strip().startswith("@") and "overload" in line for line in lines)
    code = "\n".join(lines)
    if "{" in code or not _LAST_SEMICOLON.search(code):
        return False
    if symbol.role == SymbolRole.VALUE:
        return code.lstrip().startswith("extern")
    # An alias of another name is a definition.
    return symbol.role != SymbolRole.ALIAS or _words(code).count(symbol.name) > 1


def _ambiguous(name: str, rivals: list[StoredSymbol]) -> AmbiguousSymbolError:
    shown = [*map(described_symbol, rivals[:_MAX_CANDIDATES])]
    return AmbiguousSymbolError(
        f"{name} has {len(rivals)} definitions: {'; '.join(shown)}",
        remedy="give the path:line or the qualified name of one of them",
        data={"symbol": name, "candidates": tuple(shown), "total_candidates": len(rivals)},
    )


def described_symbol(symbol: StoredSymbol) -> str:
    """Return place, kind and qualified name, for a message or a list."""
    return f"{symbol.path}:{symbol.line_start} {symbol.kind} {symbol.qualified_name}"


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
