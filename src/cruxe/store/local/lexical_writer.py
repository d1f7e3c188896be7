"""Writes the Tantivy index. Readers see nothing before `commit`."""

import os
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from cruxe.model.errors import EngineError, StorageError
from cruxe.store.local.database import ROOM_BYTES, corrupt
from cruxe.store.local.lexical_schema import build_schema, register_analyzers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cruxe.model.identity import VersionKey

# Heap before a segment is written. Bulk runs write fewer, larger segments.
_BULK_HEAP_BYTES: Final = 160_000_000
_SMALL_HEAP_BYTES: Final = 20_000_000


def create_index(folder: str) -> None:
    """Create an empty index, so that readers find one."""
    import tantivy

    try:
        os.makedirs(folder, exist_ok=True)
        tantivy.Index(build_schema(), path=folder, reuse=True)
    except OSError as error:
        raise StorageError.from_os_error(error, folder) from error
    except ValueError as error:
        raise _explain(error, folder) from error


class LexicalWriter:
    """Adds and removes the documents of file versions."""

    def __init__(self, folder: str, *, is_bulk: bool, has_leftovers: bool = False) -> None:
        """Open or create the index in a folder, which may have documents of a crashed run."""
        import tantivy

        try:
            os.makedirs(folder, exist_ok=True)
            self._index = tantivy.Index(build_schema(), path=folder, reuse=True)
            register_analyzers(self._index)
            # One thread: segments do not depend on the machine, and parsing keeps the other
            # cores busy.
            heap = _BULK_HEAP_BYTES if is_bulk else _SMALL_HEAP_BYTES
            self._writer = self._index.writer(heap, 1)
        except OSError as error:
            raise StorageError.from_os_error(error, folder) from error
        except ValueError as error:
            raise _explain(error, folder) from error
        self._folder = folder
        self._has_leftovers = has_leftovers

    def add(self, version_key: "VersionKey", documents: "Iterable[bytes]") -> None:
        """Add a version's documents; those that a crashed run left under its key are deleted."""
        import tantivy

        if self._has_leftovers:
            # By query, since deleting by term takes a signed number and this field is unsigned.
            query = tantivy.Query.term_query(self._index.schema, "version", version_key)
            self._writer.delete_documents_by_query(query)
        try:
            for document in documents:
                self._writer.add_json(document.decode())
        except ValueError as error:
            raise _explain(error, self._folder) from error

    def commit(self) -> int:
        """Make everything added so far durable and visible; return the new opstamp."""
        try:
            return int(self._writer.commit())
        except (ValueError, OSError) as error:
            raise _explain(error, self._folder) from error

    def start_commit(self) -> "LexicalWork[int]":
        """Start a commit in the background."""
        return LexicalWork(self.commit)

    def close(self) -> None:
        """Wait for merges and release the index; uncommitted documents are lost."""
        try:
            self._writer.wait_merging_threads()
        except ValueError as error:
            raise _explain(error, self._folder) from error
        del self._index  # unmaps its files

    def start_close(self) -> "LexicalWork[None]":
        """Start closing in the background."""
        return LexicalWork(self.close)


_Given = TypeVar("_Given")


class LexicalWork(Generic[_Given]):
    """A call that runs on its own thread; the writer must not be used meanwhile."""

    def __init__(self, work: "Callable[[], _Given]") -> None:
        """Start the thread."""
        from threading import Thread

        self._work = work
        self._given: list[_Given] = []
        self._error: EngineError | None = None
        self._thread = Thread(target=self._run)
        self._thread.start()

    def wait(self) -> _Given:
        """Wait; return the result or raise the error of the call."""
        self.end()
        if not self._given:
            raise self._error or StorageError("the lexical index could not be written")
        return self._given[0]

    def end(self) -> None:
        """Wait; ignore result and error."""
        self._thread.join()

    def _run(self) -> None:
        try:
            self._given.append(self._work())
        except EngineError as error:
            self._error = error


def _explain(error: Exception, folder: str) -> EngineError:
    text = str(error)
    if "No space left" in text or "os error 28" in text or _is_full(folder):
        return StorageError.disk_full(folder)
    if "Read-only" in text or "Permission denied" in text:
        return StorageError.read_only(folder)
    if "schema" in text.lower() or "corrupt" in text.lower() or "meta.json" in text:
        return corrupt(f"lexical index: {text}")
    return StorageError(f"{folder}: {text}", data={"path": folder})


def _is_full(folder: str) -> bool:
    """Return whether the disk is full: a failed thread of Tantivy does not give the cause."""
    from shutil import disk_usage

    try:
        return disk_usage(folder).free < ROOM_BYTES
    except OSError:
        return False
