"""A watcher of one working tree: it keeps the index fresh, and vouches for it when a call asks.

To vouch is to say: nothing has changed since the published state was compared with the files. A
call drains the kernel's queue first, so the watcher knows of every change made before the call, and
by the paths of these events a call compares a few files instead of all. That holds for what another
process published since, too: it has read nothing that was not touched. Where events cannot be
drained it never vouches. Each server watches by itself, because nobody can drain the queue of
another process. Only the one that holds the tree's lock requests syncs of what it sees.
"""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from enum import Enum, StrEnum
from operator import attrgetter
from typing import Final, NamedTuple

from cruxe.freshness.check import FullCheck, comparable_ref
from cruxe.freshness.file_events import FileEvent, WatchFailedError
from cruxe.freshness.tree_watch import TreeWatch
from cruxe.model.errors import EngineError, IndexInProgressError
from cruxe.model.stored import RefRow
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext, resolve_target

# Changes are debounced: indexed once none came for this long, and after the longer time anyway.
DEBOUNCE_QUIET_MS: Final = 100
DEBOUNCE_MAX_MS: Final = 200
# A call waits for the end of an edit of many files in the same way, but far shorter: publishing
# takes longer, and publishing half of an edit would make the next call wait twice.
_PAUSE_MS: Final = 3
_PAUSE_MAX_MS: Final = 20
# How soon a process takes over from one that stopped watching, and tries again after a failure.
_TAKE_OVER_SECONDS: Final = 5.0
_RETRY_SECONDS: Final = 60.0
# What two published states of one tree have in common.
_IDENTITY: Final = attrgetter("ref_id", "name", "root", "branch", "commit_id", "settings")
# With more touched paths, looking at the whole tree takes no longer.
_MOST_TOUCHED: Final = 256


class WatchState(StrEnum):
    """Whether a tree is watched."""

    OFF = "off"
    STARTING = "starting"
    WATCHING = "watching"
    ELSEWHERE = "elsewhere"  # watched here too, but another process indexes what it sees
    FAILED = "failed"


class Knowledge(Enum):
    """What is known of a published state without looking at files."""

    FRESH = "fresh"  # it was compared, and nothing has changed since
    CHANGED = "changed"  # something may have changed that is not indexed yet
    UNKNOWN = "unknown"


class Doubt(NamedTuple):
    """What may differ from a published state by the events up to now."""

    mark: int  # for `vouch_for`, after a look that begins now
    paths: frozenset[str] | None  # None: anything


class _Vouched(NamedTuple):
    """A published state that was compared with the files."""

    row: RefRow
    mark: int  # all that was touched up to here is in it
    seen: int  # it was the published state at some time after this mark
    base: int | None  # it was published at some time after this mark; None: not known

    def since(self, row: RefRow) -> int | None:
        """Return the mark after which all that may differ from a state was touched, or None.

        A state that replaced this one holds what its writers read after this one was published.
        """
        if row == self.row:
            return self.mark
        return self.base if self._is_before(row) else None

    def base_of(self, row: RefRow) -> int | None:
        """Return the base of a state that is vouched for instead."""
        if row == self.row:
            return self.base
        return self.seen if self._is_before(row) else None

    def _is_before(self, row: RefRow) -> bool:
        """Return whether a state of the same tree, commit and settings was published later."""
        is_same = _IDENTITY(row) == _IDENTITY(self.row)
        return is_same and row.indexed_at_ns > self.row.indexed_at_ns


