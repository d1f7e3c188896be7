"""Readers kept open between questions, so that a server does not open the store for each.

Between questions no read transaction is held: the writer may check its log in, and the next
question reads the generation that is published then.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Final

from cruxe.index.layout import RepositoryLayout
from cruxe.index.snapshot import Snapshot, open_snapshot
from cruxe.model.errors import EngineError
from cruxe.query.opened import OpenedRef

if TYPE_CHECKING:
    from cruxe.index.lexical_reader import LexicalReader

# As many questions as are usually under way at once; more are opened and closed again.
_KEPT: Final = 4


class WarmReaders:
    """The open readers of one repository's store; for any number of threads."""

    def __init__(self, layout: RepositoryLayout) -> None:
        """Open nothing yet."""
        self._layout = layout
        self._lock = threading.Lock()
        self._resting: list[Snapshot] = []
        self._lexical: LexicalReader | None = None
        self._lexical_of: tuple[str, int] | None = None  # its folder and generation
        self._is_closed = False

    @contextmanager
    def open(self) -> Generator[Snapshot]:
        """A snapshot of the last published generation, for one question."""
        snapshot = self._renewed() or open_snapshot(self._layout)
        try:
            yield snapshot
        except EngineError:  # an answer like any other
            self._put_back(snapshot)
            raise
        except BaseException:
            snapshot.close()
            raise
        self._put_back(snapshot)

    def lexical(self, snapshot: Snapshot) -> "LexicalReader":
        """The lexical index of a snapshot's generation; opened after the snapshot, as must be."""
        from cruxe.index.lexical_reader import LexicalReader

        key = (snapshot.lexical_path, snapshot.generation)
        with self._lock:
            if self._lexical is not None and self._lexical_of == key:
                return self._lexical
        reader = LexicalReader(snapshot.lexical_path)
        with self._lock:
            if not self._is_closed:
                self._lexical, self._lexical_of = reader, key
        return reader

    def close(self) -> None:
        """Close what rests; what is in use is closed by its user."""
        with self._lock:
            self._is_closed = True
            resting, self._resting = self._resting, []
            self._lexical = self._lexical_of = None
        for snapshot in resting:
            snapshot.close()

    def _renewed(self) -> Snapshot | None:
        """A snapshot that rested, reading again; nothing where none can be used any more."""
        store = self._layout.current()
        while True:
            with self._lock:
                if not self._resting:
                    return None
                snapshot = self._resting.pop()
            if snapshot.store != store:  # another has taken its place
                snapshot.close()
                continue
            try:
                snapshot.renew()
            except EngineError:
                snapshot.close()
                continue
            return snapshot

    def _put_back(self, snapshot: Snapshot) -> None:
        snapshot.rest()
        with self._lock:
            if not self._is_closed and len(self._resting) < _KEPT:
                self._resting.append(snapshot)
                return
        snapshot.close()


class WarmRef(OpenedRef):
    """A ref of a snapshot whose lexical index is shared with other questions."""

    def __init__(self, readers: WarmReaders, snapshot: Snapshot, ref_id: int) -> None:
        """Take a snapshot that the readers opened."""
        super().__init__(snapshot, ref_id)
        self._readers = readers

    @cached_property
    def lexical(self) -> "LexicalReader":
        """The lexical index of the same generation."""
        return self._readers.lexical(self.snapshot)
