"""The lexical channels: chunks that match, names and heads of files, definitions, named paths.

Each channel asks the index in its own way; a file is a candidate as soon as one of them finds it.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Final

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.specs import SearchSpec
from cruxe.model.symbols import fold_name, split_name
from cruxe.query.rank.policy import (
    CHUNKS_PER_FILE,
    FOLDER_VALUE,
    IN_SENTENCE_SHARE,
    LEXICAL_CHUNKS,
    LEXICAL_FILES,
    NAMED_DEFINITIONS,
    NAMED_PATHS,
    OTHER_CASE_SHARE,
    WHOLE_PATH_VALUE,
    WITHOUT_EXTENSION_VALUE,
)
from cruxe.query.retrieve.candidates import Candidates, Evidence
from cruxe.query.retrieve.file_facts import FileFacts
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.select.filter_checks import index_conditions, live_versions, passes
from cruxe.query.understand.analysis import QueryAnalysis
from cruxe.query.understand.operators import condition_of
from cruxe.text.identifiers import terms_of_text

if TYPE_CHECKING:
    from cruxe.model.stored import HitRow
    from cruxe.store.api import Snapshot
    from cruxe.store.conditions import Condition

# Occurrences of a path's text that are looked at among all paths.
_MAX_OCCURRENCES: Final = 5_000
_END: Final = "\0"  # of a path among all


def gather_evidence(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
) -> Candidates:
    """Ask all lexical channels; the order of the candidates means nothing."""
    is_live = live_versions(spec.filters, opened)
    chunks: dict[VersionKey, list[HitRow]] = {}
    defines: dict[VersionKey, float] = {}
    heads: dict[VersionKey, float] = {}
    if analysis.terms:
        condition = _chunk_condition(analysis, spec)
        chunks = opened.lexical.search_chunks(
            analysis.terms, LEXICAL_CHUNKS, is_live, condition, per_file=CHUNKS_PER_FILE
        )
        defines = opened.lexical.search_files("defines", analysis.terms, LEXICAL_FILES, is_live)
        heads = opened.lexical.search_files("head", analysis.terms, LEXICAL_FILES, is_live)
    paths = {key: value for key, value in find_paths(analysis, opened).items() if is_live(key)}
    definitions: dict[VersionKey, list[StoredSymbol]] = {}
    for symbol in find_definitions(analysis, opened.snapshot, is_live):
        if passes(spec.filters, symbol):
            definitions.setdefault(symbol.version_key, []).append(symbol)
    # If hits must satisfy a demand or a filter on symbols, only channels that check it count.
    if analysis.expression is not None or spec.filters.on_symbols:
        keys = dict.fromkeys(chain(chunks, definitions))
        paths = {key: value for key, value in paths.items() if key in keys}
    else:
        keys = dict.fromkeys(chain(chunks, defines, heads, paths, definitions))
    evidence = Evidence(
        chunks=chunks, defines=defines, heads=heads, path_matches=paths, definitions=definitions
    )
    found = Candidates(*admitted(keys, spec, opened), evidence)
    return filtered(found, analysis, spec, opened.snapshot)


def admitted(
    keys: Iterable[VersionKey], spec: SearchSpec, opened: OpenedRef
) -> tuple[list[VersionKey], list[FileFacts]]:
    """The versions that may be shown, and their facts."""
    asked = [*keys]
    found = opened.file_facts.look_up(asked, opened.snapshot)
    facts = [each for each in found if each is not None]
    on_files = spec.filters.on_files
    if len(facts) == len(asked) and not on_files:  # as in most questions
        return asked, facts
    admitted = [
        (key, each)
        for key, each in zip(asked, found, strict=True)
        if each is not None and passes(on_files, each)
    ]
    return [key for key, _ in admitted], [each for _, each in admitted]


def filtered(
    files: Candidates, analysis: QueryAnalysis, spec: SearchSpec, snapshot: "Snapshot"
) -> Candidates:
    """Add the symbols that pass the filters on symbols, if there are such filters."""
    if spec.filters.on_symbols:
        known = files.evidence.filtered or {}
        new = {key: index for index, key in enumerate(files.keys) if key not in known}
        files.look_up(new.values())
        added: dict[VersionKey, list[StoredSymbol]] = {key: [] for key in new}
        for key, symbols in snapshot.symbols_of(new):
            added[key] = _filtered_symbols(files, new[key], analysis, spec, symbols)
        files.evidence = files.evidence._replace(filtered={**known, **added})
    return files


def find_definitions(
    analysis: QueryAnalysis, snapshot: "Snapshot", is_live: Callable[[VersionKey], bool]
) -> list[StoredSymbol]:
    """The definitions of the names in a query, in any spelling."""
    symbols: dict[tuple[int, int], StoredSymbol] = {}
    names = [parts[-1] for parts in map(split_name, analysis.names) if parts]
    for named in snapshot.symbols_named(names).values() if names else ():
        for symbol in named:
            if is_live(symbol.version_key):
                symbols[symbol.version_key, symbol.ordinal] = symbol
    return list(symbols.values())[:NAMED_DEFINITIONS]


def is_qualified_match(symbol: StoredSymbol, name: str) -> bool:
    """Whether a qualified name in the query is the end of the symbol's qualified name."""
    asked = [fold_name(part) for part in split_name(name)]
    own = [fold_name(part) for part in split_name(symbol.qualified_name)]
    return len(asked) > 1 and own[-len(asked) :] == asked