class Watcher:
    """Watches in a thread of its own; any thread may ask what it knows."""

    def __init__(
        self, context: RepositoryContext, request_sync: Callable[[], None], *, is_wanted: bool
    ) -> None:
        """Watch nothing yet, and never unless it is wanted.

        `request_sync` is called when the index is behind; it returns soon.
        """
        self._context = context
        self._request_sync = request_sync
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()  # of all that follows
        self._tree: TreeWatch | None = None  # while it watches
        self._pending: set[FileEvent] = set()  # drained, not yet decided about
        self._first_event_at = self._last_event_at = 0.0  # of the pending ones
        self._mark = 0  # counts the batches of events
        # Files by the mark of their last event, those in what was vouched for last included.
        self._touched: dict[str, int] = {}
        self._lost_mark = 0  # of the last event with which other files may have changed
        self._is_undecided = False  # such an event is pending: other folders may be to watch
        self._vouched: _Vouched | None = None
        self.state = WatchState.STARTING if is_wanted else WatchState.OFF
        self.problem: str | None = None

    def start(self) -> None:
        """Begin to watch, unless that was done before or is not wanted."""
        with self._lock:
            if self._thread is None and self.state is not WatchState.OFF:
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
            self._drain()
            if self._tree is None or self._vouched is None or self._vouched.row != row:
                return Knowledge.UNKNOWN
            return Knowledge.CHANGED if self._is_doubtful else Knowledge.FRESH

    def doubt(self, row: RefRow | None) -> Doubt | None:
        """Return what may differ from a published state; None if events cannot be drained.

        To be called before a look at the files that `vouch_for` is to rest on.
        """
        with self._lock:
            self._drain()
            if self._tree is None or not self._tree.can_drain:
                return None
            since = None if row is None or self._vouched is None else self._vouched.since(row)
            if since is None or self._lost_mark > since or self._is_undecided:
                return Doubt(self._mark, None)
            return Doubt(self._mark, self._touched_after(since))

    def await_pause(self) -> None:
        """Wait for a short pause between events, a few milliseconds at most."""
        ends_at = time.monotonic() + _PAUSE_MAX_MS / 1000
        while time.monotonic() < ends_at:
            with self._lock:
                self._drain()
                quiet_ms = (time.monotonic() - self._last_event_at) * 1000
            if quiet_ms >= _PAUSE_MS:
                return
            time.sleep(_PAUSE_MS / 1000)

    def mark_of_change(self) -> int:
        """Return the mark of the last event that is known."""
        with self._lock:
            return self._mark

    def vouch_for(self, row: RefRow, mark: int, seen: int) -> None:
        """Vouch for a state that was compared with the files from a mark on.

        It was read from the store after the mark `seen`.
        """
        with self._lock:
            self._drain()
            if self._tree is None or not self._tree.can_drain:
                return
            if not self._is_undecided and self._lost_mark <= mark:
                base = None if self._vouched is None else self._vouched.base_of(row)
                self._vouched = _Vouched(row=row, mark=mark, seen=seen, base=base)
                self._keep_touched_after(mark if base is None else base)

    def take_published(self, mark: int) -> None:
        """Vouch for what a sync has published that was begun at a mark."""
        target = resolve_target(self._context.workspace, None)
        with open_store(self._context.location).snapshot() as snapshot:
            row = comparable_ref(self._context, target, snapshot)
        if row is not None:
            self.vouch_for(row, mark, seen=mark)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._watch()
            except (WatchFailedError, EngineError, OSError) as error:
                self._forget(WatchState.FAILED, str(error))
            self._stop.wait(_RETRY_SECONDS)
        self._forget(WatchState.OFF)

    def _watch(self) -> None:
        self._forget(WatchState.STARTING)
        with closing(TreeWatch(self._context.workspace, self._context.rules)) as tree:
            with self._lock:
                self._tree = tree
            try:
                with ExitStack() as duty:
                    self._follow(tree, duty)
            finally:
                self._forget(WatchState.STARTING)  # nobody uses the tree after this

    def _follow(self, tree: TreeWatch, duty: ExitStack) -> None:
        tried_at = 0.0
        while not self._stop.is_set():
            if self._should_take_over(tried_at):
                tried_at = time.monotonic()
                self._take_over(duty)
            with self._lock:
                has_events = bool(self._pending)  # drained by a call
            if has_events or tree.wait(_TAKE_OVER_SECONDS):
                self._debounce(tree)
            with self._lock:
                events, self._pending = self._pending, set()
            if events:
                self._decide(events, tree)

    def _should_take_over(self, tried_at: float) -> bool:
        is_due = not tried_at or time.monotonic() - tried_at >= _TAKE_OVER_SECONDS
        return is_due and self.state is not WatchState.WATCHING

    def _take_over(self, duty: ExitStack) -> None:
        """Take the tree's lock if nobody has it; index what is behind then."""
        try:
            lock = open_store(self._context.location).watcher_lock(self._context.workspace.root)
            duty.enter_context(lock)
        except IndexInProgressError:
            state = WatchState.ELSEWHERE
        else:
            state = WatchState.WATCHING
        with self._lock:
            self.state = state
        if not self._is_settled():
            self._request()

    def _request(self) -> None:
        if self.state is WatchState.WATCHING:
            self._request_sync()

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

    def _decide(self, events: set[FileEvent], tree: TreeWatch) -> None:
        """Find out whether events concern the index, and whether it is still behind."""
        is_change = tree.concern_index(events)
        touched = tree.touched_paths(events)
        with self._lock:
            self._is_undecided = tree.touched_paths(self._pending) is None
            if not is_change:
                later = tree.touched_paths(self._pending) or frozenset()
                for path in (touched or frozenset()) - later:
                    self._touched.pop(path, None)
            elif touched is None:
                self._lose()
            is_behind = is_change and self._is_doubtful
        if is_behind:
            self._request()

    def _drain(self) -> None:
        """Take the events up to now; the thread that watches decides about them. Needs the lock."""
        events = set[FileEvent]() if self._tree is None else self._tree.drain()
        if self._tree is None or not events:
            return
        self._last_event_at = time.monotonic()
        if not self._pending:
            self._first_event_at = self._last_event_at
        self._pending |= events
        self._mark += 1
        touched = self._tree.touched_paths(events)
        if touched is None:
            self._is_undecided = True
        else:
            self._take_touched(touched)
        self._tree.wake()

    def _take_touched(self, touched: frozenset[str]) -> None:
        """Remember touched files, or that they were too many. Needs the lock."""
        if len(self._touched) + len(touched) > _MOST_TOUCHED and self._vouched is not None:
            self._vouched = self._vouched._replace(base=None)
            self._keep_touched_after(self._vouched.mark)
        if len(self._touched) + len(touched) > _MOST_TOUCHED:
            self._lose()
        else:
            self._touched |= dict.fromkeys(touched, self._mark)

    def _keep_touched_after(self, mark: int) -> None:
        self._touched = {path: each for path, each in self._touched.items() if each > mark}

    def _touched_after(self, mark: int) -> frozenset[str]:
        return frozenset(path for path, each in self._touched.items() if each > mark)

    def _lose(self) -> None:
        """Vouch for nothing that was looked at before now. Needs the lock."""
        self._mark += 1
        self._lost_mark = self._mark
        self._touched.clear()

    @property
    def _has_lost(self) -> bool:
        """Whether anything may have changed since the state that was vouched for."""
        return self._vouched is None or self._lost_mark > self._vouched.mark

    @property
    def _is_doubtful(self) -> bool:
        if self._vouched is None or self._has_lost or self._is_undecided:
            return True
        return bool(self._touched_after(self._vouched.mark))

    def _is_settled(self) -> bool:
        """Compare the tree with what is published, and vouch for it if it is the same."""
        doubt = self.doubt(None)
        target = resolve_target(self._context.workspace, None)
        check = FullCheck(self._context, target)
        with open_store(self._context.location).snapshot() as snapshot:
            row = comparable_ref(self._context, target, snapshot)
            is_fresh = check.is_fresh(snapshot)
        if is_fresh and row is not None and doubt is not None:
            self.vouch_for(row, doubt.mark, seen=doubt.mark)
        return is_fresh

    def _forget(self, state: WatchState, problem: str | None = None) -> None:
        with self._lock:
            self.state, self.problem = state, problem
            self._tree = None
            self._pending, self._is_undecided = set(), False
            self._vouched = None
            self._lose()
