"""The store in a folder of this machine, as `store/api.py` describes a store."""

import os
from typing import TYPE_CHECKING

from cruxe.model.identity import StoreLocation
from cruxe.store.local.layout import repository_layout
from cruxe.store.local.snapshot import Snapshot, open_snapshot

if TYPE_CHECKING:
    from cruxe.store.local.lock import WatcherLock, WriterLock
    from cruxe.store.local.writer import StoreWriter


class LocalStore:
    """One repository's folder under the data directory."""

    def __init__(self, location: StoreLocation) -> None:
        """Take the location; nothing is opened or made yet."""
        self._repository_id = location.repository_id
        self._layout = repository_layout(location)

    @property
    def location(self) -> str:
        """The folder."""
        return self._layout.folder

    @property
    def is_registered(self) -> bool:
        """Whether the folder exists."""
        return os.path.isdir(self._layout.folder)

    @property
    def has_index(self) -> bool:
        """Whether there is a store in use."""
        return self._layout.current() is not None

    def snapshot(self, *, even_damaged: bool = False) -> Snapshot:
        """Open the last published generation, or refuse one that is known to be damaged."""
        return open_snapshot(self._layout, even_damaged=even_damaged)

    def open_writer(self) -> "StoreWriter":
        """Open the store for writing, or make the first one; recovers from crashes."""
        from cruxe.store.local.writer import open_writer

        return open_writer(self._layout, self._repository_id)

    def create_writer(self) -> "StoreWriter":
        """Make a store beside the current one."""
        from cruxe.store.local.writer import create_store

        return create_store(self._layout, self._repository_id)

    def writer_lock(self, wait_ms: int | None = None) -> "WriterLock":
        """Hold the lock of the one writer; None waits `WRITER_LOCK_TIMEOUT_MS`."""
        from cruxe.store.local.lock import WRITER_LOCK_TIMEOUT_MS, WriterLock

        return WriterLock(self._layout, WRITER_LOCK_TIMEOUT_MS if wait_ms is None else wait_ms)

    def is_being_written(self) -> bool:
        """Return whether someone holds the writer lock."""
        from cruxe.store.local.lock import WriterLock

        return WriterLock.is_held(self._layout)

    def watcher_lock(self, root: str) -> "WatcherLock":
        """Hold the lock of the one watcher of a working tree."""
        from cruxe.store.local.lock import WatcherLock

        return WatcherLock(self._layout, root)

    def size_bytes(self) -> int:
        """Return the size of all files."""
        return _size_of(self._layout.folder)

    def size_in_use_bytes(self) -> int:
        """Return the size of the database and of the lexical index in use."""
        with self.snapshot() as snapshot:
            database = os.path.getsize(snapshot.store.database_path)
            return database + _size_of(snapshot.lexical_path)


def _size_of(folder: str) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except FileNotFoundError:  # removed since it was listed
                continue
    return total
