"""Store readers that stay open between questions.

Between questions no read transaction is held. So the writer can checkpoint its WAL, and the next
question reads the generation that is current then.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Final

from cruxe.model.errors import EngineError, IndexIncompatibleError
from cruxe.model.identity import VersionKey
from cruxe.query.retrieve.opened_ref import KnownVersions, OpenedRef

if TYPE_CHECKING:
    from cruxe.store.api import LexicalIndex, Snapshot, Store, VectorIndex

# Usual number of concurrent questions. Further readers are closed after use.
MAX_WARM_READERS: Final = 4
# Of all paths together. A longer list, as of 100,000 files, is decoded for each question.
_MOST_PATH_CHARACTERS: Final = 5_000_000


class WarmReaders:
    """The open readers of one repository's store. Thread-safe."""

    def __init__(self, store: "Store") -> None:
        """Take the store; the first question opens a reader."""
        self._store = store
        self._lock = threading.Lock()
        self._resting: list[Snapshot] = []
        self._kept: _Generation | None = None  # the one that was read last
        self._is_closed = False
        self.known = KnownVersions()

    @contextmanager
    def open(self) -> "Generator[Snapshot]":
        """Yield a snapshot of the last published generation, for one question."""
        snapshot = self._renewed() or self._store.snapshot()
        try:
            yield snapshot
        except EngineError as error:  # an expected error leaves the snapshot usable
            snapshot.damage_behind(error)
            self._forget_after(error)
            self._put_back(snapshot)
            raise
        except BaseException as error:
            named = snapshot.damage_behind(error)
            snapshot.close()
            if named is None:
                raise
            self._forget_after(named)
            raise named from error
        self._put_back(snapshot)

    def _forget_after(self, error: EngineError) -> None:
        """Forget what was read before damage was noticed: it may come from what is damaged."""
        if isinstance(error, IndexIncompatibleError):
            with self._lock:
                self._kept, self.known = None, KnownVersions()

    def generation(self, snapshot: "Snapshot") -> "_Generation":
        """Return the cached data of a snapshot's generation."""
        with self._lock:
            kept = self._kept
            if kept is None or kept.state != snapshot.state:
                kept = _Generation(snapshot)
                self._kept = None if self._is_closed else kept
            return kept

    def lexical(self, snapshot: "Snapshot") -> "LexicalIndex":
        """Return the lexical index of a snapshot's generation."""
        return self.generation(snapshot).lexical

    def close(self) -> None:
        """Close the idle snapshots. One in use is closed when its question ends."""
        with self._lock:
            self._is_closed = True
            resting, self._resting = self._resting, []
            self._kept = None
        for snapshot in resting:
            snapshot.close()

    def _renewed(self) -> "Snapshot | None":
        """Return an idle snapshot, renewed, or None if none is usable."""
        while True:
            with self._lock:
                if not self._resting:
                    return None
                snapshot = self._resting.pop()
            if not snapshot.is_current():  # the store was rebuilt
                snapshot.close()
                continue
            try:
                snapshot.renew()
            except EngineError:
                snapshot.close()
                continue
            return snapshot

    def _put_back(self, snapshot: "Snapshot") -> None:
        snapshot.rest()
        with self._lock:
            if not self._is_closed and len(self._resting) < MAX_WARM_READERS:
                self._resting.append(snapshot)
                return
        snapshot.close()


class _Generation:
    """Data of one generation that questions share. Two concurrent questions may both load it."""

    def __init__(self, snapshot: "Snapshot") -> None:
        self.state = snapshot.state
        self._open_lexical = snapshot.lexical_opener()
        self.live_keys: dict[int, frozenset[VersionKey]] = {}  # by ref
        self.paths: dict[int, str] = {}  # by ref
        self.vectors: dict[tuple[int, str], VectorIndex | None] = {}  # by ref and model

    @cached_property
    def lexical(self) -> "LexicalIndex":
        return self._open_lexical()


class WarmRef(OpenedRef):
    """A ref of a snapshot that shares the cached data of its generation with other questions."""

    def __init__(self, readers: WarmReaders, snapshot: "Snapshot", ref_id: int) -> None:
        """Take a snapshot from the readers."""
        super().__init__(snapshot, ref_id, readers.known)
        self._shared = readers.generation(snapshot)

    @cached_property
    def lexical(self) -> "LexicalIndex":
        """Return the lexical index of the same generation."""
        return self._shared.lexical

    @cached_property
    def is_live(self) -> Callable[[VersionKey], bool]:
        """Return a predicate: whether the ref holds a version."""
        known = self._shared.live_keys
        if self.ref_id not in known:
            known[self.ref_id] = self.snapshot.live_keys(self.ref_id)
        return known[self.ref_id].__contains__

    @cached_property
    def paths(self) -> str:
        """Return all paths in order, each between two NULs."""
        known = self._shared.paths
        if self.ref_id in known:
            return known[self.ref_id]
        paths = super().paths
        if len(paths) <= _MOST_PATH_CHARACTERS:
            known[self.ref_id] = paths
        return paths

    def vectors(self, model: str) -> "VectorIndex | None":
        """Return the ref's vectors of a model, or None."""
        known, asked = self._shared.vectors, (self.ref_id, model)
        if asked not in known:
            known[asked] = super().vectors(model)
        return known[asked]
