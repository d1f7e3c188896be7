"""Bounded syncs of a working tree for calls that wait: a few files, a fraction of a second.

Runs in the process that answers: an edit costs about 25 ms there, and starting another process ten
times that. A call that waits no longer leaves the run to end by itself, for the next call. While
another process writes, a run looks again at whatever that publishes: often nothing is left to do.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import closing, suppress
from enum import StrEnum
from heapq import nlargest
from threading import Lock
from typing import Final, NamedTuple, Protocol

from cruxe.embed.models import embedding_model
from cruxe.freshness.check import FullCheck, comparable_ref
from cruxe.freshness.watcher import Doubt
from cruxe.ingest.processing import FileProcessor
from cruxe.ingest.processing_runs import processing_plan
from cruxe.ingest.sync_options import SlowVectors, SyncOptions, SyncOutcome
from cruxe.ingest.sync_ref import sync
from cruxe.model.errors import EngineError, IndexInProgressError
from cruxe.model.levels import NOTHING_LACKING, Lacking, lacking_paths
from cruxe.model.stored import RefRow
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext, resolve_target

# Of the languages that most files are in: another takes up to 0.3 s when it is first edited.
_LANGUAGES_LOADED: Final = 2
# Stamps taken right after a write are not trusted: such files are read each time until they are
# stamped anew.
_MOST_UNSTAMPED: Final = 50
# Between two looks at what the writer who holds the lock has published.
_LOCK_WAIT_MS: Final = 10
# How often a run that no call waits for tries to get the lock, each time for `catch_up_ms`.
_TRIES: Final = 20
_logger: Final = logging.getLogger(__name__)


class Shortfall(StrEnum):
    """Why a catch-up has not come to its end."""

    LATE = "late"  # it goes on
    BUSY = "busy"  # another process writes
    TOO_MUCH = "too_much"  # more has changed than a bounded sync processes
    FAILED = "failed"


class CaughtUp(NamedTuple):
    """How far a catch-up came within the wait of its caller."""

    # A published generation that holds everything that was changed before; None: none does yet.
    generation: int | None = None
    lacking: Lacking = NOTHING_LACKING
    shortfall: Shortfall | None = None

    @property
    def is_underway(self) -> bool:
        """Whether the change is being indexed, here or in another process."""
        return self.shortfall in (Shortfall.LATE, Shortfall.BUSY)


class Voucher(Protocol):
    """Knows what may have changed since a published state, and is told what was compared."""

    def await_pause(self) -> None:
        """Wait until an edit that is being made may be complete; never for long."""
        ...

    def doubt(self, row: RefRow | None) -> Doubt | None:
        """Return what may differ from a published state; None if that is not known."""
        ...

    def take_published(self, mark: int) -> None:
        """Vouch for what is published: it was compared with the files from a mark on."""
        ...


class CatchUp:
    """The catch-ups of one working tree, one at a time. Thread-safe."""

    def __init__(self, context: RepositoryContext, voucher: Voucher | None = None) -> None:
        """Take the tree; the first run starts a thread."""
        self._context = context
        self._voucher = voucher
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="cruxe-catch-up")
        self._lock = Lock()
        self._next: Future[CaughtUp] | None = None  # a run that has not begun yet
        self._is_beside_due = False  # a run that no call waits for has not begun yet
        self._lacking = NOTHING_LACKING  # found by the run that is under way

    def wait(self) -> CaughtUp:
        """Bring the tree as it is now up to date; return after `search.catch_up_ms` at the latest.

        A run that began before is waited for, but never taken for this one.
        """
        with self._lock:
            if self._next is None:
                self._next = Future()
                self._pool.submit(self._run, self._next)
            run = self._next
        try:
            return run.result(self._context.settings.search.catch_up_ms / 1000)
        except FutureTimeoutError:
            return CaughtUp(lacking=self._lacking, shortfall=Shortfall.LATE)

    def prepare(self) -> None:
        """Load beside the calls what the first run needs; that takes longer than a call waits."""
        self._pool.submit(self._load)

    def begin(self, on_left: Callable[[], None]) -> None:
        """Bring the tree up to date beside the calls; call `on_left` if that is too much for it.

        Does nothing if such a run has not begun yet.
        """
        with self._lock:
            if self._is_beside_due:
                return
            self._is_beside_due = True
        self._pool.submit(self._run_beside, on_left, _TRIES)

    def close(self) -> None:
        """Wait for the run that is under way."""
        self._pool.shutdown(cancel_futures=True)

    def _run_beside(self, on_left: Callable[[], None], tries: int) -> None:
        with self._lock:
            self._is_beside_due = False
        caught = self._run(Future())
        if caught.shortfall is Shortfall.BUSY and tries > 1:
            with suppress(RuntimeError):  # closed meanwhile
                self._pool.submit(self._run_beside, on_left, tries - 1)  # after waiting calls
        elif caught.generation is None:
            on_left()

    def _load(self) -> None:
        from cruxe.parse.grammars import load_toolchain
        from cruxe.parse.languages import registry

        target = resolve_target(self._context.workspace, None)
        with open_store(self._context.location).snapshot() as snapshot:
            row = snapshot.find_ref(target.ref.name)
            counts = {} if row is None else snapshot.language_counts(row.ref_id)
        model = embedding_model(self._context.settings.semantic)
        with closing(FileProcessor(processing_plan(self._context, b"", model))) as processor:
            processor.warm_up()
        parsed = [each for each in registry().languages if each.grammar and each.name in counts]
        for language in nlargest(_LANGUAGES_LOADED, parsed, key=lambda each: counts[each.name]):
            load_toolchain(language)

    def _run(self, run: Future[CaughtUp]) -> CaughtUp:
        """Run and set the result, as early as it is known: a writer takes long to be closed."""
        with self._lock:
            self._lacking = NOTHING_LACKING
            self._next = None if self._next is run else self._next
        try:
            caught = self._bring_up_to_date(run)
        except IndexInProgressError:
            caught = CaughtUp(lacking=self._lacking, shortfall=Shortfall.BUSY)
        except EngineError as error:  # the disk is full, say
            _logger.info("catching up failed: %s", error.code)
            caught = CaughtUp(lacking=self._lacking, shortfall=Shortfall.FAILED)
        except BaseException as error:
            _settle(run, error)
            raise
        _settle(run, caught)
        return caught

    def _bring_up_to_date(self, run: Future[CaughtUp]) -> CaughtUp:
        """Compare and publish; begin again if another process has published meanwhile."""
        ends_at = time.monotonic() + self._context.settings.search.catch_up_ms / 1000
        if self._voucher is not None:
            self._voucher.await_pause()
        while True:
            looked = self._look()
            if looked.is_settled:
                return self._caught_up(looked, looked.generation)
            self._lacking = looked.check.verdict.lacking
            outcome = self._publish(looked, ends_at, run)
            if outcome is None or outcome.is_overtaken:
                continue
            if outcome.left_paths is not None:
                return CaughtUp(None, lacking_paths(outcome.left_paths), Shortfall.TOO_MUCH)
            return run.result() if run.done() else self._caught_up(looked, outcome.generation)

    def _look(self) -> "_Looked":
        """Compare the tree with what is published now."""
        target = resolve_target(self._context.workspace, None)
        check = FullCheck(self._context, target)
        with open_store(self._context.location).snapshot() as snapshot:
            row = comparable_ref(self._context, target, snapshot)
            doubt = None if self._voucher is None else self._voucher.doubt(row)
            if doubt is None or doubt.paths is None:
                is_fresh = check.is_fresh(snapshot)
            else:
                is_fresh = check.is_fresh_at(snapshot, doubt.paths)
            is_settled = is_fresh and len(check.same_paths) <= _MOST_UNSTAMPED
            return _Looked(
                check=check,
                generation=snapshot.generation,
                doubt=doubt,
                is_settled=is_settled,
            )

    def _publish(
        self, looked: "_Looked", ends_at: float, run: Future[CaughtUp]
    ) -> SyncOutcome | None:
        """Publish what was found; None if another process has published first."""

        def answer(generation: int) -> None:
            _settle(run, self._caught_up(looked, generation))

        search = self._context.settings.search
        options = SyncOptions(
            wait_ms=_LOCK_WAIT_MS,
            slow_vectors=SlowVectors.FEW,
            most_files=search.catch_up_files,
            generation=looked.generation,
            on_published=answer,
        )
        while True:
            try:
                return sync(self._context, looked.check.target, options, looked.check)
            except IndexInProgressError:
                if time.monotonic() > ends_at:
                    raise
            with open_store(self._context.location).snapshot() as snapshot:
                if snapshot.generation != looked.generation:
                    return None

    def _caught_up(self, looked: "_Looked", generation: int) -> CaughtUp:
        if looked.doubt is not None and self._voucher is not None:
            self._voucher.take_published(looked.doubt.mark)
        return CaughtUp(generation)


def _settle(run: Future[CaughtUp], result: CaughtUp | BaseException) -> None:
    """Set the result of a run, unless it has one."""
    if run.done():
        return
    if isinstance(result, BaseException):
        run.set_exception(result)
    else:
        run.set_result(result)


class _Looked(NamedTuple):
    """A comparison of the tree with a published generation."""

    check: FullCheck
    generation: int
    doubt: Doubt | None
    is_settled: bool  # there is nothing to publish
