"""Bounded syncs of a working tree for calls that wait: a few files, a fraction of a second.

Runs in the process that answers: an edit costs about 25 ms there, and starting another process ten
times that. A call that waits no longer leaves the run to end by itself, for the next call.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import closing
from heapq import nlargest
from threading import Lock
from typing import Final, NamedTuple, Protocol

from cruxe.embed.models import embedding_model
from cruxe.freshness.check import FullCheck, comparable_ref
from cruxe.freshness.watcher import Doubt
from cruxe.ingest.processing import FileProcessor
from cruxe.ingest.processing_runs import processing_plan
from cruxe.ingest.sync_options import SlowVectors, SyncOptions
from cruxe.ingest.sync_ref import sync
from cruxe.model.errors import EngineError
from cruxe.model.levels import NOTHING_LACKING, Lacking, lacking_paths
from cruxe.model.stored import RefRow
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext, resolve_target

# Of the languages that most files are in: another takes up to 0.3 s when it is first edited.
_LANGUAGES_LOADED: Final = 2


_MOST_UNSTAMPED: Final = 50
_logger: Final = logging.getLogger(__name__)


class CaughtUp(NamedTuple):
    """How far a catch-up came within the wait of its caller."""

    # A published generation that holds everything that was changed before; None: none does yet.
    generation: int | None = None
    lacking: Lacking = NOTHING_LACKING


class Voucher(Protocol):
    """Knows what may have changed since a published state, and is told what was compared."""

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
        self._lacking = NOTHING_LACKING  # found by the run that is under way

    def wait(self) -> CaughtUp:
        """Bring the tree as it is now up to date; return after `search.catch_up_ms` at the latest.

        A run that began before is waited for, but never taken for this one.
        """
        with self._lock:
            run = self._next = self._next or self._pool.submit(self._run)
        try:
            return run.result(self._context.settings.search.catch_up_ms / 1000)
        except FutureTimeoutError:
            return CaughtUp(lacking=self._lacking)

    def prepare(self) -> None:
        """Load beside the calls what the first run needs; that takes longer than a call waits."""
        self._pool.submit(self._load)

    def begin(self, on_left: Callable[[], None]) -> None:
        """Bring the tree up to date beside the calls; call `on_left` if that is too much for it."""

        def run() -> None:
            if self._run().generation is None:
                on_left()

        self._pool.submit(run)

    def close(self) -> None:
        """Wait for the run that is under way."""
        self._pool.shutdown(cancel_futures=True)

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

    def _run(self) -> CaughtUp:
        with self._lock:
            self._next, self._lacking = None, NOTHING_LACKING
        try:
            return self._bring_up_to_date()
        except EngineError as error:  # another process writes, or the disk is full
            _logger.info("catching up failed: %s", error.code)
            return CaughtUp(lacking=self._lacking)

    def _bring_up_to_date(self) -> CaughtUp:
        search = self._context.settings.search
        target = resolve_target(self._context.workspace, None)
        check = FullCheck(self._context, target)
        with open_store(self._context.location).snapshot() as snapshot:
            row = comparable_ref(self._context, target, snapshot)
            doubt = None if self._voucher is None else self._voucher.doubt(row)
            if doubt is None or doubt.paths is None:
                is_fresh = check.is_fresh(snapshot)
            else:
                is_fresh = check.is_fresh_at(snapshot, doubt.paths)
            generation = snapshot.generation
        # Stamps taken right after a write are not trusted: such files are read each time until
        # they are stamped anew.
        if not is_fresh or len(check.same_paths) > _MOST_UNSTAMPED:
            self._lacking = check.verdict.lacking
            options = SyncOptions(
                wait_ms=search.catch_up_ms,
                slow_vectors=SlowVectors.FEW,
                most_files=search.catch_up_files,
            )
            outcome = sync(self._context, target, options, check)
            if outcome.left_paths is not None:
                return CaughtUp(lacking=lacking_paths(outcome.left_paths))
            generation = outcome.generation
        if doubt is not None and self._voucher is not None:
            self._voucher.take_published(doubt.mark)
        return CaughtUp(generation)
