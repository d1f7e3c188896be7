"""Appends vectors to two files, one of numbers and one of codes.

The database records how many rows are valid. Rows that a crashed run left after the last valid one
are overwritten.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import IO, Final

from cruxe.embed.quantise import NUMBERS_PER_BYTE
from cruxe.model.identity import VersionKey
from cruxe.model.stored import Vectors
from cruxe.store.local.database import storage_errors
from cruxe.store.local.layout import CODES_FILE, ROWS_FILE
from cruxe.store.local.vector_rows import VectorSpan

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
        span = VectorSpan(version_key, self.row_count, count)
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
    """Copy the rows of some versions from another folder, one after another."""
    code_bytes = dimensions // NUMBERS_PER_BYTE
    copied: list[VectorSpan] = []
    with (
        storage_errors(source),
        open(os.path.join(source, ROWS_FILE), "rb") as rows,
        open(os.path.join(source, CODES_FILE), "rb") as codes,
    ):
        for key, first_row, row_count in spans:
            rows.seek(first_row * dimensions)
            codes.seek(first_row * code_bytes)
            vectors = Vectors(rows.read(row_count * dimensions), codes.read(row_count * code_bytes))
            copied.append(target.add(key, vectors))
    return copied


def _open_at(path: str, offset: int) -> IO[bytes]:
    mode = "r+b" if os.path.exists(path) else "w+b"
    file = open(path, mode, buffering=_BUFFER_BYTES)  # noqa: SIM115 - kept open
    file.seek(offset)
    return file
