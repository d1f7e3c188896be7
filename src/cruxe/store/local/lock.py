"""Locks between processes: one writer of a store, one watcher of a working tree.

A lock is an SQLite file with an exclusive transaction: that is an operating-system lock on every
platform, released by the kernel when its holder dies, and safe between threads of one process.
"""

import os
import sqlite3
from types import TracebackType
from typing import Final, Self

from cruxe.model.errors import IndexInProgressError, Remedy, StorageError
from cruxe.store.local.database import storage_errors
from cruxe.store.local.layout import RepositoryLayout

# How long a writer waits for another one unless the caller says otherwise.
WRITER_LOCK_TIMEOUT_MS: Final = 60_000


class StoreLock:
    """A lock file; raises `IndexInProgressError` if it is still held after the wait."""

    def __init__(self, path: str, wait_ms: int) -> None:
        """Prepare to lock a file, waiting at most `wait_ms` for another holder."""
        self._path = path
        self._wait_ms = wait_ms
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        """Take the lock."""
        path = self._path
        with storage_errors(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self._connection = sqlite3.connect(
                path, isolation_level=None, timeout=self._wait_ms / 1000, check_same_thread=False
            )
        try:
            # Nothing is ever written, so no journal file is needed.
            self._connection.execute("PRAGMA journal_mode = MEMORY")
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            self._connection.close()
            if "locked" in str(error):
                raise _in_progress() from error
            if not isinstance(error, sqlite3.OperationalError):
                message = f"{path} is not a lock file of Cruxe"
                raise StorageError(message, remedy="remove it and try again") from error
            with storage_errors(path):
                raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Release the lock."""
        if self._connection is not None:
            self._connection.close()


class WriterLock(StoreLock):
    """The lock of the writer."""

    def __init__(self, layout: RepositoryLayout, wait_ms: int = WRITER_LOCK_TIMEOUT_MS) -> None:
        """Prepare to lock a repository, waiting at most `wait_ms` for another writer."""
        super().__init__(layout.lock_path, wait_ms)

    @staticmethod
    def is_held(layout: RepositoryLayout) -> bool:
        """Return whether a writer holds the lock."""
        if not os.path.exists(layout.lock_path):
            return False
        try:
            with WriterLock(layout, 0):
                return False
        except IndexInProgressError:
            return True
        except StorageError:  # if this process cannot lock, no other can
            return False


class WatcherLock(StoreLock):
    """The lock of the watcher of a working tree; taken without waiting."""

    def __init__(self, layout: RepositoryLayout, root: str) -> None:
        """Prepare to lock a working tree."""
        super().__init__(layout.watch_path(root, "lock"), 0)


def _in_progress() -> IndexInProgressError:
    return IndexInProgressError(
        "another process is writing this repository's index",
        remedy=Remedy(
            "wait for it to finish (index_status shows its progress) and try again",
            "wait for it to finish (`cruxe status` shows its progress) and try again",
        ),
    )