def _chunk_condition(analysis: QueryAnalysis, spec: SearchSpec) -> "Condition | None":
    conditions = index_conditions(spec.filters)
    if analysis.expression is not None:
        demanded = condition_of(analysis.expression.demand)
        if demanded is not None:
            conditions.append(demanded)
    if not conditions:
        return None
    from cruxe.store.conditions import Every

    return Every(tuple(conditions))


def _filtered_symbols(
    files: Candidates,
    index: int,
    analysis: QueryAnalysis,
    spec: SearchSpec,
    symbols: list[StoredSymbol],
) -> list[StoredSymbol]:
    """The symbols in a file's best chunks that pass the filters, without the definitions."""
    chunks = files.chunks_at(index)
    if not chunks:
        return []
    key, weights = files.keys[index], analysis.weights

    def order(symbol: StoredSymbol) -> tuple[float, int]:
        held = set(terms_of_text(f"{symbol.name} {symbol.doc}").split())
        said = sum(weight for term, weight in weights.items() if term in held)
        return -said, symbol.ordinal

    known = {symbol.ordinal for symbol in files.evidence.definitions.get(key, ())}
    passing = [
        symbol for symbol in symbols if symbol.ordinal not in known and passes(spec.filters, symbol)
    ]
    passing.sort(key=order)
    shown: dict[int, StoredSymbol] = {}
    for _, _, _, line_start, line_end in chunks:
        for symbol in passing:
            if line_start <= symbol.line_end and symbol.line_start <= line_end:
                shown.setdefault(symbol.ordinal, symbol)
    return [*shown.values()]


def find_paths(analysis: QueryAnalysis, opened: OpenedRef) -> dict[VersionKey, float]:
    """The versions whose paths a query names, each with how far it does.

    A path may be named whole, by its end, without its extension, or by a folder above it.
    """
    if not analysis.paths:
        return {}
    share = WHOLE_PATH_VALUE if analysis.is_path else IN_SENTENCE_SHARE
    values: dict[str, float] = {}
    for asked in analysis.paths:
        for path, value in _named_paths(asked, opened.paths):
            values[path] = max(values.get(path, 0.0), share * value)
    best = sorted(values, key=lambda path: (-values[path], path))[:NAMED_PATHS]
    rows = opened.snapshot.read_rows(opened.ref_id, best)
    keys = ((file.content_key, path) for path, file in rows.items())
    return {key: values[path] for key, path in keys if key is not None}


def _named_paths(asked: str, joined: str) -> Iterator[tuple[str, float]]:
    """Paths that hold the text asked for between two slashes, or at an end."""
    text = asked.strip("/")
    has_folders = "/" in asked
    # A name without dots and slashes is a file's only if it is all of its name: `Makefile`.
    is_exact = not has_folders and "." not in text
    haystack, needle = (joined, text) if is_exact else (joined.lower(), text.lower())
    # Some letters are longer in lower case; then offsets do not fit, and case counts.
    if len(haystack) != len(joined):
        haystack, needle = joined, text
    start = haystack.find(needle) if needle else -1
    for _ in range(_MAX_OCCURRENCES):
        if start < 0:
            return
        end = start + len(needle)
        if joined[start - 1] in f"/{_END}":
            stop = joined.index(_END, end)
            value = _path_value(joined[end:stop], has_folders=has_folders)
            if value:
                is_same_case = joined[start:end] == text
                path = joined[joined.rindex(_END, 0, start) + 1 : stop]
                yield path, value if is_same_case else value * OTHER_CASE_SHARE
        start = haystack.find(needle, end)


def _path_value(rest: str, *, has_folders: bool) -> float:
    """How far the text names a path, by what follows it there."""
    if not rest:
        return WHOLE_PATH_VALUE
    if not has_folders:
        return 0.0
    if rest.startswith("/"):
        return FOLDER_VALUE / rest.count("/")
    return WITHOUT_EXTENSION_VALUE if rest.startswith(".") and "/" not in rest else 0.0
