"""One ref of one generation, open for questions: facts of its files and chunks, filters applied.

Versions never change, so their cached facts hold for every ref and generation that has them.
Filters are applied to files and symbols exactly, to the index as a condition, to a ref's versions;
the rows of `model/specs.py` say what each filter looks at and how its values match.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from math import log1p
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.clock_cache import ClockCache
from cruxe.model.identity import VersionKey
from cruxe.model.specs import Filters, MatchRule
from cruxe.model.stored import ChunkName, ChunkSpan, StoredChunk, StoredVersion
from cruxe.model.symbols import fold_name
from cruxe.query.rank.policy import LARGEST_FILE, SHORTEST_PREFIX
from cruxe.text.identifiers import part_terms_of_word, words_of
from cruxe.text.paths import PathRole, path_roles, stem_of_path

if TYPE_CHECKING:
    from cruxe.store.api import LexicalIndex, Snapshot, VectorIndex
    from cruxe.store.conditions import Condition


class OpenedRef:
    """What a question is asked of; each part is read once someone needs it."""

    def __init__(
        self, snapshot: "Snapshot", ref_id: int, known: "KnownVersions | None" = None
    ) -> None:
        """Take an open snapshot and one of its refs, and what is known of the store's versions."""
        self.snapshot = snapshot
        self.ref_id = ref_id
        known = known or KnownVersions()
        self.file_facts = known.file_facts
        self.chunks = known.chunks
        self._sound = known.sound

    @cached_property
    def lexical(self) -> "LexicalIndex":
        """The lexical index of the same generation."""
        return self.snapshot.lexical_opener()()

    @cached_property
    def is_live(self) -> Callable[[VersionKey], bool]:
        """Whether the ref holds a version."""
        return self.snapshot.live_keys(self.ref_id).__contains__

    @cached_property
    def paths(self) -> str:
        """All paths in order, each between two NULs: as fast as they can be looked through."""
        return f"\0{self.snapshot.joined_paths(self.ref_id)}"

    @cached_property
    def lower_paths(self) -> str | None:
        """The same in lower case, or None if that would move offsets: some letters get longer."""
        lower = self.paths.lower()
        return lower if len(lower) == len(self.paths) else None

    def check_shown(self, keys: Iterable[VersionKey]) -> None:
        """Raise if what is stored of versions to be shown is damaged; each is checked once."""
        unchecked = [key for key in dict.fromkeys(keys) if key not in self._sound]
        if unchecked:
            self.snapshot.check_versions(unchecked)
            self._sound.update(unchecked)

    def vectors(self, model: str) -> "VectorIndex | None":
        """The vectors of the ref by a model; nothing where some versions lack theirs."""
        return self.snapshot.vectors(self.ref_id, model)


# As many versions as a large repository has files; some 30 MB.
_MAX_VERSIONS: Final = 50_000
# Chunks with their symbols, some hundred pages of them.
_MAX_CHUNK_BYTES: Final = 2_000_000
# Versions with the lines of their chunks: of files that only vectors find, a few on each page.
_MAX_VERSION_BYTES: Final = 1_000_000
_VERSION_BYTES: Final = 500
# The size of a symbol without its texts.
_SYMBOL_BYTES: Final = 900


class FileFacts(NamedTuple):
    """What ranking knows of a version without reading it."""

    path: str
    language: str
    size: float  # 0 to 1, by its lines
    roles: frozenset[PathRole]
    name_terms: tuple[str, ...]  # the words of its name
    name_starts: tuple[str, ...]  # and how each starts
    folded_stem: str  # its name without extension, case and underscores


class FileFactsCache:
    """The facts of versions, each looked up once."""

    def __init__(self) -> None:
        """Start empty."""
        self._known: dict[VersionKey, FileFacts] = {}

    def look_up(self, keys: list[VersionKey], snapshot: "Snapshot") -> list[FileFacts | None]:
        """The facts of some versions; None for those without content."""
        known = self._known
        found = [*map(known.get, keys)]
        if all(found):  # as they are in a server, but for the first questions
            return found
        if len(known) > _MAX_VERSIONS:
            known = self._known = {}
        missing = [key for key in keys if key not in known]
        for key, path, language, line_count in snapshot.described(missing):
            known[key] = facts_of(path, language, line_count)
        return [*map(known.get, keys)]


