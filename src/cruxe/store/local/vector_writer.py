"""Writes the vectors of a store: appends to two files, one of numbers and one of codes.

The database records how many rows are valid. Rows that a crashed run left after the last valid one
are overwritten.
"""

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import IO, Final

from cruxe.embed.quantise import NUMBERS_PER_BYTE
from cruxe.model.identity import VersionKey
from cruxe.model.stored import Vectors
from cruxe.store.local import vector_rows
from cruxe.store.local.database import storage_errors
from cruxe.store.local.layout import (
    CODES_FILE,
    ROWS_FILE,
    StoreLayout,
    remove_folder,
    remove_retired,
    retire_folder,
)
from cruxe.store.local.ref_maps import find_ref, list_refs
from cruxe.store.local.vector_rows import VectorSpan, span_of

# The vectors of a file are a few kilobytes: the default buffer would mean a system call for each.
_BUFFER_BYTES: Final = 1 << 18


class VectorWriter:
    """Appends vectors to the files of a folder."""

    def __init__(self, folder: str, dimensions: int, row_count: int) -> None:
        """Open or create a folder that has `row_count` valid rows."""
        self._folder = folder
        self._dimensions = dimensions
        self.row_count = row_count
        with storage_errors(folder):
            os.makedirs(folder, exist_ok=True)
            self._rows = _open_at(os.path.join(folder, ROWS_FILE), row_count * dimensions)
            codes = row_count * (dimensions // NUMBERS_PER_BYTE)
            self._codes = _open_at(os.path.join(folder, CODES_FILE), codes)

    def add(self, version_key: VersionKey, vectors: Vectors) -> VectorSpan:
        """Append a version's vectors; return their span."""
        with storage_errors(self._folder):
            self._rows.write(vectors.rows)
            self._codes.write(vectors.codes)
        count = len(vectors.rows) // self._dimensions
        span = span_of(version_key, self.row_count, count, vectors)
        self.row_count += count
        return span

    def commit(self) -> None:
        """Make appended rows durable."""
        with storage_errors(self._folder):
            for file in (self._rows, self._codes):
                file.flush()
                os.fsync(file.fileno())

    def close(self) -> None:
        """Close the files; a full disk may lose rows that were not committed, which is harmless."""
        for file in (self._rows, self._codes):
            with suppress(OSError):
                file.close()


def copy_spans(
    source: str, spans: Iterable[VectorSpan], target: VectorWriter, dimensions: int
) -> list[VectorSpan]:
    """Copy the rows of some versions from another folder; damaged ones are left out."""
    return [
        target.add(span.version_key, vectors)
        for span, vectors in read_vectors(source, spans, dimensions)
        if vectors is not None
    ]


def read_vectors(
    folder: str, spans: Iterable[VectorSpan], dimensions: int
) -> Iterator[tuple[VectorSpan, Vectors | None]]:
    """Yield the vectors of spans; None for those that are not what was written."""
    code_bytes = dimensions // NUMBERS_PER_BYTE
    with ExitStack() as stack:
        try:
            files = [
                stack.enter_context(open(os.path.join(folder, name), "rb"))
                for name in (ROWS_FILE, CODES_FILE)
            ]
        except FileNotFoundError:
            yield from ((span, None) for span in spans)
            return
        for span in spans:
            rows, codes = (
                _read_at(file, span, size)
                for file, size in zip(files, (dimensions, code_bytes), strict=True)
            )
            vectors = Vectors(rows, codes)
            yield span, vectors if span_of(*span[:3], vectors) == span else None


def _read_at(file: IO[bytes], span: VectorSpan, row_bytes: int) -> bytes:
    file.seek(span.first_row * row_bytes)
    return file.read(span.row_count * row_bytes)


def _open_at(path: str, offset: int) -> IO[bytes]:
    mode = "r+b" if os.path.exists(path) else "w+b"
    file = open(path, mode, buffering=_BUFFER_BYTES)  # noqa: SIM115 - kept open
    file.seek(offset)
    return file


class StoreVectors:
    """Adds vectors to a store; the caller holds the writer lock and opens the transactions."""

    def __init__(self, store: StoreLayout, connection: sqlite3.Connection) -> None:
        """Wrap an open store."""
        self._store = store
        self._connection = connection
        self._writer: VectorWriter | None = None
        self._pending: list[VectorSpan] = []

    @property
    def model(self) -> str:
        """The version of the model whose vectors are stored; empty if there are none."""
        return str(self._meta("vector_model"))

    @property
    def folder(self) -> str:
        """The current folder of vectors."""
        return self._store.vectors_path(int(self._meta("vectors")))

    def use_model(self, model: str, dimensions: int) -> None:
        """Within a transaction: drop the vectors of another model and store this one's."""
        if self.model == model:
            return
        vector_rows.delete_all(self._connection)
        self._start_folder()
        self._set_meta("vector_model", model)
        self._set_meta("vector_dimensions", dimensions)

    def add(self, version_key: VersionKey, vectors: Vectors) -> None:
        """Add a version's vectors."""
        if self._writer is None:
            dimensions = int(self._meta("vector_dimensions"))
            rows = int(self._meta("vector_rows"))
            self._writer = VectorWriter(self.folder, dimensions, rows)
        self._pending.append(self._writer.add(version_key, vectors))

    def commit(self) -> None:
        """Make added rows durable, before the transaction that records them."""
        if self._writer is not None and self._pending:
            self._writer.commit()

    def write_pending(self) -> None:
        """Within a transaction: record the committed rows."""
        if self._writer is not None and self._pending:
            vector_rows.write_spans(self._connection, self._pending)
            self._set_meta("vector_rows", self._writer.row_count)
            self._pending.clear()

    def lacking(self, keys: Collection[int]) -> set[int]:
        """Return which of some versions have content and no vectors."""
        return vector_rows.versions_without(self._connection, keys)

    def are_complete(self, ref_id: int) -> bool:
        """Return whether all versions of a ref have vectors."""
        return vector_rows.has_packed(self._connection, ref_id)

    def pack(self, ref: str) -> None:
        """Within a transaction: pack the spans of a ref for readers."""
        row = find_ref(self._connection, ref)
        if row is not None and self.model:
            vector_rows.pack_ref(self._connection, row.ref_id)

    def drop(self, dead: Sequence[VersionKey]) -> None:
        """Within a transaction: copy all rows but those of dead versions to a new folder."""
        keys = set(dead)
        spans = [
            span
            for span in vector_rows.read_spans(self._connection)
            if span.version_key not in keys
        ]
        before, dimensions = self.folder, int(self._meta("vector_dimensions"))
        if not self.model:
            return
        self._start_folder()
        writer = VectorWriter(self.folder, dimensions, 0)
        kept = copy_spans(before, spans, writer, dimensions)
        writer.commit()
        writer.close()
        vector_rows.delete_all(self._connection)
        vector_rows.write_spans(self._connection, kept)
        self._set_meta("vector_rows", writer.row_count)
        for ref in list_refs(self._connection):
            vector_rows.pack_ref(self._connection, ref.ref_id)

    def drop_damaged(self) -> None:
        """Within a transaction: forget the rows that are not what was written."""
        dimensions = int(self._meta("vector_dimensions"))
        spans = vector_rows.read_spans(self._connection)
        if not self.model:
            return
        found = read_vectors(self.folder, spans, dimensions)
        bad = [span.version_key for span, vectors in found if vectors is None]
        vector_rows.delete_spans(self._connection, bad)
        for ref in list_refs(self._connection):
            vector_rows.pack_ref(self._connection, ref.ref_id)

    def recover(self) -> None:
        """Remove folders that were replaced or never published."""
        remove_retired(self._store.outdated_vectors(int(self._meta("vectors"))))

    def close(self) -> None:
        """Close the files; rows that were not recorded are lost."""
        if self._writer is not None:
            self._writer.close()

    def _start_folder(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        number = int(self._meta("vectors"))
        retire_folder(self._store.vectors_path(number))
        remove_folder(self._store.vectors_path(number + 1))  # left by a crash
        self._set_meta("vectors", number + 1)
        self._set_meta("vector_rows", 0)

    def _meta(self, key: str) -> str | int:
        query = "SELECT value FROM meta WHERE key = ?"
        value: str | int = self._connection.execute(query, (key,)).fetchone()[0]
        return value

    def _set_meta(self, key: str, value: str | int) -> None:
        self._connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
