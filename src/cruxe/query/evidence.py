"""What speaks for a file: chunks that match, names it defines, what its head says.

Each channel asks the index in its own way; a file is a candidate as soon as one of them names it.
"""

from collections.abc import Callable, Sequence
from typing import Final

from cruxe.index.lexical_reader import Condition, Every, Holds, LexicalHit
from cruxe.index.snapshot import Snapshot
from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.specs import SearchSpec
from cruxe.query.analysis import QueryAnalysis
from cruxe.query.file_places import NOWHERE, FilePlace
from cruxe.query.naming import split_name
from cruxe.query.opened import OpenedRef
from cruxe.query.path_names import find_paths
from cruxe.text.identifiers import terms_of_text
from cruxe.text.spelling import fold_name

# Recall is complete well before: of the dev queries' targets 0.998 are among these.
_CHUNKS: Final = 300
_FILES: Final = 80
# More definitions of one name than this are no help to anyone.
_DEFINITIONS: Final = 200
CHUNKS_PER_FILE: Final = 4
_LAST_LINE: Final = 1 << 31


class FileEvidence:
    """All that speaks for one file."""

    # Of most files few channels speak: what none says is the class's.
    place: FilePlace = NOWHERE
    defines = 0.0  # BM25 over the names that it defines
    head = 0.0  # BM25 over its head
    path_match = 0.0  # how far the query names its path
    definitions: Sequence[StoredSymbol] = ()  # of names in the query
    # Where kinds or roles are asked for: the symbols of such in the chunks, best first. A chunk
    # holds symbols of several kinds, so then symbols are shown and not chunks.
    filtered: list[StoredSymbol] | None = None

    def __init__(self, version_key: VersionKey) -> None:
        """Start with nothing."""
        self.version_key = version_key
        self.chunks: list[LexicalHit] = []  # best first

    @property
    def path(self) -> str:
        """Where it is."""
        return self.place.path

    @property
    def language(self) -> str:
        """In which language it is."""
        return self.place.language

    @property
    def is_lexical(self) -> bool:
        """Whether words or names speak for it."""
        has_words = bool(self.chunks) and self.chunks[0].score > 0
        return has_words or bool(self.definitions or self.defines or self.head)

    def lines_of(self, hit: LexicalHit) -> tuple[int, int]:
        """Where one of its chunks stands."""
        return hit.line_start, hit.line_end


def gather_evidence(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
) -> list[FileEvidence]:
    """Ask all channels; the candidates come in no order that means anything."""
    snapshot, lexical = opened.snapshot, opened.lexical
    is_live = liveness(spec, opened)
    found = _Found()
    if analysis.terms:
        condition = _chunk_condition(analysis, spec)
        for hit in lexical.search("text", analysis.terms, _CHUNKS, is_live, condition):
            found[hit.version_key].chunks.append(hit)
        for score, key, *_ in lexical.search("defines", analysis.terms, _FILES, is_live):
            found[key].defines = score
        for score, key, *_ in lexical.search("head", analysis.terms, _FILES, is_live):
            found[key].head = score
    for key, value in find_paths(analysis, opened).items():
        if is_live(key):
            found[key].path_match = value
    definitions: dict[VersionKey, list[StoredSymbol]] = {}
    for symbol in find_definitions(analysis, snapshot, is_live):
        if _passes(symbol, spec):
            definitions.setdefault(symbol.version_key, []).append(symbol)
    for key, symbols in definitions.items():
        found[key].definitions = symbols
    return admitted(list(found.values()), analysis, spec, opened)


class _Found(dict[VersionKey, FileEvidence]):
    """Candidates by version; one that is named for the first time is added."""

    def __missing__(self, key: VersionKey) -> FileEvidence:
        added = self[key] = FileEvidence(key)
        return added


def admitted(
    files: list[FileEvidence], analysis: QueryAnalysis, spec: SearchSpec, opened: OpenedRef
) -> list[FileEvidence]:
    """The files that may be shown, described."""
    if spec.kind is not None or spec.role is not None:
        for each in files:
            each.filtered = _filtered_symbols(each, analysis, spec, opened.snapshot)
    places = opened.places.look_up([each.version_key for each in files], opened.snapshot)
    for each in files:
        if (place := places.get(each.version_key)) is not None:
            each.place = place
    if spec.language is not None:
        files = [each for each in files if each.place.language == spec.language]
    # Where hits must satisfy something, only those that do count.
    if analysis.expression is not None or spec.kind or spec.role:
        files = [each for each in files if each.chunks or each.definitions]
    return [each for each in files if each.place.path]


def find_definitions(
    analysis: QueryAnalysis, snapshot: Snapshot, is_live: Callable[[VersionKey], bool]
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
    from cruxe.query.filters import path_filter

    matches = path_filter(spec.path)
    paths = opened.snapshot.paths_by_key(opened.ref_id)
    return frozenset(key for key, path in paths.items() if matches(path)).__contains__


def _chunk_condition(analysis: QueryAnalysis, spec: SearchSpec) -> Condition | None:
    conditions: list[Condition] = []
    if spec.language is not None:
        # Half a character is nothing that the index holds, nor can it be asked for it.
        conditions.append(Holds("language", spec.language.encode("utf-8", "replace").decode()))
    if analysis.expression is not None:
        from cruxe.query.demands import condition_of

        demanded = condition_of(analysis.expression.demand)
        if demanded is not None:
            conditions.append(demanded)
    return Every(tuple(conditions)) if conditions else None


def _filtered_symbols(
    each: FileEvidence, analysis: QueryAnalysis, spec: SearchSpec, snapshot: Snapshot
) -> list[StoredSymbol]:
    """The symbols in a file's best chunks that pass the filters, but for the definitions."""
    if not each.chunks:
        return []
    weights = analysis.weights

    def order(symbol: StoredSymbol) -> tuple[float, int]:
        held = set(terms_of_text(f"{symbol.name} {symbol.doc}").split())
        said = sum(weight for term, weight in weights.items() if term in held)
        return -said, symbol.ordinal

    known = {symbol.ordinal for symbol in each.definitions}
    passing = [
        symbol
        for symbol in snapshot.symbols_within(each.version_key, 1, _LAST_LINE)
        if symbol.ordinal not in known and _passes(symbol, spec)
    ]
    shown: dict[int, StoredSymbol] = {}
    for hit in each.chunks[:CHUNKS_PER_FILE]:
        line_start, line_end = each.lines_of(hit)
        for symbol in sorted(passing, key=order):
            if line_start <= symbol.line_end and symbol.line_start <= line_end:
                shown.setdefault(symbol.ordinal, symbol)
    return list(shown.values())


def _passes(symbol: StoredSymbol, spec: SearchSpec) -> bool:
    return (
        spec.kind in (None, symbol.kind)
        and spec.role in (None, symbol.role)
        and spec.language in (None, symbol.language)
    )
