"""A watcher that keeps one working tree's index fresh and can vouch for it.

The process that holds the tree's lock watches and writes a heartbeat for the others; one of them
takes over when it ends. To vouch is to say: nothing has changed since the published state was
compared with the files. If its events can be drained, it does so before it vouches, and then it
knows of every change made before the call.
"""

import threading
import time
from collections.abc import Callable
from contextlib import closing
from enum import StrEnum
from typing import Final

from cruxe.freshness.check import FullCheck, comparable_ref
from cruxe.freshness.file_events import FileEvent, WatchFailedError
from cruxe.freshness.tree_watch import TreeWatch
from cruxe.freshness.watcher_heartbeat import (
    HEARTBEAT_SECONDS,
    Knowledge,
    WatcherHeartbeat,
    read_heartbeat,
)
from cruxe.model.errors import EngineError, IndexInProgressError
from cruxe.model.stored import RefRow
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext, resolve_target

# Changes are debounced: indexed once none came for this long, and after the longer time anyway.
DEBOUNCE_QUIET_MS: Final = 100
DEBOUNCE_MAX_MS: Final = 200
# How soon a process takes over from one that stopped watching, and tries again after a failure.
_TAKE_OVER_SECONDS: Final = 5.0
_RETRY_SECONDS: Final = 60.0


class WatchState(StrEnum):
    """Whether a tree is watched."""

    OFF = "off"
    STARTING = "starting"
    WATCHING = "watching"
    ELSEWHERE = "elsewhere"  # by another process
    FAILED = "failed"


