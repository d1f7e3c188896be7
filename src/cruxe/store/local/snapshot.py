"""Reads a store: one generation, in one read transaction."""

import os
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from cruxe.model.errors import EngineError, IndexIncompatibleError, IndexNotReadyError
from cruxe.model.hits import OutlineRow, StoredSymbol
from cruxe.model.identity import BlobId, VersionKey
from cruxe.model.source import SkipReason
from cruxe.model.stored import (
    PackedStamps,
    RefFile,
    RefRow,
    StoredFile,
    StorePart,
    TextVersion,
)
from cruxe.model.symbols import fold_name
from cruxe.store.local import checksums, database, ref_maps
from cruxe.store.local.database import corrupt
from cruxe.store.local.layout import RepositoryLayout, StoreLayout, read_ahead
from cruxe.store.local.ref_maps import RefMap

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

    from cruxe.model.jobs import JobRow
    from cruxe.model.stored import (
        ChunkName,
        ChunkSpan,
        Damage,
        LineSpan,
        Neighbours,
        StoredChunk,
        StoredVersion,
    )
    from cruxe.store.local.known_damage import KnownDamage
    from cruxe.store.local.lexical import LexicalReader
    from cruxe.store.local.vector_reader import VectorReader

# Well under the number of parameters that SQLite takes in any build.
_KEYS_PER_QUERY = 400
_SYMBOL_COLUMNS = ", ".join(StoredSymbol._fields)
_SELECT_NAMED = f"SELECT name_folded, {_SYMBOL_COLUMNS} FROM stored_symbols"
_MAX_MAPS = 2  # that a snapshot caches
_FEW_PATHS = 5


class _CachedMap(NamedTuple):
    written_at_ns: int
    ref_map: RefMap


