"""Writes a store: adds versions, replaces a ref's map, publishes the next generation.

One SQLite transaction inserts the rows and, for a publication, replaces the map. It commits after
the lexical commit, which runs in parallel. A crash between the two commits leaves documents that no
map refers to; they are replaced when their version is added again.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Container, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from cruxe.model.errors import EngineError, IndexDamagedError
from cruxe.model.identity import BlobId
from cruxe.model.jobs import JobMode, JobRow, JobStatus
from cruxe.model.source import SkipReason
from cruxe.model.stored import (
    MapEdit,
    RefFile,
    RefRow,
    RefState,
    StorePart,
    pack_sorted_keys,
)
from cruxe.store.local import database, job_rows, ref_maps, version_rows
from cruxe.store.local.checksums import seal
from cruxe.store.local.database import corrupt
from cruxe.store.local.known_damage import KnownDamage
from cruxe.store.local.layout import (
    RepositoryLayout,
    StoreLayout,
    remove_folder,
    remove_retired,
    retire_folder,
)
from cruxe.store.local.lexical import LexicalState, LexicalWriter, create_index, read_manifest
from cruxe.store.local.lexical_files import (
    is_marked,
    read_record,
    record_text,
    take_record,
    unmark,
)
from cruxe.store.local.ref_maps import edit_map
from cruxe.store.local.schema import SYMBOL_INDEX
from cruxe.store.local.snapshot import Snapshot, open_snapshot
from cruxe.store.local.vector_writer import StoreVectors
from cruxe.store.records import VersionRecord

if TYPE_CHECKING:
    from cruxe.store.local.collection import Collection
    from cruxe.store.local.lexical import LexicalWork

# Source bytes between checkpoints: bounds what a crash loses and what is held in memory.
CHECKPOINT_BYTES: Final = 48_000_000
# Runs of more files use a larger heap for the lexical index.
BULK_FILES: Final = 200
_TELL_SECONDS: Final = 1.0
# Edits of at most so many files are published at once: their job is written with the publication.
_UNANNOUNCED_FILES: Final = 4


class StoreWriter:
    """The one writer of a store; its caller holds the repository's writer lock."""

    def __init__(
        self, layout: RepositoryLayout, store: StoreLayout, connection: sqlite3.Connection
    ) -> None:
        """Wrap an open database; use `open_writer` or `create_store`."""
        self._layout = layout
        self._store = store
        self._connection = connection
        self._snapshot: Snapshot | None = None  # caches maps
        self._is_bulk = False
        self._lexical: LexicalWriter | None = None
        self._lexical_number = int(self._meta("lexical"))
        self._pending: list[tuple[VersionRecord, int]] = []  # with the number of its documents
        self._pending_bytes = 0
        self._added: set[int] = set()
        self._merge_failure: EngineError | None = None
        self._damage = KnownDamage(store)
        self.vectors = StoreVectors(store, connection)
        self._job: JobRow | None = None
        self._told_at = time.monotonic()
        self.files_indexed = 0
        self.symbols_extracted = 0

    @property
    def generation(self) -> int:
        """The number of the last publication."""
        return int(self._meta("generation"))

    @contextmanager
    def reading(self) -> Generator[Snapshot]:
        """Read what is published; outside of transactions only. Do not close the snapshot."""
        if self._snapshot is None:
            self._snapshot = Snapshot(self._store, self._connection)
        else:
            self._snapshot.renew()
        try:
            yield self._snapshot
        finally:
            self._snapshot.rest()

    def verdicts(self) -> dict[int, SkipReason | None]:
        """Return all stored versions, each with the reason why its content is skipped, or None."""
        return version_rows.verdicts(self._connection)

    def known_keys(self) -> bytes:
        """Return the keys of all stored versions, packed."""
        return pack_sorted_keys(sorted(version_rows.verdicts(self._connection)))

    def blob_ids(self, keys: Iterable[int]) -> dict[int, BlobId]:
        """Return git's names for the bytes of some versions."""
        return version_rows.blob_ids(self._connection, keys)

    @property
    def versions(self) -> Container[int]:
        """The keys of all stored versions; each test of membership is a query."""
        return version_rows.StoredVersions(self._connection)

    def find_ref(self, name: str) -> RefRow | None:
        """Return a published ref by name, or None."""
        return ref_maps.find_ref(self._connection, name)

    def read_rows(self, ref_id: int, paths: Iterable[str]) -> dict[str, RefFile]:
        """Return the rows of some paths in a ref's map as last published."""
        with self.reading() as snapshot:
            return snapshot.read_rows(ref_id, paths)

    def read_map(self, name: str, settings: str) -> dict[str, RefFile]:
        """Return a ref's map; empty if the ref is new or was listed under other settings."""
        row = ref_maps.find_ref(self._connection, name)
        if row is None or row.settings != settings:
            return {}
        return ref_maps.read_map(self._connection, row.ref_id)

    def use_model(self, model: str, dimensions: int) -> None:
        """Store a model's vectors from now on; those of another model are dropped."""
        if self.vectors.model != model:
            with self.transaction():
                self.vectors.use_model(model, dimensions)

    def start_job(self, ref: str, mode: JobMode, files_total: int) -> None:
        """Announce a job; a small edit is announced with its publication."""
        self._is_bulk = files_total > BULK_FILES
        self._job = job_rows.new_job(ref, mode, files_total)
        if mode is not JobMode.INCREMENTAL or files_total > _UNANNOUNCED_FILES:
            with self.transaction():
                job_rows.write_job(self._connection, self._job)

    def add(self, record: VersionRecord) -> None:
        """Add a file version; no ref shows it before a publication refers to it."""
        if record.version_key in self._added:
            return  # a collision of keys: the second file gets no rows and documents
        self._added.add(record.version_key)
        if record.documents:
            self._open_lexical().add(record.version_key, record.documents)
        if record.vectors is not None:
            self.vectors.add(record.version_key, record.vectors)
        kept = record._replace(documents=(), vectors=None)
        self._pending.append((kept, len(record.documents)))
        self.files_indexed += record.skip_reason is None
        self.symbols_extracted += record.symbol_count
        self._pending_bytes += record.size_bytes
        if self._pending_bytes >= CHECKPOINT_BYTES:
            self.checkpoint()

    def tell_progress(self) -> None:
        """Write the progress of the job, at most once a second."""
        now = time.monotonic()
        if self._job is not None and now - self._told_at >= _TELL_SECONDS:
            self._told_at = now
            with self.transaction():
                self._advance_job()

    def checkpoint(self) -> None:
        """Make the versions added so far durable, so that an interrupted run can resume."""
        with self._lexical_first() as settle:
            self._write_pending()
            settle()

    def publish_vectors(self, ref: str) -> None:
        """Make the vectors added so far durable and visible for a ref."""
        self.checkpoint()
        with self.transaction():
            self.vectors.pack(ref)

    def publish(self, ref: RefState, files: Mapping[str, RefFile]) -> int:
        """Replace a ref's map; return the generation."""

        def move() -> bool:
            has_changed = ref_maps.write_map(self._connection, ref, files)
            self.vectors.pack(ref.name)
            return has_changed

        return self._publish(move)

    def publish_edit(self, ref_id: int, edit: MapEdit) -> int:
        """Replace some rows of a working tree's map; return the generation."""
        with self.reading() as snapshot:
            ref_map = snapshot.ref_map(ref_id)
        return self._publish(lambda: edit_map(self._connection, ref_id, ref_map, edit))

    def _publish(self, move: Callable[[], bool]) -> int:
        with self._lexical_first(is_last=True) as settle:
            self._write_pending()
            self._connection.execute(SYMBOL_INDEX)
            generation = self._next_generation() if move() else self.generation
            settle()
            self._end_job(JobStatus.PUBLISHED)
        if self._merge_failure is not None:
            raise self._merge_failure
        unmark(self._lexical_folder)
        return generation

    def fail_job(self, message: str) -> None:
        """Record that the announced job failed."""
        if self._job is not None and not self._connection.in_transaction:
            with self.transaction():
                self._end_job(JobStatus.FAILED, message)

    def interrupt_job(self) -> None:
        """Record that the announced job was stopped; what it has added is kept."""
        if self._job is not None and not self._connection.in_transaction:
            self.checkpoint()
            with self.transaction():
                self._end_job(JobStatus.INTERRUPTED)

    @property
    def connection(self) -> sqlite3.Connection:
        """The open database, for the other modules of this backend."""
        return self._connection

    def collect(self, dead: Container[str]) -> "Collection":
        """Begin to drop some refs, by name, and what only they hold."""
        from cruxe.store.local.collection import Collection

        return Collection(self, [ref for ref in self.list_refs() if ref.name in dead])

    def list_refs(self) -> list[RefRow]:
        """Return all published refs, by name."""
        return ref_maps.list_refs(self._connection)

    def has_exact_lexical(self) -> bool:
        """Return whether the lexical index never had other documents than those of the versions.

        Deleted documents, such as those of a crashed run, still count in its statistics.
        """
        if StorePart.LEXICAL in self.damaged:
            return False
        ((expected,),) = self._connection.execute(
            "SELECT coalesce(sum(document_count), 0) FROM file_versions"
        ).fetchall()
        manifest = read_manifest(self._lexical_folder)
        is_exact = (manifest.documents, manifest.deleted) == (expected, 0)
        return is_exact and not int(self._meta("lexical_dirty"))

    def next_lexical_folder(self) -> str:
        """Return the folder for the lexical index that replaces the present one."""
        return self._store.lexical_path(self._lexical_number + 1)

    def replace_lexical(self, state: LexicalState | None) -> int:
        """Within a transaction: switch to the next lexical folder, if one was written."""
        if state is not None:
            retire_folder(self._lexical_folder)
            self._lexical_number += 1
            self._set_meta("lexical", self._lexical_number)
            self._record_lexical(state)
            self._set_meta("lexical_dirty", 0)
        self._end_job(JobStatus.PUBLISHED)
        return self._next_generation()

    def compact(self) -> None:
        """Give free pages back to the disk."""
        with database.storage_errors(self._store.database_path):
            database.compact(self._connection, self._store.database)

    @property
    def damaged(self) -> frozenset[StorePart]:
        """The parts that are known to be damaged and can be made anew."""
        return self._damage.repairable

    def recover(self) -> None:
        """Recover from a crash: mark dead jobs, remove folders that were never published."""
        with self.transaction():
            job_rows.interrupt_running_jobs(self._connection)
        try:
            self._recover_lexical()
            with self.reading() as snapshot:
                snapshot.check_files()
        except IndexDamagedError as error:
            self._damage.add(error)
        remove_retired(self._store.outdated_lexical(self._lexical_number))
        remove_retired(self._store.drafts_of_fingerprints())
        self.vectors.recover()

    def _recover_lexical(self) -> None:
        """Take the lexical index as a crashed run left it; raise if it is damaged."""
        if not is_marked(folder := self._lexical_folder):
            return
        with self.reading() as snapshot:
            snapshot.check_lexical(is_deep=True)
        opstamp = read_manifest(folder).opstamp
        with self.transaction():
            if opstamp > int(self._meta("lexical_opstamp")):
                self._set_meta("lexical_dirty", 1)  # committed by a run that never wrote its rows
            self._record_lexical(LexicalState(opstamp, take_record(folder, {})))
        unmark(folder)

    def drop_damaged_vectors(self) -> None:
        """Forget the vectors that are not what was written; syncs make them anew."""
        with self.transaction():
            self.vectors.drop_damaged()
        self._damage.remove(StorePart.VECTORS)

    def settle_lexical(self) -> None:
        """Say that the lexical index in use is as recorded."""
        unmark(self._lexical_folder)
        self._damage.remove(StorePart.LEXICAL)

    def record_empty_lexical(self) -> None:
        """Create the lexical index of a new store, and record its files."""
        create_index(self._lexical_folder)
        with self.transaction():
            self._record_lexical(LexicalState(0, take_record(self._lexical_folder, {})))

    def _record_lexical(self, state: LexicalState) -> None:
        self._set_meta("lexical_opstamp", state.opstamp)
        if state.files is not None:
            self._set_meta("lexical_files", record_text(state.files))
        self._merge_failure = state.failure

    @property
    def _lexical_folder(self) -> str:
        return self._store.lexical_path(self._lexical_number)

    def make_current(self) -> None:
        """Make this the current store, and retire the one before it."""
        layout = self._layout
        with database.storage_errors(layout.folder):
            before = layout.current()
            layout.make_current(self._store)
            if before is not None and os.path.isdir(before.folder):
                retire_folder(before.folder)

    def discard(self) -> None:
        """Remove a closed store that was not made current."""
        if not self._store.is_current():
            remove_folder(self._store.folder)

    def close(self) -> None:
        """Close the store; versions that were not checkpointed are lost."""
        closing = None if self._lexical is None else self._lexical.start_close()
        try:
            self.vectors.close()
            self._connection.close()  # copies the log into the database, and syncs
        finally:
            if closing is not None:
                closing.wait()

    def _end_job(self, status: JobStatus, message: str | None = None) -> None:
        if self._job is not None:
            job_rows.write_job(self._connection, self._job)
            job_rows.end_job(self._connection, self._job.job_id, status, message)
            self._job = None

    def _open_lexical(self) -> LexicalWriter:
        if self._lexical is None:
            has_leftovers = bool(int(self._meta("lexical_dirty")))
            self._lexical = LexicalWriter(
                self._lexical_folder, is_bulk=self._is_bulk, has_leftovers=has_leftovers
            )
        return self._lexical

    @contextmanager
    def _lexical_first(self, *, is_last: bool = False) -> Generator[Callable[[], None]]:
        """A transaction beside a lexical commit; call what it yields before the transaction ends.

        That call waits for the lexical commit, so that rows never commit before documents. With
        `is_last` it waits for merges too: then the files stay as they are, and are recorded.
        """
        commit = self._start_lexical(is_last=is_last)

        def settle() -> None:
            if commit is not None:
                state = commit.wait()
                if isinstance(state, int):
                    self._set_meta("lexical_opstamp", state)
                else:
                    self._record_lexical(state)

        try:
            self.vectors.commit()
            if commit is not None and self._job is not None:
                # The first write to a log syncs the disk: do it now, during the lexical commit.
                with self.transaction():
                    job_rows.write_job(self._connection, self._job)
            with self.transaction():
                yield settle
        finally:
            if commit is not None:
                commit.end()

    def _start_lexical(
        self, *, is_last: bool
    ) -> "LexicalWork[int] | LexicalWork[LexicalState] | None":
        """Start to commit the documents added so far, or to finish; None if there are none."""
        has_documents = any(count for _, count in self._pending)
        if not has_documents and (self._lexical is None or not is_last):
            return None
        lexical = self._open_lexical()
        if not is_last:
            return lexical.start_commit()
        self._lexical = None
        return lexical.start_finish(read_record(self._meta("lexical_files")))

    def _write_pending(self) -> None:
        version_rows.write_versions(self._connection, self._pending)
        self.vectors.write_pending()
        self._advance_job()
        self._pending.clear()
        self._pending_bytes = 0

    def _advance_job(self) -> None:
        if self._job is not None:
            job_rows.write_job(self._connection, self._job)
            job_rows.advance_job(
                self._connection, self._job.job_id, self.files_indexed, self.symbols_extracted
            )

    def _next_generation(self) -> int:
        generation = self.generation + 1
        self._set_meta("generation", generation)
        return generation

    def _meta(self, key: str) -> str:
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise corrupt(f"no {key} stamp")
        return str(row[0])

    def _set_meta(self, key: str, value: str | int) -> None:
        self._connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))

    @contextmanager
    def transaction(self) -> Generator[None]:
        """A transaction: rolled back on errors, which come as `EngineError`s."""
        with database.storage_errors(self._store.database_path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                seal(self._connection)
            except BaseException:
                self._connection.rollback()
                raise
            self._connection.execute("COMMIT")


def open_writer(layout: RepositoryLayout, repository_id: str) -> StoreWriter:
    """Open a repository's store for writing, or create the first one; recovers from crashes."""
    store = layout.current()
    if store is None:
        writer = create_store(layout, repository_id)
        writer.make_current()
        return writer
    KnownDamage(store).refuse(StorePart.DATABASE)
    connection = database.open_for_writing(store.database_path, layout.database)
    writer = StoreWriter(layout, store, connection)
    writer.recover()
    layout.remove_outdated()
    return writer


def create_store(layout: RepositoryLayout, repository_id: str) -> StoreWriter:
    """Create a store beside the current one; `make_current` replaces it."""
    with database.storage_errors(layout.folder):
        store = layout.next_store()
        layout.remove_outdated()
    try:
        connection = database.create_database(
            store.database_path, repository_id, _last_generation(layout), layout.database
        )
        writer = StoreWriter(layout, store, connection)
        writer.record_empty_lexical()
    except EngineError:
        remove_folder(store.folder)
        raise
    return writer


def _last_generation(layout: RepositoryLayout) -> int:
    """Return the generation that a new store continues from: numbers are never reused."""
    try:
        with open_snapshot(layout) as snapshot:
            return snapshot.generation
    except EngineError:  # there is no store, or it cannot be read
        return 0
