"""Collection: dead refs and the versions that only they hold are deleted.

The lexical index is rebuilt without them in a new folder. One transaction then deletes the rows and
switches to that folder. A reader of an older generation still finds the old folder, or reopens.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from cruxe.model.identity import VersionKey
from cruxe.model.jobs import JobMode
from cruxe.model.stored import LiveVersion, RefRow
from cruxe.store.local import ref_maps, trigram_rows, version_rows
from cruxe.store.local.layout import remove_folder
from cruxe.store.local.lexical import LexicalState, LexicalWriter
from cruxe.store.local.ref_maps import RefMap
from cruxe.store.local.vector_writer import StoreVectors
from cruxe.store.records import VersionRecord


class CollectingWriter(Protocol):
    """What a collection needs of the store's writer, whose module imports this one."""

    @property
    def connection(self) -> sqlite3.Connection:
        """The open database."""
        ...

    @property
    def vectors(self) -> StoreVectors:
        """The vectors of the store."""
        ...

    def verdicts(self) -> Mapping[int, object]:
        """Return all versions of the store, by key."""
        ...

    def has_exact_lexical(self) -> bool:
        """Return whether the lexical index never held other documents than now."""
        ...

    def next_lexical_folder(self) -> str:
        """Return the folder for the lexical index that replaces the present one."""
        ...

    def start_job(self, ref: str, mode: JobMode, files_total: int) -> None:
        """Announce a job."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Write all of it or nothing."""
        ...

    def replace_lexical(self, state: LexicalState | None) -> int:
        """Within a transaction: use the next lexical folder, if one was written."""
        ...

    def settle_lexical(self) -> None:
        """Say that the lexical index in use is as recorded."""
        ...

    def compact(self) -> None:
        """Give free pages back to the disk."""
        ...


class Collection:
    """One collection: finds what is dead, rebuilds the lexical index, publishes."""

    def __init__(self, writer: CollectingWriter, dead: Sequence[RefRow]) -> None:
        """Find the versions that only some refs hold; the caller holds the writer lock.

        A damaged lexical index is rewritten like one that counts dead documents.
        """
        self._writer = writer
        self._dead = [*dead]
        self._lexical: LexicalWriter | None = None
        self._trigrams: list[trigram_rows.TrigramSet] = []
        self._added: set[VersionKey] = set()
        self.dead_refs = tuple(ref.name for ref in dead)
        self.dead_versions = self._unreferenced()
        self.must_rewrite = bool(self.dead_versions) or not writer.has_exact_lexical()
        self.live = self._live_versions() if self.must_rewrite else []

    def begin(self) -> None:
        """Announce the collection and create the new lexical index."""
        if self.must_rewrite:
            folder = self._writer.next_lexical_folder()
            remove_folder(folder)  # left by a collection that did not finish
            self._lexical = LexicalWriter(folder, is_bulk=True)
        self._writer.start_job("all", JobMode.COLLECT, len(self.live))

    def add(self, record: VersionRecord) -> None:
        """Add a live version's documents to the new lexical index, and keep its trigrams."""
        assert self._lexical is not None
        self._added.add(record.version_key)
        self._lexical.add(record.version_key, record.documents)
        if record.trigrams:
            self._trigrams.append((record.version_key, record.trigrams))

    def publish(self) -> int:
        """Delete what is dead, switch to the new lexical index, return the generation."""
        state = None if self._lexical is None else self._lexical.finish({})
        if state is not None and state.failure is not None:
            raise state.failure
        connection = self._writer.connection
        with self._writer.transaction():
            self._drop_vanished()
            for ref in self._dead:
                ref_maps.delete_ref(connection, ref.ref_id)
            version_rows.delete_versions(connection, self.dead_versions)
            if self._lexical is not None:
                trigram_rows.replace_sets(connection, self._trigrams)
            if self.dead_versions:
                self._writer.vectors.drop(self.dead_versions)
            generation = self._writer.replace_lexical(state)
        self._writer.settle_lexical()
        self._writer.compact()
        return generation

    def _drop_vanished(self) -> None:
        """Within a transaction: drop the live versions that were not added again.

        A working tree loses these paths, which makes it stale. A commit whose blobs are gone is
        dropped as a whole: nothing would ever complete it.
        """
        vanished = {each.version_key for each in self.live} - self._added
        if not vanished:
            return
        connection, dead = self._writer.connection, {ref.ref_id for ref in self._dead}
        for ref in ref_maps.list_refs(connection):
            if ref.ref_id in dead or not ref_maps.forget(connection, ref.ref_id, vanished):
                continue
            if ref.root is None:
                self._dead.append(ref)
        self.dead_refs = tuple(ref.name for ref in self._dead)
        self.dead_versions = [*self.dead_versions, *sorted(vanished)]

    def _unreferenced(self) -> list[VersionKey]:
        """Return the versions that no remaining ref holds, in order."""
        connection = self._writer.connection
        dead_ids = {ref.ref_id for ref in self._dead}
        held: set[VersionKey] = set()
        for ref in ref_maps.list_refs(connection):
            if ref.ref_id not in dead_ids:
                held |= RefMap(ref_maps.read_columns(connection, ref.ref_id)).version_keys
        return [VersionKey(key) for key in sorted(self._writer.verdicts().keys() - held)]

    def _live_versions(self) -> list[LiveVersion]:
        """Return the remaining versions that have documents, by path."""
        marks = ", ".join("?" for _ in self._dead)
        rows = self._writer.connection.execute(
            "SELECT version_key, path, lower(hex(blob_id)), max(refs.root)"
            " FROM file_versions JOIN ref_versions USING (version_key) JOIN refs USING (ref_id)"
            f" WHERE document_count > 0 AND ref_id NOT IN ({marks})"
            " GROUP BY version_key ORDER BY path, version_key",
            [ref.ref_id for ref in self._dead],
        )
        return [*map(LiveVersion._make, rows)]
