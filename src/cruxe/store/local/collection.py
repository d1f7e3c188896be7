"""Dropping what no ref holds, and writing the lexical index anew without it.

The new lexical index is filled beside the old one; one transaction then drops the rows and points
readers at it. A reader of an older generation still finds the old folder, or opens again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from cruxe.model.identity import BlobId, VersionKey
from cruxe.store.local import ref_rows, trigram_rows, version_rows
from cruxe.store.local.layout import remove_folder
from cruxe.store.local.lexical_writer import LexicalWriter
from cruxe.store.local.ref_maps import RefMap
from cruxe.store.local.writer import StoreWriter
from cruxe.store.records import VersionRecord


class LiveVersion(NamedTuple):
    """A version that some ref holds and that has documents."""

    version_key: VersionKey
    path: str
    blob_id: BlobId
    root: str | None  # of a working tree that holds it; absent where only commits do


class Collection:
    """One collection, from the question what is dead to the publication without it."""

    def __init__(self, writer: StoreWriter) -> None:
        """Begin; the writer's owner holds the writer lock."""
        self._writer = writer
        self._lexical: LexicalWriter | None = None
        self._trigrams: list[trigram_rows.TrigramSet] = []

    def unreferenced(self, dead_refs: Sequence[ref_rows.RefRow]) -> list[VersionKey]:
        """Versions that no ref holds once the dead ones are gone."""
        connection = self._writer.connection
        dead_ids = {ref.ref_id for ref in dead_refs}
        held: set[VersionKey] = set()
        for ref in ref_rows.list_refs(connection):
            if ref.ref_id not in dead_ids:
                held |= RefMap(ref_rows.read_columns(connection, ref.ref_id)).version_keys
        return [VersionKey(key) for key in sorted(self._writer.verdicts().keys() - held)]

    def live_versions(self, dead_refs: Sequence[ref_rows.RefRow]) -> list[LiveVersion]:
        """Versions with documents that stay, by path."""
        marks = ", ".join("?" for _ in dead_refs)
        rows = self._writer.connection.execute(
            "SELECT version_key, path, lower(hex(blob_id)), max(refs.root)"
            " FROM file_versions JOIN ref_versions USING (version_key) JOIN refs USING (ref_id)"
            f" WHERE document_count > 0 AND ref_id NOT IN ({marks})"
            " GROUP BY version_key ORDER BY path, version_key",
            [ref.ref_id for ref in dead_refs],
        )
        return [LiveVersion(*row) for row in rows]

    def begin_rewrite(self) -> None:
        """Start a new lexical index, empty so far."""
        folder = self._writer.next_lexical_folder()
        remove_folder(folder)  # left by a collection that did not finish
        self._lexical = LexicalWriter(folder, is_bulk=True)

    def add(self, record: VersionRecord) -> None:
        """Write a live version's documents to the new lexical index, and keep its trigrams."""
        assert self._lexical is not None
        self._lexical.add(record.version_key, record.documents)
        if record.trigrams:
            self._trigrams.append((record.version_key, record.trigrams))

    def publish(
        self, dead_refs: Sequence[ref_rows.RefRow], dead_versions: Sequence[VersionKey]
    ) -> int:
        """Drop what is dead and take the new lexical index into use; gives the generation."""
        opstamp = None
        if self._lexical is not None:
            opstamp = self._lexical.commit()
            self._lexical.close()
        connection = self._writer.connection
        with self._writer.transaction():
            for ref in dead_refs:
                ref_rows.delete_ref(connection, ref.ref_id)
            version_rows.delete_versions(connection, dead_versions)
            if self._lexical is not None:
                trigram_rows.replace_sets(connection, self._trigrams)
            if dead_versions:
                self._writer.vectors.drop(dead_versions)
            generation = self._writer.replace_lexical(opstamp)
        self._writer.compact()
        return generation
