"""A watcher that keeps one working tree's index fresh and can vouch for it.

Whoever holds the tree's lock watches and tells the others, and one takes over when it ends.
To vouch is to say: since the published state was compared with the files, nothing changed. Changes
are heard of some tens of milliseconds late, so an answer's own files are looked at all the same.
"""

import threading
from collections.abc import Callable
from contextlib import closing
from enum import StrEnum
from typing import Final

from cruxe.freshness.check import FullCheck, comparable_ref
from cruxe.freshness.file_events import Change, TreeWatch, WatchFailedError
from cruxe.freshness.watcher_heartbeat import (
    BEAT_SECONDS,
    Knowledge,
    WatchStateFile,
    read_watch_state,
)
from cruxe.model.errors import EngineError, IndexInProgressError
from cruxe.model.refs import RefRow
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.targets import resolve_target

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


class Watching:
    """Watches in a thread of its own; any thread may ask whether it vouches."""

    def __init__(self, context: RepositoryContext, heal: Callable[[], None]) -> None:
        """Watch nothing yet; `heal` is called, without delay, when the index is behind."""
        self._context = context
        self._heal = heal
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._moment = 0  # counts changes
        self._is_unsure = False  # something was heard of, not yet whether it matters
        self._vouched: tuple[RefRow, int] | None = None  # a state, and the moment it was true
        self._state_path = open_store(context.location).heartbeat_path(context.workspace.root)
        self._told: WatchStateFile | None = None
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
        if thread is not None:
            thread.join()

    def moment(self) -> int | None:
        """A mark to remember before a comparison; nothing where nobody watches."""
        with self._lock:
            is_sure = self.state is WatchState.WATCHING and not self._is_unsure
            return self._moment if is_sure else None

    def moment_of_change(self) -> int:
        """The moment of the last change, while it is being dealt with."""
        with self._lock:
            return self._moment

    def look(self, row: RefRow) -> Knowledge:
        """What is known of a published state without looking at files."""
        with self._lock:
            if self.state is WatchState.ELSEWHERE:
                return read_watch_state(self._state_path, row)
            if self.state is not WatchState.WATCHING or not self._vouched:
                return Knowledge.UNKNOWN
            # What git is still asked about counts as changed: to compare all files takes longer
            # than git does, and nothing is called fresh meanwhile.
            if self._is_unsure or self._vouched[1] != self._moment:
                return Knowledge.CHANGED
            return Knowledge.FRESH if self._vouched[0] == row else Knowledge.UNKNOWN

    def vouch_for(self, row: RefRow, since: int) -> None:
        """Take a comparison that was begun at a moment and found nothing changed."""
        with self._lock:
            if since == self._moment and self._told is not None:
                self._vouched = (row, since)
                self._told.tell(Knowledge.FRESH, row)

    def take_published(self, since: int) -> None:
        """Take a sync that was begun at a moment: what it published is what there was."""
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
            closing(WatchStateFile(self._state_path)) as told,
        ):
            self._told = told
            try:
                self._set_state(WatchState.WATCHING)
                self._follow(tree, told)
            finally:
                self._set_state(WatchState.STARTING)

    def _follow(self, tree: TreeWatch, told: WatchStateFile) -> None:
        if not self._is_settled():
            self._heal()
        while not self._stop.is_set():
            changes = tree.wait(self._stop, BEAT_SECONDS)
            if changes:
                self._take(changes, tree)
            with self._lock:
                told.beat()

    def _take(self, changes: set[Change], tree: TreeWatch) -> None:
        """Deal with changes; until it is known whether they matter, nothing is vouched for."""
        with self._lock:
            known = Knowledge.UNKNOWN if self._vouched is None else Knowledge.CHANGED
        self._tell(known, is_unsure=True)
        if tree.matter(changes):
            with self._lock:
                self._moment += 1
            self._tell(Knowledge.CHANGED, is_unsure=False)
            self._heal()
        else:
            self._tell(None, is_unsure=False)

    def _tell(self, knowledge: Knowledge | None, *, is_unsure: bool) -> None:
        """Tell other processes; nothing new means what was told before."""
        with self._lock:
            self._is_unsure = is_unsure
            vouched = self._vouched
            if self._told is None:
                return
            if knowledge is not None:
                self._told.tell(knowledge)
            elif vouched is not None and vouched[1] == self._moment:
                self._told.tell(Knowledge.FRESH, vouched[0])
            elif vouched is not None:
                self._told.tell(Knowledge.CHANGED)

    def _is_settled(self) -> bool:
        """Compare the tree with what is published; true where there is nothing to heal."""
        moment = self.moment()
        target = resolve_target(self._context.workspace, None)
        check = FullCheck(self._context, target)
        with open_store(self._context.location).snapshot() as snapshot:
            row = comparable_ref(self._context, target, snapshot)
            is_fresh = check.is_fresh(snapshot)
        if is_fresh and row is not None and moment is not None:
            self.vouch_for(row, moment)
        return is_fresh

    def _set_state(self, state: WatchState, problem: str | None = None) -> None:
        with self._lock:
            self.state, self.problem = state, problem
            self._vouched = None
            self._moment += 1
            if state is not WatchState.WATCHING:
                self._told = None
