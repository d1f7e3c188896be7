"""The files that may answer a query, with the evidence of the lexical channels, by column.

Each channel asks the index in its own way; a file is a candidate as soon as one of them finds it.
Hundreds are scored and ten are shown: so signals read columns, and the evidence of one file is put
together only for files that are looked at.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.specs import SearchSpec
from cruxe.model.stored import HitRow
from cruxe.query.rank.policy import (
    CHUNKS_PER_FILE,
    FOLDER_VALUE,
    GLOB_VALUE,
    IN_SENTENCE_SHARE,
    LEXICAL_CHUNKS,
    LEXICAL_FILES,
    NAMED_PATHS,
    NEAREST_FILES,
    OCCURRING_SHARE,
    OTHER_CASE_SHARE,
    SECOND_CHUNK_WEIGHT,
    THIRD_CHUNK_WEIGHT,
    WHOLE_PATH_VALUE,
    WITHOUT_EXTENSION_VALUE,
)
from cruxe.query.retrieve.named_definitions import find_definitions, is_held, without_aliases
from cruxe.query.retrieve.opened_ref import (
    FileFacts,
    OpenedRef,
    index_conditions,
    live_versions,
    passes,
)
from cruxe.query.understand.analysis import QueryAnalysis, is_glob
from cruxe.query.understand.operators import condition_of

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot
    from cruxe.store.conditions import Condition

Chunks = Sequence[HitRow]  # of one file that may be shown, best first
Symbols = Sequence[StoredSymbol]
# One value per candidate, between 0 and 1; empty if a signal says nothing about this query.
Values = Sequence[float]
_Scales = TypeVar("_Scales")


class Evidence(NamedTuple):
    """What the channels found, by version; most versions are found by few channels."""

    chunks: Mapping[VersionKey, Chunks]
    defines: Mapping[VersionKey, float]  # BM25 over the names that a file defines
    heads: Mapping[VersionKey, float]  # BM25 over its head
    path_matches: Mapping[VersionKey, float]  # how far the query names its path
    definitions: Mapping[VersionKey, Symbols]  # of names in the query
    # With a filter on symbols: those in the chunks that pass. A chunk holds symbols
    # of several kinds, so then symbols are shown and not chunks.
    filtered: Mapping[VersionKey, Symbols] | None = None
    is_misspelt: bool = False  # the definitions are a typing error away from the name asked for


NO_EVIDENCE: Final = Evidence(chunks={}, defines={}, heads={}, path_matches={}, definitions={})


class FileEvidence(NamedTuple):
    """The evidence for one file."""

    version_key: VersionKey
    facts: FileFacts
    chunks: Chunks
    definitions: Symbols
    filtered: Symbols | None
    is_lexical: bool  # found by words or names
    is_near: bool  # found by vectors


class Candidates:
    """Files and their evidence: the same index in every column is the same file."""

    near: Sequence[float] = ()  # similarity of the nearest chunk
    near_three: Sequence[float] = ()  # of the nearest three, the further ones counting less
    near_docs: Sequence[float] = ()  # of all docs together
    near_keys: Collection[VersionKey] = ()  # the versions that vectors found

    def __init__(self, keys: list[VersionKey], facts: list[FileFacts], evidence: Evidence) -> None:
        """Take versions, their facts, and evidence for them and perhaps for others."""
        self.keys = keys
        self.facts = facts
        self.evidence = evidence
        self.chunks: list[Chunks] = [*map(evidence.chunks.get, keys, repeat(()))]
        # The score of each one's best chunk, and what its best three come to.
        self.best_chunks, self.best_three = chunk_scores(self.chunks)
        self.defines = [*map(evidence.defines.get, keys, repeat(0.0))]
        self.heads = [*map(evidence.heads.get, keys, repeat(0.0))]
        self.columns: dict[object, Values] = {}  # by signal, computed on demand

    def column(self, signal: Callable[["Candidates", _Scales], Values], scales: _Scales) -> Values:
        """The values of a signal, computed once."""
        if signal not in self.columns:
            self.columns[signal] = signal(self, scales)
        return self.columns[signal]

    def __len__(self) -> int:
        """The number of candidates."""
        return len(self.keys)

    def best_first(
        self, column: Sequence[float], floor: float, values: Sequence[float]
    ) -> list[int]:
        """The indexes at which a column is above a floor, the largest values first.

        Path and version break ties.
        """
        if not column:  # a signal without values
            return []
        order, has_ties = falling_places(column, floor, values)
        if has_ties:
            self._break_ties(order, [values[index] for index in order])
        return order

    def _break_ties(self, order: list[int], values: list[float]) -> None:
        """Sort indexes of equal values by path and version; there are few."""
        keys, facts = self.keys, self.facts
        start = 0
        for end, value in enumerate([*values[1:], None], start=1):
            if value != values[start]:
                if end - start > 1:
                    tied = sorted((facts[each].path, keys[each], each) for each in order[start:end])
                    order[start:end] = [index for *_, index in tied]
                start = end

    def file_at(self, index: int) -> FileEvidence:
        """The evidence for one of them."""
        key, evidence = self.keys[index], self.evidence
        definitions = evidence.definitions.get(key, ())
        has_words = self.best_chunks[index] > 0 or bool(self.defines[index] or self.heads[index])
        filtered = None if evidence.filtered is None else evidence.filtered.get(key, ())
        return FileEvidence(
            version_key=key,
            facts=self.facts[index],
            chunks=self.chunks_at(index),
            definitions=definitions,
            filtered=filtered,
            is_lexical=has_words or bool(definitions),
            is_near=key in self.near_keys,
        )

    def chunks_at(self, index: int) -> Chunks:
        """The chunks of one of them that may be shown."""
        return self.chunks[index]

    def look_up(self, indexes: Iterable[int]) -> None:
        """Read at once what `chunks_at` needs for some of them; here nothing."""


def chunk_scores(chunks: list[Chunks]) -> tuple[list[float], list[float]]:
    """The score of each file's best chunk, and of its best three, further ones counting less."""
    best = [-rows[0][0] if rows else 0.0 for rows in chunks]
    return best, [
        first if len(rows) < 2 else _sum_of_three(rows)  # noqa: PLR2004
        for first, rows in zip(best, chunks, strict=True)
    ]


