"""Warm a store up before the first question: read pages, load modules, run queries.

Runs in its own thread. A failure is kept for `health_check` and does not affect answers, except
that the first one is slower.
"""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

from cruxe.freshness.server_check import AssumedFresh
from cruxe.hosting.warm_readers import WarmReaders, WarmRef
from cruxe.model.errors import EngineError, IndexNotReadyError
from cruxe.model.levels import FreshnessPolicy
from cruxe.repository import Repository
from cruxe.tools.host_state import PrewarmState
from cruxe.tools.ref_session import RefSession, published_ref
from cruxe.workspace.context import RepositoryContext, resolve_target

_QUERY: Final = "where is the main entry point"
_NAME: Final = "main"
_ENDING_SECONDS: Final = 2.0
# At most this much is read ahead, since memory may be short.
_TOUCHED_BYTES: Final = 512_000_000


class Prewarm:
    """Runs its work until it succeeds once, in its own thread. Any thread may read the state."""

    def __init__(self, work: Callable[[], None], *, is_wanted: bool) -> None:
        """Take the work; `start` begins it."""
        self._work = work
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.state = PrewarmState.PENDING if is_wanted else PrewarmState.SKIPPED
        self.problem: str | None = None
        self.duration_ms: int | None = None

    def start(self) -> None:
        """Start the thread, unless it has succeeded, is running, or prewarming is off."""
        with self._lock:
            if self.state in (PrewarmState.PENDING, PrewarmState.FAILED):
                self.state, self.problem = PrewarmState.WARMING, None
                self._thread = threading.Thread(target=self._run, name="cruxe-warm", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Wait briefly for the thread to end. No work is lost if it does not."""
        thread = self._thread
        if thread is not None:
            thread.join(_ENDING_SECONDS)

    def _run(self) -> None:
        started = time.monotonic()
        try:
            self._work()
        except IndexNotReadyError:
            self.state = PrewarmState.PENDING  # no index to warm up yet
        except EngineError as error:
            self._fail(error.message)
        except Exception as error:
            import logging

            logging.getLogger(__name__).exception("prewarming failed")
            self._fail(f"unexpected {type(error).__name__}")
        else:
            self.duration_ms = round((time.monotonic() - started) * 1000)
            self.state = PrewarmState.COMPLETE

    def _fail(self, problem: str) -> None:
        self.problem = problem
        self.state = PrewarmState.FAILED


def warm_up(
    readers: WarmReaders, context: RepositoryContext, stand_aside: Callable[[], None]
) -> None:
    """Check the store and load what questions need; raise if it is damaged or missing.

    Each step first waits until no call is running: under the GIL a question would otherwise wait
    for work that it does itself anyway.
    """
    # No freshness check: these answers are discarded.
    repository = _Unchecked(context, readers)
    stand_aside()
    _open_store(readers)
    stand_aside()
    repository.search_code(_QUERY)
    stand_aside()
    repository.locate_symbol(_NAME)


def _open_store(readers: WarmReaders) -> None:
    with readers.open() as snapshot:
        snapshot.check_files()
        snapshot.read_ahead(_TOUCHED_BYTES)
        readers.lexical(snapshot)


class _Unchecked(Repository):
    """A repository that answers from warm readers without a freshness check."""

    def __init__(self, context: RepositoryContext, readers: WarmReaders) -> None:
        """Take the open readers."""
        super().__init__(context)
        self._readers = readers

    @contextmanager
    def _opened(
        self, ref: str | None, policy: FreshnessPolicy | None = None
    ) -> Generator[RefSession]:
        del policy
        target = resolve_target(self.context.workspace, ref)
        with self._readers.open() as snapshot:
            row = published_ref(snapshot, target, self.context)
            opened = WarmRef(self._readers, snapshot, row.ref_id)
            yield RefSession(
                context=self.context, target=target, opened=opened, freshness=AssumedFresh(target)
            )