class ShownChunks:
    """Chunks with what they show, cached."""

    def __init__(self) -> None:
        """Start empty."""
        self._chunks: ClockCache[ChunkName, StoredChunk] = ClockCache(_MAX_CHUNK_BYTES)
        self._versions: ClockCache[VersionKey, StoredVersion] = ClockCache(_MAX_VERSION_BYTES)

    def find(self, name: ChunkName, snapshot: "Snapshot") -> StoredChunk | None:
        """Return one chunk, or None if its version has no content."""
        return self._chunks.get(name) or self.look_up([name], snapshot).get(name)

    def spans(self, key: VersionKey, ordinals: list[int], snapshot: "Snapshot") -> list[ChunkSpan]:
        """The lines of some chunks of a version with content, and the symbols that they show."""
        return self.look_up_versions([key], snapshot)[key].chunks_at(ordinals)

    def look_up_versions(
        self, keys: Iterable[VersionKey], snapshot: "Snapshot"
    ) -> dict[VersionKey, StoredVersion]:
        """Some versions; those without content are left out."""
        cached = {key: self._versions.get(key) for key in keys}
        found = {key: version for key, version in cached.items() if version is not None}
        missing = [key for key, version in cached.items() if version is None]
        for version in snapshot.versions(missing) if missing else ():
            self._versions.put(version.version_key, version, _VERSION_BYTES + len(version.chunks))
            found[version.version_key] = version
        return found

    def look_up(
        self, names: Iterable[ChunkName], snapshot: "Snapshot"
    ) -> dict[ChunkName, StoredChunk]:
        """Some chunks; those of versions without content are left out."""
        wanted = [*names]
        found = self._chunks.get_all(wanted)
        missing = [name for name in wanted if name not in found]
        for name, chunk in snapshot.chunks(missing) if missing else ():
            self._chunks.put(name, chunk, _size_bytes(chunk))
            found[name] = chunk
        return found


class KnownVersions:
    """What questions have looked up of versions; it holds for all refs and generations."""

    def __init__(self) -> None:
        """Start empty."""
        self.sound: set[VersionKey] = set()  # checked against their checksums
        self.file_facts = FileFactsCache()
        self.chunks = ShownChunks()


def _size_bytes(chunk: StoredChunk) -> int:
    symbols = chunk.inside if chunk.symbol is None else (chunk.symbol, *chunk.inside)
    texts = sum(len(each.signature) + len(each.doc) for each in symbols)
    return _SYMBOL_BYTES * (1 + len(symbols)) + texts


def facts_of(path: str, language: str, line_count: int) -> FileFacts:
    """Derive the facts of a version."""
    stem = stem_of_path(path)
    words = words_of(stem.encode())
    terms = tuple(term for word in words for term in part_terms_of_word(word))
    starts = tuple(map(start_of_word, terms))
    size = min(1.0, log1p(line_count) / LARGEST_FILE)
    return FileFacts(
        path=path,
        language=language,
        size=size,
        roles=path_roles(path, language),
        name_terms=terms,
        name_starts=starts,
        folded_stem=fold_name(stem),
    )


def start_of_word(term: str) -> str:
    """The start of a word, which words of the same meaning share."""
    return term[:SHORTEST_PREFIX]


_ABSENT: Final = object()


def passes(filters: Filters, candidate: object) -> bool:
    """Whether a file or symbol passes all filters on fields that it has."""
    return not filters or not failed_filters(filters, candidate)


def failed_filters(filters: Filters, candidate: object) -> list[str]:
    """The names of the filters that a file or symbol fails.

    A filter on a field that the candidate does not have is not failed.
    """
    failed: list[str] = []
    for row, wanted in filters.rows():
        value: object = getattr(candidate, row.field, _ABSENT)
        if value is not _ABSENT and not _matches(row.rule, wanted, value):
            failed.append(row.name)
    return failed


def live_versions(filters: Filters, opened: "OpenedRef") -> Callable[[VersionKey], bool]:
    """Whether a version is in a ref and its path passes the filters on paths.

    Exact filters on files are left to the index condition and to `passes`: a search for chunks
    needs no list of all versions that pass them.
    """
    patterns = [wanted for row, wanted in filters.rows() if row.rule is MatchRule.PATH]
    if not patterns:
        return opened.is_live
    from cruxe.text.patterns import path_filter

    tests = [path_filter(wanted) for wanted in patterns]
    paths = opened.snapshot.paths_by_key(opened.ref_id)
    live = (key for key, path in paths.items() if all(is_match(path) for is_match in tests))
    return frozenset(live).__contains__


def versions_passing(filters: Filters, opened: "OpenedRef") -> Callable[[VersionKey], bool] | None:
    """Return whether a version passes the filters on files, or None if all do.

    For channels without an index condition, which would otherwise be full of other versions.
    """
    if not filters.on_files:
        return None
    is_live = live_versions(filters, opened)
    language = filters.get("language")
    if language is None:
        return is_live
    of_language = opened.snapshot.versions_of_language(language)
    return lambda key: key in of_language and is_live(key)


def index_conditions(filters: Filters) -> "list[Condition]":
    """What the index can check: exact filters on files, by fields of the same names."""
    exact = [each for each in filters.on_files.rows() if each[0].rule is MatchRule.EXACT]
    if not exact:
        return []
    from cruxe.store.conditions import Holds

    # The index holds no lone surrogates, and cannot be asked for one.
    return [Holds(row.field, text.encode("utf-8", "replace").decode()) for row, text in exact]


def _matches(rule: MatchRule, wanted: str, value: object) -> bool:
    if rule is MatchRule.EXACT:
        return value == wanted
    from cruxe.text.patterns import path_filter

    return isinstance(value, str) and path_filter(wanted)(value)