class Watcher:
    """Watches in a thread of its own; any thread may ask what it knows."""

    def __init__(self, context: RepositoryContext, request_sync: Callable[[], None]) -> None:
        """Watch nothing yet; `request_sync` is called when the index is behind and returns soon."""
        self._context = context
        self._request_sync = request_sync
        self._heartbeat_path = open_store(context.location).heartbeat_path(context.workspace.root)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()  # of all that follows
        self._tree: TreeWatch | None = None  # while it watches
        self._heartbeat: WatcherHeartbeat | None = None
        self._pending: set[FileEvent] = set()  # drained, not yet looked at
        self._first_event_at = self._last_event_at = 0.0  # of the pending ones
        self._is_deciding = False  # whether the events it took concern the index
        self._moment = 0  # counts changes
        self._vouched: tuple[RefRow, int] | None = None  # a state, and the moment it was true
        self.state = WatchState.OFF
        self.problem: str | None = None

    def start(self) -> None:
        """Begin to watch, unless that was done before."""
        with self._lock:
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(target=self._run, name="cruxe-watch", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        with self._lock:
            thread = self._thread
            if self._tree is not None:
                self._tree.wake()
        if thread is not None:
            thread.join()

    def look(self, row: RefRow) -> Knowledge:
        """Return what is known of a published state without looking at files."""
        with self._lock:
            if self.state is WatchState.ELSEWHERE:
                return read_heartbeat(self._heartbeat_path, row)
            self._drain()
            known = self._knowledge()
            is_other = self._vouched is not None and self._vouched[0] != row
            return Knowledge.UNKNOWN if known is Knowledge.FRESH and is_other else known

    def moment(self) -> int | None:
        """Return a mark to take before a comparison, for `vouch_for`; None if it cannot vouch."""
        with self._lock:
            can_vouch = self._tree is not None and self._tree.can_drain
        return self._moment_if_sure() if can_vouch else None

    def moment_of_change(self) -> int:
        """Return the moment of the last change, while a sync of it is requested."""
        with self._lock:
            return self._moment

    def vouch_for(self, row: RefRow, since: int) -> None:
        """Vouch for a state that was compared with the files from a moment on."""
        with self._lock:
            self._drain()
            if since == self._moment and self._tree is not None:
                self._vouched = (row, since)
                self._write_heartbeat()

    def take_published(self, since: int) -> None:
        """Vouch for what a sync has published that was begun at a moment."""
        target = resolve_target(self._context.workspace, None)
        with open_store(self._context.location).snapshot() as snapshot:
            row = comparable_ref(self._context, target, snapshot)
        if row is not None:
            self.vouch_for(row, since)

    def _run(self) -> None:
        while not self._stop.is_set():
            patience = _RETRY_SECONDS
            try:
                with open_store(self._context.location).watcher_lock(self._context.workspace.root):
                    self._set_state(WatchState.STARTING)
                    self._watch()
            except IndexInProgressError:
                self._set_state(WatchState.ELSEWHERE)
                patience = _TAKE_OVER_SECONDS
            except (WatchFailedError, EngineError, OSError) as error:
                self._set_state(WatchState.FAILED, str(error))
            self._stop.wait(patience)
        self._set_state(WatchState.OFF)

    def _watch(self) -> None:
        with (
            closing(TreeWatch(self._context.workspace, self._context.rules)) as tree,
            closing(WatcherHeartbeat(self._heartbeat_path)) as heartbeat,
        ):
            self._set_state(WatchState.WATCHING)
            with self._lock:
                self._tree, self._heartbeat = tree, heartbeat
            try:
                self._follow(tree, heartbeat)
            finally:
                self._set_state(WatchState.STARTING)  # nobody uses the tree after this

    def _follow(self, tree: TreeWatch, heartbeat: WatcherHeartbeat) -> None:
        if not self._is_settled():
            self._request_sync()
        while not self._stop.is_set():
            with self._lock:
                has_events = bool(self._pending)  # drained by a call
            if has_events or tree.wait(HEARTBEAT_SECONDS):
                self._debounce(tree)
            with self._lock:
                events, self._pending = self._pending, set()
                self._is_deciding = bool(events)
            if events:
                self._take(events, tree)
            with self._lock:
                heartbeat.beat()

    def _debounce(self, tree: TreeWatch) -> None:
        """Gather events until none came for a while."""
        while not self._stop.is_set():
            with self._lock:
                self._drain()
                if not self._pending:
                    return
                quiet_at = self._last_event_at + DEBOUNCE_QUIET_MS / 1000
                ends_at = min(quiet_at, self._first_event_at + DEBOUNCE_MAX_MS / 1000)
            left = ends_at - time.monotonic()
            if left <= 0:
                return
            tree.wait(left)

    def _take(self, events: set[FileEvent], tree: TreeWatch) -> None:
        """Find out whether events concern the index; nothing is vouched for meanwhile."""
        is_change = tree.concern_index(events)
        with self._lock:
            self._is_deciding = False
            self._moment += is_change
            self._write_heartbeat()
        if is_change:
            self._request_sync()

    def _drain(self) -> None:
        """Take the events up to now; the thread that watches looks at them soon. Needs the lock."""
        events = set[FileEvent]() if self._tree is None else self._tree.drain()
        if self._tree is None or not events:
            return
        self._last_event_at = time.monotonic()
        if not self._pending:
            self._first_event_at = self._last_event_at
        self._pending |= events
        self._write_heartbeat()
        self._tree.wake()

    def _knowledge(self) -> Knowledge:
        """What is known of the state that was vouched for last. Needs the lock."""
        if self._tree is None or self._vouched is None:
            return Knowledge.UNKNOWN
        # What git is still asked about counts as a change: a look at the files takes longer, and
        # nothing is called fresh meanwhile.
        if self._is_unsure or self._vouched[1] != self._moment:
            return Knowledge.CHANGED
        return Knowledge.FRESH if self._tree.can_drain else Knowledge.UNKNOWN

    @property
    def _is_unsure(self) -> bool:
        return self._is_deciding or bool(self._pending)

    def _write_heartbeat(self) -> None:
        """Tell other processes what is known. Needs the lock."""
        if self._heartbeat is not None:
            row = None if self._vouched is None else self._vouched[0]
            self._heartbeat.write(self._knowledge(), row)

    def _is_settled(self) -> bool:
        """Compare the tree with what is published, and vouch for it if it is the same."""
        moment = self._moment_if_sure()
        target = resolve_target(self._context.workspace, None)
        check = FullCheck(self._context, target)
        with open_store(self._context.location).snapshot() as snapshot:
            row = comparable_ref(self._context, target, snapshot)
            is_fresh = check.is_fresh(snapshot)
        if is_fresh and row is not None and moment is not None:
            self.vouch_for(row, moment)
        return is_fresh

    def _moment_if_sure(self) -> int | None:
        with self._lock:
            self._drain()
            return None if self._tree is None or self._is_unsure else self._moment

    def _set_state(self, state: WatchState, problem: str | None = None) -> None:
        with self._lock:
            self.state, self.problem = state, problem
            self._tree = self._heartbeat = None
            self._pending, self._is_deciding = set(), False
            self._vouched = None
            self._moment += 1