def falling_places(
    column: Sequence[float], floor: float, values: Sequence[float]
) -> tuple[list[int], bool]:
    """Places where a column is above a floor by falling values, and whether some are equal."""
    above = [place for place, value in enumerate(column) if value > floor]
    order = sorted(above, key=values.__getitem__, reverse=True)
    return order, len({values[place] for place in order}) < len(order)


def _sum_of_three(chunks: Chunks) -> float:
    total = -chunks[0][0] - SECOND_CHUNK_WEIGHT * chunks[1][0]
    return total if len(chunks) == 2 else total - THIRD_CHUNK_WEIGHT * chunks[2][0]  # noqa: PLR2004


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
    named, is_misspelt = find_definitions(analysis, opened, is_live)
    passing = [symbol for symbol in named if passes(spec.filters, symbol)]
    for symbol in without_aliases(passing, analysis):
        definitions.setdefault(symbol.version_key, []).append(symbol)
    # If hits must satisfy a demand or a filter on symbols, only channels that check it count.
    if analysis.expression is not None or spec.filters.on_symbols:
        keys = dict.fromkeys(chain(chunks, definitions))
        paths = {key: value for key, value in paths.items() if key in keys}
    else:
        keys = dict.fromkeys(chain(chunks, defines, heads, paths, definitions))
    evidence = Evidence(
        chunks=chunks,
        defines=defines,
        heads=heads,
        path_matches=paths,
        definitions=definitions,
        is_misspelt=is_misspelt,
    )
    found = Candidates(*admitted(keys, spec, opened), evidence)
    return filtered(found, spec, opened.snapshot)


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


def filtered(files: Candidates, spec: SearchSpec, snapshot: "Snapshot") -> Candidates:
    """Add the symbols that pass the filters on symbols, if there are such filters."""
    if spec.filters.on_symbols:
        known = files.evidence.filtered or {}
        new = {key: index for index, key in enumerate(files.keys) if key not in known}
        files.look_up(new.values())
        added: dict[VersionKey, list[StoredSymbol]] = {key: [] for key in new}
        for key, symbols in snapshot.symbols_of(new):
            added[key] = _filtered_symbols(files, new[key], spec, symbols)
        files.evidence = files.evidence._replace(filtered={**known, **added})
    return files


def says_little(analysis: QueryAnalysis, found: Candidates, opened: OpenedRef) -> bool:
    """Whether few files hold any word of a query, and few of its words occur anywhere.

    Filters play no part: words that only other files hold do occur.
    """
    if len(found) >= NEAREST_FILES:
        return False
    said = [term.weight for term in analysis.terms if is_held(term.term, opened)]
    return sum(said) < OCCURRING_SHARE * sum(analysis.weights.values())


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
    files: Candidates, index: int, spec: SearchSpec, symbols: list[StoredSymbol]
) -> list[StoredSymbol]:
    """The symbols in a file's best chunks that pass the filters, without the definitions."""
    definitions = files.evidence.definitions.get(files.keys[index], ())
    known = {symbol.ordinal for symbol in definitions}
    shown: dict[int, StoredSymbol] = {}
    for _, _, _, line_start, line_end in files.chunks_at(index):
        for symbol in symbols:
            if line_start <= symbol.line_end and symbol.line_start <= line_end:
                shown.setdefault(symbol.ordinal, symbol)
    return [
        symbol
        for symbol in shown.values()
        if symbol.ordinal not in known and passes(spec.filters, symbol)
    ]


def find_paths(analysis: QueryAnalysis, opened: OpenedRef) -> dict[VersionKey, float]:
    """The versions whose paths a query names, each with how far it does.

    A path may be named whole, by its end, without its extension, or by a folder above it.
    """
    if not analysis.paths:
        return {}
    share = WHOLE_PATH_VALUE if analysis.is_path else IN_SENTENCE_SHARE
    values: dict[str, float] = {}
    for asked in analysis.paths:
        named = _globbed_paths if is_glob(asked) else _named_paths
        for path, value in named(asked, opened):
            values[path] = max(values.get(path, 0.0), share * value)
    best = sorted(values, key=lambda path: (-values[path], path))[:NAMED_PATHS]
    rows = opened.snapshot.read_rows(opened.ref_id, best)
    keys = ((file.content_key, path) for path, file in rows.items())
    return {key: values[path] for key, path in keys if key is not None}


def _globbed_paths(glob: str, opened: OpenedRef) -> Iterator[tuple[str, float]]:
    from cruxe.text.patterns import path_filter

    return ((path, GLOB_VALUE) for path in filter(path_filter(glob), opened.paths.split(_END)))


def _named_paths(asked: str, opened: OpenedRef) -> Iterator[tuple[str, float]]:
    """Paths that hold the text asked for between two slashes, or at an end."""
    text = asked.strip("/")
    has_folders = "/" in asked
    # A name without dots and slashes is a file's only if it is all of its name: `Makefile`.
    is_exact = not has_folders and "." not in text
    joined, lower = opened.paths, None if is_exact else opened.lower_paths
    haystack, needle = (joined, text) if lower is None else (lower, text.lower())
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
