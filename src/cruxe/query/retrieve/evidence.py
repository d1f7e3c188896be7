"""What speaks for a file: chunks that match, names it defines, what its head says.

Each channel asks the index in its own way; a file is a candidate as soon as one of them names it.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import TYPE_CHECKING, Final

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.specs import SearchSpec
from cruxe.query.retrieve.candidates import Candidates, Evidence
from cruxe.query.retrieve.file_facts import FilePlace
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.retrieve.path_names import find_paths
from cruxe.query.understand.analysis import QueryAnalysis
from cruxe.query.understand.qualified_names import split_name
from cruxe.store.conditions import Condition, Every, Holds
from cruxe.text.identifiers import terms_of_text
from cruxe.text.spelling import fold_name

if TYPE_CHECKING:
    from cruxe.model.stored import HitRow
    from cruxe.store.api import Snapshot

# Recall is complete well before: of the dev queries' targets 0.998 are among these.
_CHUNKS: Final = 300
_FILES: Final = 80
# More definitions of one name than this are no help to anyone.
_DEFINITIONS: Final = 200
_LAST_LINE: Final = 1 << 31


def gather_evidence(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
) -> Candidates:
    """Ask all channels; the candidates come in no order that means anything."""
    is_live = liveness(spec, opened)
    chunks: dict[VersionKey, list[HitRow]] = {}
    defines: dict[VersionKey, float] = {}
    heads: dict[VersionKey, float] = {}
    if analysis.terms:
        condition = _chunk_condition(analysis, spec)
        chunks = opened.lexical.search_chunks(analysis.terms, _CHUNKS, is_live, condition)
        defines = opened.lexical.search_files("defines", analysis.terms, _FILES, is_live)
        heads = opened.lexical.search_files("head", analysis.terms, _FILES, is_live)
    paths = {key: value for key, value in find_paths(analysis, opened).items() if is_live(key)}
    definitions: dict[VersionKey, list[StoredSymbol]] = {}
    for symbol in find_definitions(analysis, opened.snapshot, is_live):
        if _passes(symbol, spec):
            definitions.setdefault(symbol.version_key, []).append(symbol)
    # Where hits must satisfy something, only those that do count.
    if analysis.expression is not None or spec.kind or spec.role:
        keys = dict.fromkeys(chain(chunks, definitions))
        paths = {key: value for key, value in paths.items() if key in keys}
    else:
        keys = dict.fromkeys(chain(chunks, defines, heads, paths, definitions))
    evidence = Evidence(chunks, defines, heads, paths, definitions)
    found = Candidates(*admitted(keys, spec, opened), evidence)
    return filtered(found, analysis, spec, opened.snapshot)


def admitted(
    keys: Iterable[VersionKey], spec: SearchSpec, opened: OpenedRef
) -> tuple[list[VersionKey], list[FilePlace]]:
    """The versions that may be shown, and where they are."""
    asked = [*keys]
    found = opened.places.look_up(asked, opened.snapshot)
    places = [place for place in found if place is not None]
    if len(places) == len(asked) and spec.language is None:  # as most are
        return asked, places
    admitted = [
        (key, place)
        for key, place in zip(asked, found, strict=True)
        if place is not None and spec.language in (None, place.language)
    ]
    return [key for key, _ in admitted], [place for _, place in admitted]


def filtered(
    files: Candidates, analysis: QueryAnalysis, spec: SearchSpec, snapshot: "Snapshot"
) -> Candidates:
    """The same with the symbols that are asked for, where kinds or roles are."""
    if spec.kind is not None or spec.role is not None:
        known = files.evidence.filtered or {}
        added = {
            key: _filtered_symbols(files, place, analysis, spec, snapshot)
            for place, key in enumerate(files.keys)
            if key not in known
        }
        files.evidence = files.evidence._replace(filtered={**known, **added})
    return files


def find_definitions(
    analysis: QueryAnalysis, snapshot: "Snapshot", is_live: Callable[[VersionKey], bool]
) -> list[StoredSymbol]:
    """The definitions of the names in a query, in any spelling."""
    symbols: dict[tuple[int, int], StoredSymbol] = {}
    for name in analysis.names:
        parts = split_name(name)
        for symbol in snapshot.symbols_named(parts[-1]) if parts else ():
            if is_live(symbol.version_key):
                symbols[symbol.version_key, symbol.ordinal] = symbol
    return list(symbols.values())[:_DEFINITIONS]


def is_qualified_match(symbol: StoredSymbol, name: str) -> bool:
    """Whether a qualified name in the query is the end of the symbol's own."""
    asked = [fold_name(part) for part in split_name(name)]
    own = [fold_name(part) for part in split_name(symbol.qualified_name)]
    return len(asked) > 1 and own[-len(asked) :] == asked


def liveness(spec: SearchSpec, opened: OpenedRef) -> Callable[[VersionKey], bool]:
    """Whether a version is in a ref and its path passes the filter."""
    if spec.path is None:
        return opened.is_live
    from cruxe.text.globs import path_filter

    matches = path_filter(spec.path)
    paths = opened.snapshot.paths_by_key(opened.ref_id)
    return frozenset(key for key, path in paths.items() if matches(path)).__contains__


def _chunk_condition(analysis: QueryAnalysis, spec: SearchSpec) -> Condition | None:
    conditions: list[Condition] = []
    if spec.language is not None:
        # Half a character is nothing that the index holds, nor can it be asked for it.
        conditions.append(Holds("language", spec.language.encode("utf-8", "replace").decode()))
    if analysis.expression is not None:
        from cruxe.query.understand.demands import condition_of

        demanded = condition_of(analysis.expression.demand)
        if demanded is not None:
            conditions.append(demanded)
    return Every(tuple(conditions)) if conditions else None


def _filtered_symbols(
    files: Candidates, place: int, analysis: QueryAnalysis, spec: SearchSpec, snapshot: "Snapshot"
) -> list[StoredSymbol]:
    """The symbols in a file's best chunks that pass the filters, but for the definitions."""
    chunks = files.chunks_at(place)
    if not chunks:
        return []
    key, weights = files.keys[place], analysis.weights

    def order(symbol: StoredSymbol) -> tuple[float, int]:
        held = set(terms_of_text(f"{symbol.name} {symbol.doc}").split())
        said = sum(weight for term, weight in weights.items() if term in held)
        return -said, symbol.ordinal

    known = {symbol.ordinal for symbol in files.evidence.definitions.get(key, ())}
    passing = [
        symbol
        for symbol in snapshot.symbols_within(key, 1, _LAST_LINE)
        if symbol.ordinal not in known and _passes(symbol, spec)
    ]
    passing.sort(key=order)
    shown: dict[int, StoredSymbol] = {}
    for _, _, _, line_start, line_end in chunks:
        for symbol in passing:
            if line_start <= symbol.line_end and symbol.line_start <= line_end:
                shown.setdefault(symbol.ordinal, symbol)
    return [*shown.values()]


def _passes(symbol: StoredSymbol, spec: SearchSpec) -> bool:
    return (
        spec.kind in (None, symbol.kind)
        and spec.role in (None, symbol.role)
        and spec.language in (None, symbol.language)
    )
