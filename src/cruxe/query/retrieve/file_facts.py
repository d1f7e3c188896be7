"""Where versions are, what their paths say and what their chunks show.

All this is looked at once, since versions never change.
"""

from collections.abc import Iterable
from math import log1p
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.clock_cache import Kept
from cruxe.model.identity import VersionKey
from cruxe.model.stored import ChunkName, ChunkSpan, StoredChunk, StoredVersion
from cruxe.query.rank.path_roles import PlaceKind, place_kinds
from cruxe.text.identifiers import part_terms_of_word, words_of
from cruxe.text.paths import stem_of_path

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot

# As many versions as a large repository has files; some 30 MB.
_MOST_PLACES: Final = 50_000
# Chunks with their symbols, some hundred pages of them.
_MOST_CHUNK_BYTES: Final = 2_000_000
# Versions with the lines of their chunks: of files that only vectors find, a few on each page.
_MOST_VERSION_BYTES: Final = 1_000_000
_VERSION_BYTES: Final = 500
# What a symbol takes beside its texts.
_SYMBOL_BYTES: Final = 900
# The letters that stems have in common which are not the same and still mean the same word.
ALIKE_START: Final = 3
# A file of so many lines counts as the largest.
_MOST_SIZE: Final = log1p(5_000)


class FilePlace(NamedTuple):
    """Where a version is and how large, and what that says of it."""

    path: str
    language: str
    size: float  # 0 to 1: how much there is in it
    kinds: frozenset[PlaceKind]
    name_terms: tuple[str, ...]  # the words of its name
    name_starts: tuple[str, ...]  # and how each starts


class FilePlaces:
    """The places of versions, which never change; looked up once."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: dict[VersionKey, FilePlace] = {}

    def look_up(self, keys: list[VersionKey], snapshot: "Snapshot") -> list[FilePlace | None]:
        """The places of some versions; nothing for those without content."""
        known = self._known
        found = [*map(known.get, keys)]
        if all(found):  # as they are in a server, but for the first questions
            return found
        if len(known) > _MOST_PLACES:
            known = self._known = {}
        missing = [key for key in keys if key not in known]
        for key, path, language, line_count in snapshot.described(missing):
            known[key] = file_place(path, language, line_count)
        return [*map(known.get, keys)]


class ShownChunks:
    """What chunks show; as many as there is room for are kept."""

    def __init__(self) -> None:
        """Know none yet."""
        self._kept: Kept[ChunkName, StoredChunk] = Kept(_MOST_CHUNK_BYTES)
        self._versions: Kept[VersionKey, StoredVersion] = Kept(_MOST_VERSION_BYTES)

    def find(self, name: ChunkName, snapshot: "Snapshot") -> StoredChunk | None:
        """One chunk; nothing where its version has no content."""
        return self._kept.get(name) or self.look_up([name], snapshot).get(name)

    def spans(self, key: VersionKey, ordinals: list[int], snapshot: "Snapshot") -> list[ChunkSpan]:
        """The lines of some chunks of a version with content, and the symbols that they show."""
        version = self._versions.get(key)
        if version is None:
            (version,) = snapshot.versions([key])
            self._versions.keep(key, version, _VERSION_BYTES + len(version.chunks))
        return version.chunks_at(ordinals)

    def look_up(
        self, names: Iterable[ChunkName], snapshot: "Snapshot"
    ) -> dict[ChunkName, StoredChunk]:
        """Some chunks; those of versions without content are left out."""
        found: dict[ChunkName, StoredChunk] = {}
        missing: list[ChunkName] = []
        for name in names:
            chunk = self._kept.get(name)
            if chunk is None:
                missing.append(name)
            else:
                found[name] = chunk
        for name, chunk in snapshot.chunks(missing) if missing else ():
            self._kept.keep(name, chunk, _size_bytes(chunk))
            found[name] = chunk
        return found


def _size_bytes(chunk: StoredChunk) -> int:
    symbols = chunk.inside if chunk.symbol is None else (chunk.symbol, *chunk.inside)
    texts = sum(len(each.signature) + len(each.doc) for each in symbols)
    return _SYMBOL_BYTES * (1 + len(symbols)) + texts


def file_place(path: str, language: str, line_count: int) -> FilePlace:
    """Look at a path."""
    words = words_of(stem_of_path(path).encode())
    terms = tuple(term for word in words for term in part_terms_of_word(word))
    starts = tuple(map(start_of_word, terms))
    size = min(1.0, log1p(line_count) / _MOST_SIZE)
    return FilePlace(path, language, size, place_kinds(path, language), terms, starts)


def start_of_word(term: str) -> str:
    """How a word starts: others that mean the same start so too."""
    return term[:ALIKE_START]
