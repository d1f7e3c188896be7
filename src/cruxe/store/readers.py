"""What a snapshot reads of refs, symbols and trigrams: parts of the interface of a store.

Import this under `TYPE_CHECKING` only, as `api.py`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from cruxe.model.hits import OutlineRow, StoredSymbol
from cruxe.model.identity import BlobId, VersionKey
from cruxe.model.source import SkipReason
from cruxe.model.stored import (
    ChunkName,
    LineSpan,
    Neighbours,
    PackedStamps,
    RefFile,
    RefRow,
    StoredChunk,
    StoredFile,
    StoredVersion,
    TextVersion,
)


class RefReader(Protocol):
    """Refs and their maps from paths to versions."""

    def find_ref(self, name: str) -> RefRow | None:
        """Return a published ref by name, or None."""
        ...

    def list_refs(self) -> list[RefRow]:
        """Return all published refs, by name."""
        ...

    def read_map(self, ref_id: int) -> dict[str, RefFile]:
        """Return a ref's whole map."""
        ...

    def read_rows(self, ref_id: int, paths: Iterable[str]) -> dict[str, RefFile]:
        """Return the rows of some paths; paths that the map lacks are omitted."""
        ...

    def stamps(self, ref_id: int) -> PackedStamps:
        """Return the stamps of a ref's files as they were when the files were read."""
        ...

    def live_keys(self, ref_id: int) -> frozenset[VersionKey]:
        """Return the versions that a ref holds."""
        ...

    def find_file(self, ref_id: int, path: str) -> StoredFile | None:
        """Return a path of a ref, or None."""
        ...

    def paths_named(self, ref_id: int, ending: str) -> list[str]:
        """Return a few paths of a ref that end in a name, ignoring case."""
        ...

    def joined_paths(self, ref_id: int) -> str:
        """Return all paths of a ref in order, each terminated by NUL."""
        ...

    def paths_by_key(self, ref_id: int) -> dict[VersionKey, str]:
        """Return the path of every version with content that a ref holds."""
        ...

    def symbol_counts(self, ref_ids: Iterable[int]) -> dict[int, int]:
        """Return the number of symbols of each ref."""
        ...

    def vector_count(self, ref_id: int) -> int:
        """Return how many vectors a ref has, or would have."""
        ...

    def skipped_paths(self, ref_id: int) -> dict[str, SkipReason]:
        """Return the skipped paths of a ref, by path, each with its reason."""
        ...

    def redacted_versions(self, ref_id: int) -> dict[VersionKey, int]:
        """Return the versions of a ref with secrets, each with their number."""
        ...

    def language_counts(self, ref_id: int) -> dict[str, int]:
        """Return the number of files of a ref, by language."""
        ...


class SymbolReader(Protocol):
    """Symbols, and the chunks and versions that contain them."""

    def symbols_named(self, names: Sequence[str]) -> dict[str, list[StoredSymbol]]:
        """Return all symbols of each name in any spelling, in any ref, by path and ordinal."""
        ...

    def folded_names(self, shortest: int, longest: int) -> Iterable[str]:
        """Return the folded names within a range of lengths, in any ref."""
        ...

    def symbols_named_within(self, spans: Iterable[LineSpan]) -> list[StoredSymbol]:
        """Return the symbols whose names are within some lines, span by span, in file order."""
        ...

    def symbol_at(self, version_key: VersionKey, ordinal: int) -> StoredSymbol | None:
        """Return one symbol of a version, or None."""
        ...

    def symbols_of(
        self, keys: Iterable[VersionKey]
    ) -> Iterator[tuple[VersionKey, list[StoredSymbol]]]:
        """Return all symbols of some versions, in file order; versions without any are omitted.

        The versions come in the order of the keys. A symbol's ordinal is its index.
        """
        ...

    def neighbours(self, symbols: Sequence[StoredSymbol], limit: int) -> list[Neighbours]:
        """Return the parent and the siblings of each symbol, nearest first.

        Only siblings whose ordinals differ by at most `limit` are considered.
        """
        ...

    def outline_rows(self, ref_id: int, path: str, *, top_only: bool) -> list[OutlineRow]:
        """Return the symbols of a path, in file order, parents before children."""
        ...

    def versions(self, keys: Iterable[VersionKey]) -> list[StoredVersion]:
        """Return some versions by key; those without content are omitted."""
        ...

    def chunks(self, names: Iterable[ChunkName]) -> Iterator[tuple[ChunkName, StoredChunk]]:
        """Return some chunks; those of versions without content are omitted."""
        ...

    def described(self, keys: Iterable[VersionKey]) -> Iterator[tuple[VersionKey, str, str, int]]:
        """Return path, language and line count of some versions with content."""
        ...

    def versions_of_language(self, language: str) -> frozenset[VersionKey]:
        """Return the versions in a language, in any ref."""
        ...


class TrigramReader(Protocol):
    """The texts that may contain a literal."""

    def versions_with_trigrams(self, alternatives: Iterable[Sequence[int]]) -> set[VersionKey]:
        """Return the versions with all trigrams of at least one (non-empty) alternative."""
        ...

    def text_versions(self, keys: Iterable[VersionKey]) -> list[TextVersion]:
        """Return some versions with content by path, to be read."""
        ...

    def blob_ids(self, keys: Iterable[VersionKey]) -> dict[VersionKey, BlobId]:
        """Return the git blob ids of some versions with content."""
        ...
