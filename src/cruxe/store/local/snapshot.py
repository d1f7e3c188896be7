"""Reads a store: one generation, in one read transaction."""

import os
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from cruxe.model.errors import EngineError, IndexNotReadyError
from cruxe.model.hits import OutlineRow, StoredSymbol
from cruxe.model.identity import BlobId, VersionKey
from cruxe.model.source import SkipReason
from cruxe.model.stored import PackedStamps, RefFile, RefRow, StoredFile, TextVersion
from cruxe.model.symbols import fold_name
from cruxe.store.local import database, ref_maps
from cruxe.store.local.layout import RepositoryLayout, StoreLayout
from cruxe.store.local.ref_maps import RefMap

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from cruxe.model.jobs import JobRow
    from cruxe.model.stored import (
        ChunkName,
        ChunkSpan,
        LineSpan,
        Neighbours,
        StoredChunk,
        StoredVersion,
    )
    from cruxe.store.local.lexical import LexicalReader
    from cruxe.store.local.vector_reader import VectorReader

# Well under the number of parameters that SQLite takes in any build.
_KEYS_PER_QUERY = 400
_SYMBOL_COLUMNS = ", ".join(StoredSymbol._fields)
_SELECT_NAMED = f"SELECT name_folded, {_SYMBOL_COLUMNS} FROM stored_symbols"
_MAX_MAPS = 2  # that a snapshot caches
_FEW_PATHS = 5
_BLOCK_BYTES = 1 << 20


class _CachedMap(NamedTuple):
    written_at_ns: int
    ref_map: RefMap