class Snapshot:
    """One published generation. Holds a read transaction; close it soon, or let it rest."""

    def __init__(self, store: StoreLayout, connection: "sqlite3.Connection | None" = None) -> None:
        """Open the current generation of a store, which its writer may have open."""
        self.store = store
        self.connection = connection or database.open_for_reading(
            store.database_path, store.database
        )
        self.meta: dict[str, str | int] = {}
        self._maps: dict[int, _CachedMap] = {}  # cached, by ref
        self._checked_maps: set[int] = set()  # of these, those checked in this transaction
        self.renew()

    def __enter__(self) -> Self:
        """Use as a context manager."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: "TracebackType | None",
    ) -> None:
        """Close; a failure that comes from damage is raised as what it is."""
        named = self.damage_behind(error)
        self.close()
        if named is not None:
            raise named from error

    def damage_behind(self, error: BaseException | None) -> EngineError | None:
        """Return the damage that an unexpected failure comes from, or None; note it for others."""
        if isinstance(error, IndexIncompatibleError):
            _known_damage(self.store).add(error)
        if not isinstance(error, Exception) or isinstance(error, EngineError):
            return None
        found = next(filter(None, self.examine()), None)
        if found is None:
            return database.explained(error, self.store.database_path)
        named = corrupt(found.reason, found.part)
        _known_damage(self.store).add(named)
        return named

    def rest(self) -> None:
        """End the read transaction and keep the connection; nothing is read before `renew`."""
        self.connection.rollback()

    def renew(self) -> None:
        """Begin to read the generation that is published now."""
        with database.storage_errors(self.store.database_path):
            self.connection.execute("BEGIN")
            rows = self.connection.execute("SELECT key, value FROM meta").fetchall()
        self.meta = dict(rows)
        self._checked_maps.clear()
        missing = database.STAMPS - self.meta.keys()
        if missing or self.meta[database.META_CHECKSUM] != checksums.meta_checksum(self.meta):
            self.close()
            raise corrupt(f"no {min(missing)} stamp" if missing else "its stamps have changed")

    @property
    def generation(self) -> int:
        """The number of the publication that this snapshot shows."""
        return int(self.meta["generation"])

    @property
    def state(self) -> tuple[str | int, ...]:
        """Equal for two snapshots that show the same; vectors change without a generation."""
        names = "generation", "vectors", "vector_model", "vector_rows"
        return self.lexical_path, *(self.meta[name] for name in names)

    def is_current(self) -> bool:
        """Return whether its store is still the current one."""
        return self.store.is_current()

    @property
    def lexical_path(self) -> str:
        """The folder of this generation's lexical index."""
        return self.store.lexical_path(int(self.meta["lexical"]))

    def fingerprint_path(self, ref_id: int) -> str:
        """Return the file of a working tree's listing fingerprint."""
        return self.store.fingerprint_path(ref_id)

    def find_ref(self, name: str) -> RefRow | None:
        """Return a published ref by name, or None."""
        return ref_maps.find_ref(self.connection, name)

    def list_refs(self) -> list[RefRow]:
        """Return all published refs, by name."""
        return ref_maps.list_refs(self.connection)

    def ref_map(self, ref_id: int) -> RefMap:
        """Return a ref's map as published.

        Cached across transactions by its time of writing: new stamps do not change the generation.
        """
        if ref_id not in self._checked_maps:
            query = "SELECT indexed_at_ns FROM refs WHERE ref_id = ?"
            row = self.connection.execute(query, (ref_id,)).fetchone()
            if row is None:
                raise corrupt(f"it has no ref {ref_id}")
            (written_at,) = row
            cached = self._maps.pop(ref_id, None)
            if cached is None or cached.written_at_ns != written_at:
                columns = ref_maps.read_columns(self.connection, ref_id)
                cached = _CachedMap(written_at, RefMap(columns))
            self._maps = dict([*self._maps.items()][1 - _MAX_MAPS :])
            self._maps[ref_id] = cached
            self._checked_maps = self._checked_maps.intersection(self._maps) | {ref_id}
        return self._maps[ref_id].ref_map

    def read_map(self, ref_id: int) -> dict[str, RefFile]:
        """Return a ref's whole map."""
        return self.ref_map(ref_id).files()

    def read_rows(self, ref_id: int, paths: Iterable[str]) -> dict[str, RefFile]:
        """Return the rows of some paths; unknown paths are left out."""
        return self.ref_map(ref_id).find_all(paths)

    def stamps(self, ref_id: int) -> PackedStamps:
        """Return the stamps that a ref's files had when they were read."""
        return self.ref_map(ref_id).stamps

    def live_keys(self, ref_id: int) -> frozenset[VersionKey]:
        """Return the versions that a ref holds."""
        return self.ref_map(ref_id).version_keys

    def symbols_named(self, names: "Sequence[str]") -> dict[str, list[StoredSymbol]]:
        """Return all symbols of each name in any spelling, in any ref, by path and ordinal."""
        by_folded: dict[str, list[StoredSymbol]] = {fold_name(name): [] for name in names}
        asked = [*by_folded]
        # Padded to a power of two: so there are few statements, and each is compiled once.
        asked += asked[-1:] * ((1 << (len(asked) - 1).bit_length()) - len(asked) if asked else 0)
        marks = ", ".join("?" * len(asked))
        rows = self.connection.execute(
            f"{_SELECT_NAMED} WHERE name_folded IN ({marks}) ORDER BY path, ordinal", asked
        )
        for row in rows:
            by_folded[row[0]].append(StoredSymbol._make(row[1:]))
        return {name: by_folded[fold_name(name)] for name in names}

    def folded_names(self, shortest: int, longest: int) -> Iterable[str]:
        """Return the folded names within a range of lengths, in any ref."""
        rows = self.connection.execute(
            "SELECT DISTINCT name_folded FROM symbols WHERE length(name_folded) BETWEEN ? AND ?",
            (shortest, longest),
        )
        return (name for (name,) in rows)

    def symbols_named_within(self, spans: "Iterable[LineSpan]") -> list[StoredSymbol]:
        """Return the symbols whose names are in some lines, span by span, in file order."""
        from cruxe.store.local import symbol_rows

        return symbol_rows.named_within(self.connection, spans)

    def symbol_at(self, version_key: VersionKey, ordinal: int) -> StoredSymbol | None:
        """Return a symbol by its ordinal in a version, or None."""
        row = self.connection.execute(
            f"SELECT {_SYMBOL_COLUMNS} FROM stored_symbols"
            " WHERE version_key = ? AND place = first_symbol + ?",
            (version_key, ordinal),
        ).fetchone()
        return None if row is None else StoredSymbol._make(row)

    def symbols_of(
        self, keys: Iterable[VersionKey]
    ) -> Iterator[tuple[VersionKey, list[StoredSymbol]]]:
        """Return all symbols of some versions, in file order."""
        from cruxe.store.local import symbol_rows

        return symbol_rows.symbols_of(self.connection, keys)

    def neighbours(self, symbols: "Sequence[StoredSymbol]", limit: int) -> "list[Neighbours]":
        """Return the parent and the nearest siblings of each symbol, nearest first."""
        from cruxe.store.local import symbol_rows

        return symbol_rows.neighbours(self.connection, symbols, limit)

    def versions(self, keys: Iterable[VersionKey]) -> "list[StoredVersion]":
        """Return some versions by key; those without content are left out."""
        from cruxe.model.stored import StoredVersion

        return [StoredVersion._make(row) for row in self._version_rows(StoredVersion._fields, keys)]

    def chunks(self, names: "Iterable[ChunkName]") -> "Iterator[tuple[ChunkName, StoredChunk]]":
        """Return some chunks; those of versions without content are left out."""
        from cruxe.store.local import symbol_rows

        wanted: dict[VersionKey, list[int]] = {}
        for key, ordinal in names:
            wanted.setdefault(key, []).append(ordinal)
        found: list[tuple[ChunkName, ChunkSpan]] = []
        for version in self.versions(wanted):
            key, ordinals = version.version_key, wanted[version.version_key]
            spans = version.chunks_at(ordinals)
            found += [((key, each), span) for each, span in zip(ordinals, spans, strict=True)]
        return symbol_rows.chunks_of(self.connection, found)

    def text_versions(self, keys: Iterable[VersionKey]) -> list[TextVersion]:
        """Return some versions by path; those without content are left out."""
        columns = "path", "version_key", "language", "lower(hex(blob_id))"
        rows = self._version_rows(columns, keys)
        return sorted(map(TextVersion._make, rows))

    def versions_with_trigrams(self, alternatives: "Iterable[Sequence[int]]") -> set[VersionKey]:
        """Return the versions whose text has all trigrams of an alternative, in any ref."""
        from cruxe.store.local.trigram_rows import versions_with

        return {key for each in alternatives for key in versions_with(self.connection, each)}

    def described(self, keys: Iterable[VersionKey]) -> Iterator[tuple[VersionKey, str, str, int]]:
        """Return path, language and line count of some versions with content."""
        return self._version_rows(("version_key", "path", "language", "line_count"), keys)

    def outline_rows(self, ref_id: int, path: str, *, top_only: bool) -> list[OutlineRow]:
        """Return the symbols of a path, in file order, parents before children."""
        file = self.ref_map(ref_id).find(path)
        if file is None or file.content_key is None:
            return []
        top = " AND parent_symbol_id IS NULL" if top_only else ""
        rows = self.connection.execute(
            f"SELECT {', '.join(OutlineRow._fields)} FROM symbol_relations"
            f" WHERE ref_id = ? AND version_key = ? AND path = ?{top} ORDER BY ordinal",
            (ref_id, file.content_key, path),
        )
        return list(map(OutlineRow._make, rows))

    def find_file(self, ref_id: int, path: str) -> StoredFile | None:
        """Return a path of a ref, or None."""
        file = self.ref_map(ref_id).find(path)
        if file is None:
            return None
        query = "SELECT language, line_count FROM file_versions WHERE version_key = ? AND path = ?"
        row = self.connection.execute(query, (file.content_key, path)).fetchone()
        language, line_count = (None, None) if row is None else row
        return StoredFile(
            path=path,
            version_key=file.version_key,
            language=language,
            line_count=line_count,
            skip_reason=file.skip_reason,
        )

    def blob_ids(self, keys: Iterable[VersionKey]) -> dict[VersionKey, BlobId]:
        """Return git's names for the bytes of some versions with content."""
        return dict(self._version_rows(("version_key", "lower(hex(blob_id))"), keys))

    def paths_named(self, ref_id: int, ending: str) -> list[str]:
        """Return a few paths of a ref that end in a name, ignoring case."""
        folded = ending.casefold()
        paths = self.joined_paths(ref_id).split("\0")[:-1]
        return [*islice((path for path in paths if path.casefold().endswith(folded)), _FEW_PATHS)]

    def joined_paths(self, ref_id: int) -> str:
        """Return all paths of a ref in order, each followed by NUL, for substring search."""
        return self.ref_map(ref_id).stamps.listing.decode()

    def paths_by_key(self, ref_id: int) -> dict[VersionKey, str]:
        """Return the path of every version with content that a ref holds."""
        return self.ref_map(ref_id).paths_by_key()

    def symbol_counts(self, ref_ids: Iterable[int]) -> dict[int, int]:
        """Return the number of symbols that each of some refs holds."""
        from cruxe.store.local import symbol_rows

        return symbol_rows.counts_of(self.connection, ref_ids)

    def skipped_paths(self, ref_id: int) -> dict[str, SkipReason]:
        """Return the paths that a ref skips, by path, each with its reason."""
        return self.ref_map(ref_id).skipped()

    def redacted_versions(self, ref_id: int) -> dict[VersionKey, int]:
        """Return the versions of a ref with secrets, each with their number."""
        from cruxe.store.local import redaction_rows

        return redaction_rows.read(self.connection, self.live_keys(ref_id))

    def language_counts(self, ref_id: int) -> dict[str, int]:
        """Return how many files of each language a ref holds."""
        from cruxe.store.local.version_rows import language_counts

        return language_counts(self.connection, ref_id)

    def vector_count(self, ref_id: int) -> int:
        """Return how many vectors a ref has, or would have: one a document."""
        from cruxe.store.local.version_rows import document_count

        return document_count(self.connection, ref_id)

    def recent_jobs(self, limit: int) -> "list[JobRow]":
        """Return the latest jobs, newest first."""
        from cruxe.store.local import job_rows

        return job_rows.recent_jobs(self.connection, limit)

    def lexical_opener(self) -> "Callable[[], LexicalReader]":
        """Return what opens the lexical index of this generation, now or later."""
        return partial(_open_lexical, self.store, dict(self.meta))

    def read_ahead(self, max_bytes: int) -> None:
        """Let the system read the files of the lexical index into its cache, up to a size."""
        read_ahead(self.lexical_path, max_bytes)

    def check_files(self) -> None:
        """Raise if a file beside the database is not as published, by size, or known as damaged."""
        self.check_lexical()
        _refuse_noted(self.store, StorePart.VECTORS)
        if rows := int(self.meta["vector_rows"]):
            from cruxe.store.local.vector_reader import check_sizes

            check_sizes(self.vectors_path, rows, int(self.meta["vector_dimensions"]))

    def check_lexical(self, *, is_deep: bool = False) -> None:
        """Raise if the lexical index is not as published: by sizes, or all bytes."""
        _check_lexical(self.store, self.meta, is_deep=is_deep)

    @property
    def vectors_path(self) -> str:
        """The folder of the vectors."""
        return self.store.vectors_path(int(self.meta["vectors"]))

    def vectors(self, ref_id: int, model: str) -> "VectorReader | None":
        """Open the vectors of a ref by a model; None if some versions lack theirs."""
        from cruxe.store.local import vector_rows
        from cruxe.store.local.vector_reader import VectorReader

        spans = vector_rows.read_packed(self.connection, ref_id)
        if spans is None or self.meta["vector_model"] != model:
            return None
        _refuse_noted(self.store, StorePart.VECTORS)
        return VectorReader(self.vectors_path, spans, int(self.meta["vector_dimensions"]))

    def has_vectors(self, ref_id: int, model: str) -> bool:
        """Return whether all versions of a ref have vectors by a model."""
        from cruxe.store.local import vector_rows

        is_same_model = self.meta["vector_model"] == model
        return is_same_model and vector_rows.has_packed(self.connection, ref_id)

    def versions_of_language(self, language: str) -> frozenset[VersionKey]:
        """Return the versions in a language, in any ref."""
        rows = self.connection.execute(
            "SELECT version_key FROM file_versions WHERE language = ?", (language,)
        )
        return frozenset(key for (key,) in rows)

    def check_versions(self, keys: Iterable[VersionKey]) -> None:
        """Raise if what is stored of some versions is not as it was written."""
        checksums.check_versions(self.connection, keys)

    def examine(self) -> "Iterator[Damage | None]":
        """Verify every byte that counts, in steps; yield damage, and None after a sound step."""
        from cruxe.store.local.integrity import examine

        return examine(self)

    def tell_examined(self, found: "Sequence[Damage]") -> None:
        """Note what an examination found; remove what it found sound from the note."""
        _known_damage(self.store).replace(found)

    def close(self) -> None:
        """Close the connection, which ends the transaction."""
        self.connection.close()

    def _version_rows(
        self, columns: tuple[str, ...], keys: Iterable[VersionKey]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield some columns of some versions, ordered by key."""
        for batch in _batches(sorted(keys)):
            marks = ", ".join("?" * len(batch))
            yield from self.connection.execute(
                f"SELECT {', '.join(columns)} FROM file_versions WHERE version_key IN ({marks})",
                batch,
            )


def _batches(keys: list[VersionKey]) -> Iterable[tuple[VersionKey, ...]]:
    waiting = iter(keys)
    while batch := tuple(islice(waiting, _KEYS_PER_QUERY)):
        yield batch


def _refuse_noted(store: StoreLayout, part: StorePart) -> None:
    """Raise if a part is known to be damaged; usually there is no note."""
    if os.path.exists(store.damage_path):
        _known_damage(store).refuse(part)


def _known_damage(store: StoreLayout) -> "KnownDamage":
    from cruxe.store.local.known_damage import KnownDamage

    return KnownDamage(store)


def _check_lexical(
    store: StoreLayout, meta: "Mapping[str, str | int]", *, is_deep: bool = False
) -> None:
    """Raise if the lexical index of a generation is not as published."""
    from cruxe.store.local.lexical import read_manifest
    from cruxe.store.local.lexical_files import check_files

    if not is_deep:
        _refuse_noted(store, StorePart.LEXICAL)
    folder = store.lexical_path(int(meta["lexical"]))
    records = chain([str(meta["lexical_files"])], _later_records(store, meta))
    check_files(folder, partial(next, records), is_deep=is_deep)
    if read_manifest(folder).opstamp < int(meta["lexical_opstamp"]):
        raise corrupt("the lexical index is missing or older than the database", StorePart.LEXICAL)


def _later_records(store: StoreLayout, meta: "Mapping[str, str | int]") -> Iterator[str]:
    """Yield, each time anew, the record of a generation's lexical index as it is published now."""
    while True:
        with Snapshot(store) as latest:
            is_same = latest.meta["lexical"] == meta["lexical"]
            yield str((latest.meta if is_same else meta)["lexical_files"])


def _open_lexical(store: StoreLayout, meta: "Mapping[str, str | int]") -> "LexicalReader":
    from cruxe.store.local.lexical import LexicalReader

    _check_lexical(store, meta)
    return LexicalReader(store.lexical_path(int(meta["lexical"])))


def open_snapshot(layout: RepositoryLayout, *, even_damaged: bool = False) -> Snapshot:
    """Open the last published generation of a repository, or refuse one noted as damaged."""
    store = layout.current()
    while store is not None:
        try:
            if not even_damaged:
                _refuse_noted(store, StorePart.DATABASE)
            return Snapshot(store)
        except EngineError:
            replaced_by = layout.current()
            if replaced_by == store:
                raise
            store = replaced_by  # replaced in the meantime
    raise IndexNotReadyError(
        "this repository is not indexed", data={"schema_status": "not_indexed"}
    )