class Snapshot:
    """One published generation. Holds a read transaction; close it soon, or let it rest."""

    def __init__(self, store: StoreLayout, connection: "sqlite3.Connection | None" = None) -> None:
        """Open the current generation of a store, which its writer may have open."""
        self.store = store
        self._connection = connection or database.open_for_reading(
            store.database_path, store.database
        )
        self._meta: dict[str, str | int] = {}
        self._maps: dict[int, _CachedMap] = {}  # cached, by ref
        self._checked_maps: set[int] = set()  # of these, those checked in this transaction
        self.renew()

    def __enter__(self) -> Self:
        """Use as a context manager."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def rest(self) -> None:
        """End the read transaction and keep the connection; nothing is read before `renew`."""
        self._connection.rollback()

    def renew(self) -> None:
        """Begin to read the generation that is published now."""
        with database.storage_errors(self.store.database_path):
            self._connection.execute("BEGIN")
            rows = self._connection.execute("SELECT key, value FROM meta").fetchall()
        self._meta = dict(rows)
        self._checked_maps.clear()
        if missing := database.STAMPS - self._meta.keys():
            self.close()
            raise database.corrupt(f"no {min(missing)} stamp")

    @property
    def generation(self) -> int:
        """The number of the publication that this snapshot shows."""
        return int(self._meta["generation"])

    @property
    def state(self) -> tuple[str | int, ...]:
        """Equal for two snapshots that show the same; vectors change without a generation."""
        names = "generation", "vectors", "vector_model", "vector_rows"
        return self.lexical_path, *(self._meta[name] for name in names)

    def is_current(self) -> bool:
        """Return whether its store is still the current one."""
        return self.store.is_current()

    @property
    def lexical_path(self) -> str:
        """The folder of this generation's lexical index."""
        return self.store.lexical_path(int(self._meta["lexical"]))

    def fingerprint_path(self, ref_id: int) -> str:
        """Return the file of a working tree's listing fingerprint."""
        return self.store.fingerprint_path(ref_id)

    def find_ref(self, name: str) -> RefRow | None:
        """Return a published ref by name, or None."""
        return ref_maps.find_ref(self._connection, name)

    def list_refs(self) -> list[RefRow]:
        """Return all published refs, by name."""
        return ref_maps.list_refs(self._connection)

    def ref_map(self, ref_id: int) -> RefMap:
        """Return a ref's map as published.

        Cached across transactions by its time of writing: new stamps do not change the generation.
        """
        if ref_id not in self._checked_maps:
            query = "SELECT indexed_at_ns FROM refs WHERE ref_id = ?"
            row = self._connection.execute(query, (ref_id,)).fetchone()
            if row is None:
                raise database.corrupt(f"it has no ref {ref_id}")
            (written_at,) = row
            cached = self._maps.pop(ref_id, None)
            if cached is None or cached.written_at_ns != written_at:
                columns = ref_maps.read_columns(self._connection, ref_id)
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
        rows = self._connection.execute(
            f"{_SELECT_NAMED} WHERE name_folded IN ({marks}) ORDER BY path, ordinal", asked
        )
        for row in rows:
            by_folded[row[0]].append(StoredSymbol._make(row[1:]))
        return {name: by_folded[fold_name(name)] for name in names}

    def folded_names(self, shortest: int, longest: int) -> Iterable[str]:
        """Return the folded names within a range of lengths, in any ref."""
        rows = self._connection.execute(
            "SELECT DISTINCT name_folded FROM symbols WHERE length(name_folded) BETWEEN ? AND ?",
            (shortest, longest),
        )
        return (name for (name,) in rows)

    def symbols_named_within(self, spans: "Iterable[LineSpan]") -> list[StoredSymbol]:
        """Return the symbols whose names are in some lines, span by span, in file order."""
        from cruxe.store.local import symbol_rows

        return symbol_rows.named_within(self._connection, spans)

    def symbol_at(self, version_key: VersionKey, ordinal: int) -> StoredSymbol | None:
        """Return a symbol by its ordinal in a version, or None."""
        row = self._connection.execute(
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

        return symbol_rows.symbols_of(self._connection, keys)

    def neighbours(self, symbols: "Sequence[StoredSymbol]", limit: int) -> "list[Neighbours]":
        """Return the parent and the nearest siblings of each symbol, nearest first."""
        from cruxe.store.local import symbol_rows

        return symbol_rows.neighbours(self._connection, symbols, limit)

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
        return symbol_rows.chunks_of(self._connection, found)

    def text_versions(self, keys: Iterable[VersionKey]) -> list[TextVersion]:
        """Return some versions by path; those without content are left out."""
        columns = "path", "version_key", "language", "lower(hex(blob_id))"
        rows = self._version_rows(columns, keys)
        return sorted(map(TextVersion._make, rows))

    def versions_with_trigrams(self, alternatives: "Iterable[Sequence[int]]") -> set[VersionKey]:
        """Return the versions whose text has all trigrams of an alternative, in any ref."""
        from cruxe.store.local.trigram_rows import versions_with

        return {key for each in alternatives for key in versions_with(self._connection, each)}

    def described(self, keys: Iterable[VersionKey]) -> Iterator[tuple[VersionKey, str, str, int]]:
        """Return path, language and line count of some versions with content."""
        return self._version_rows(("version_key", "path", "language", "line_count"), keys)

    def outline_rows(self, ref_id: int, path: str, *, top_only: bool) -> list[OutlineRow]:
        """Return the symbols of a path, in file order, parents before children."""
        file = self.ref_map(ref_id).find(path)
        if file is None or file.content_key is None:
            return []
        top = " AND parent_symbol_id IS NULL" if top_only else ""
        rows = self._connection.execute(
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
        row = self._connection.execute(query, (file.content_key, path)).fetchone()
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
        counts = dict.fromkeys(ref_ids, 0)
        rows = self._connection.execute(
            "SELECT ref_id, sum(symbol_count) FROM ref_versions"
            " JOIN file_versions USING (version_key)"
            " WHERE ref_id IN (SELECT value FROM json_each(?)) GROUP BY ref_id",
            (str([*counts]),),
        )
        return counts | dict(rows.fetchall())

    def skipped_paths(self, ref_id: int) -> dict[str, SkipReason]:
        """Return the paths that a ref skips, by path, each with its reason."""
        return self.ref_map(ref_id).skipped()

    def redacted_versions(self, ref_id: int) -> dict[VersionKey, int]:
        """Return the versions of a ref with secrets, each with their number."""
        # The cross join keeps the small table outside.
        query = (
            "SELECT version_key, secret_count FROM redactions"
            " CROSS JOIN ref_versions USING (version_key) WHERE ref_id = ? ORDER BY version_key"
        )
        return dict(self._connection.execute(query, (ref_id,)).fetchall())

    def language_counts(self, ref_id: int) -> dict[str, int]:
        """Return how many files of each language a ref holds."""
        rows = self._connection.execute(
            "SELECT language, count(*) FROM ref_versions JOIN file_versions USING (version_key)"
            " WHERE ref_id = ? GROUP BY 1 ORDER BY 1",
            (ref_id,),
        )
        return dict(rows.fetchall())

    def vector_count(self, ref_id: int) -> int:
        """Return how many vectors a ref has, or would have: one a document."""
        query = (
            "SELECT coalesce(sum(document_count), 0) FROM ref_versions"
            " JOIN file_versions USING (version_key) WHERE ref_id = ?"
        )
        ((count,),) = self._connection.execute(query, (ref_id,)).fetchall()
        return int(count)

    def recent_jobs(self, limit: int) -> "list[JobRow]":
        """Return the latest jobs, newest first."""
        from cruxe.store.local import job_rows

        return job_rows.recent_jobs(self._connection, limit)

    def lexical_opener(self) -> "Callable[[], LexicalReader]":
        """Return what opens the lexical index of this generation, now or later."""
        from cruxe.store.local.lexical import LexicalReader

        return partial(LexicalReader, self.lexical_path)

    def read_ahead(self, max_bytes: int) -> None:
        """Let the system read the files of the lexical index into its cache, up to a size."""
        left = max_bytes
        with os.scandir(self.lexical_path) as entries:
            files = [entry for entry in entries if entry.is_file()]
        for entry in files:
            left -= entry.stat().st_size
            if left < 0:
                return
            with open(entry.path, "rb", buffering=0) as file:
                if hasattr(os, "posix_fadvise"):
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)
                else:
                    while file.read(_BLOCK_BYTES):
                        pass

    def check_lexical(self) -> None:
        """Raise if the lexical index is older than this generation."""
        from cruxe.store.local.lexical import read_manifest

        if read_manifest(self.lexical_path).opstamp < int(self._meta["lexical_opstamp"]):
            raise database.corrupt("the lexical index is missing or older than the database")

    def vectors(self, ref_id: int, model: str) -> "VectorReader | None":
        """Open the vectors of a ref by a model; None if some versions lack theirs."""
        from cruxe.store.local import vector_rows
        from cruxe.store.local.vector_reader import VectorReader

        spans = vector_rows.read_packed(self._connection, ref_id)
        if spans is None or self._meta["vector_model"] != model:
            return None
        folder = self.store.vectors_path(int(self._meta["vectors"]))
        return VectorReader(folder, spans, int(self._meta["vector_dimensions"]))

    def has_vectors(self, ref_id: int, model: str) -> bool:
        """Return whether all versions of a ref have vectors by a model."""
        from cruxe.store.local import vector_rows

        is_same_model = self._meta["vector_model"] == model
        return is_same_model and vector_rows.has_packed(self._connection, ref_id)

    def versions_of_language(self, language: str) -> frozenset[VersionKey]:
        """Return the versions in a language, in any ref."""
        rows = self._connection.execute(
            "SELECT version_key FROM file_versions WHERE language = ?", (language,)
        )
        return frozenset(key for (key,) in rows)

    def check_integrity(self) -> None:
        """Raise if the stored data is damaged."""
        problem = self.integrity_problem()
        if problem is not None:
            raise database.corrupt(problem)

    def integrity_problem(self) -> str | None:
        """Return what SQLite finds wrong with the database, or None."""
        ((verdict,),) = self._connection.execute("PRAGMA quick_check(1)").fetchall()
        return None if verdict == "ok" else str(verdict)

    def close(self) -> None:
        """Close the connection, which ends the transaction."""
        self._connection.close()

    def _version_rows(
        self, columns: tuple[str, ...], keys: Iterable[VersionKey]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield some columns of some versions, ordered by key."""
        for batch in _batches(sorted(keys)):
            marks = ", ".join("?" * len(batch))
            yield from self._connection.execute(
                f"SELECT {', '.join(columns)} FROM file_versions WHERE version_key IN ({marks})",
                batch,
            )


def _batches(keys: list[VersionKey]) -> Iterable[tuple[VersionKey, ...]]:
    waiting = iter(keys)
    while batch := tuple(islice(waiting, _KEYS_PER_QUERY)):
        yield batch


def open_snapshot(layout: RepositoryLayout) -> Snapshot:
    """Open the last published generation of a repository."""
    store = layout.current()
    while store is not None:
        try:
            return Snapshot(store)
        except EngineError:
            replaced_by = layout.current()
            if replaced_by == store:
                raise
            store = replaced_by  # replaced in the meantime
    raise IndexNotReadyError(
        "this repository is not indexed", data={"schema_status": "not_indexed"}
    )
