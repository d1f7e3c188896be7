"""One workspace in a long-lived server: warm readers and background indexing.

Its repository has the same interface as any other. Under the `balanced` policy a stale index is
synced in the background. A workspace without an index is indexed while its first questions wait.
"""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, Self, TypeVar, cast

from cruxe.freshness.budgeted_check import TreeSweep
from cruxe.freshness.check import FreshnessCheck
from cruxe.freshness.server_check import ServerCheck
from cruxe.freshness.watcher import Watcher
from cruxe.hosting.background_indexing import BackgroundJob, BackgroundSync
from cruxe.hosting.prewarm import Prewarm, warm_up
from cruxe.hosting.provisional import (
    SCAN_SHARE,
    ProvisionalQuestion,
    answer_provisionally,
    indexing_answer,
    not_indexed_error,
    running_answer,
    wait_for_first_index,
)
from cruxe.hosting.scrub import Scrub
from cruxe.hosting.warm_readers import WarmReaders, WarmRef
from cruxe.ingest.background_messages import SyncOrder
from cruxe.ingest.catch_up import CatchUp
from cruxe.ingest.sync_options import VectorsState
from cruxe.model.deadlines import Deadline
from cruxe.model.errors import (
    EngineError,
    IndexDamagedError,
    IndexInProgressError,
    IndexNotReadyError,
    SyncInProgressError,
)
from cruxe.model.levels import FreshnessBasis, FreshnessPolicy
from cruxe.repository import Repository, Tool
from cruxe.respond.metadata import lacks_vectors
from cruxe.store.open import open_store
from cruxe.tools.host_state import HostedProject, HostState
from cruxe.tools.index_status import index_status
from cruxe.tools.ref_session import RefSession, published_ref
from cruxe.tools.server_health import server_health
from cruxe.tools.sync_repo import synced_answer
from cruxe.workspace.context import RepositoryContext, Target, resolve_target

if TYPE_CHECKING:
    from cruxe.contract.results import (
        IndexStatusResult,
        QuestionResult,
        ServerHealth,
        SyncRepoResult,
    )
    from cruxe.ingest.sync_options import Progress

_Request = TypeVar("_Request")
_Result = TypeVar("_Result", bound="QuestionResult")
# Pause after a sync, so that not every question starts another one.
_REST_SECONDS: Final = 1.0
_REST_AFTER_FAILURE_SECONDS: Final = 10.0
# How long prewarming waits for a first question to arrive, and then for calls to end.
_ARRIVING_SECONDS: Final = 0.02
_PASSING_SECONDS: Final = 2.0
# A watcher has its change indexed within this time, unless it is broken.
_WATCHER_SECONDS: Final = 10.0
# Interval of syncs that look for new files when neither a watcher nor a check can see them.
_LOOK_AROUND_SECONDS: Final = 30.0


class HostedWorkspace:
    """A workspace that a server has open. Thread-safe."""

    def __init__(
        self,
        context: RepositoryContext,
        *,
        has_watcher: bool = True,
        has_prewarm: bool = False,
        may_begin_index: bool = False,
    ) -> None:
        """Create the parts; no store is opened and no thread is started.

        With `may_begin_index`, prewarming begins the first index if there is none.
        """
        self.context = context
        self._may_begin_index = may_begin_index and context.settings.index.auto
        self.readers = WarmReaders(open_store(context.location))
        self.background = BackgroundSync()
        self.background.on_end = self._take_end
        self.watching = Watcher(context, self._follow, is_wanted=has_watcher)
        self.sweep = TreeSweep()
        self.catch_up = CatchUp(context, self.watching)
        self.repository = HostedRepository(self)
        self.prewarm = Prewarm(self._warm_up, is_wanted=has_prewarm)
        self.scrub = Scrub(open_store(context.location), self.let_calls_pass, self._repair)
        self.host_state: Callable[[HostedWorkspace], HostState] = _alone
        self._changed = threading.Condition()
        self._calls = 0
        self._stale_since: float | None = None
        self._looked_around_at = time.monotonic()
        self._followed: tuple[BackgroundJob, int] | None = None  # with the mark of the change

    def __enter__(self) -> Self:
        """Count a call; the workspace is not closed until the call has ended."""
        with self._changed:
            self._calls += 1
            self._changed.notify_all()
        return self

    def __exit__(self, *_: object) -> None:
        """End the call."""
        with self._changed:
            self._calls -= 1
            self._changed.notify_all()

    @property
    def is_busy(self) -> bool:
        """Return whether a call or an indexing job is running."""
        return self._calls > 0 or self.background.current is not None

    def as_project(self) -> HostedProject:
        """Return the state of this workspace that tools may report."""
        return HostedProject(
            context=self.context,
            prewarm=self.prewarm.state,
            prewarm_problem=self.prewarm.problem,
            watcher=self.watching.state.value,
            watcher_problem=self.watching.problem,
            is_indexing=self.background.current is not None,
            look_up=self.watching.look,
            check=self.check,
            is_verified=self.scrub.has_passed,
        )

    def check(self, target: Target, *, has_catch_up: bool = False) -> ServerCheck:
        """Return a freshness check of a ref for one call; to be made before the ref is opened."""
        return ServerCheck(
            self.context, target, self.watching, self.sweep, has_catch_up=has_catch_up
        )

    def order(
        self, ref: str | None, *, force: bool = False, retry_failed: bool = False
    ) -> SyncOrder:
        """Return an order to index a ref of this workspace."""
        return SyncOrder(
            root=self.context.workspace.root,
            ref=ref,
            config_path=self.context.config_path,
            retry_failed=retry_failed,
            force=force,
        )

    def tend(self, ref: str | None, checked: FreshnessCheck, policy: FreshnessPolicy) -> None:
        """Start a sync if a freshness check found the ref stale and the policy wants it; FR-118."""
        verdict = checked.verdict
        if verdict.is_fresh:
            self._stale_since = None
        elif policy is not FreshnessPolicy.BALANCED:
            return
        elif not verdict.is_change_known:
            self._look_around(ref)
        else:
            now = time.monotonic()
            self._stale_since = self._stale_since or now
            # The watcher, here or in another process, has already requested a sync.
            is_followed = verdict.is_underway or verdict.basis is FreshnessBasis.WATCHER
            if is_followed and now - self._stale_since <= _WATCHER_SECONDS:
                return
            if checked.target.is_worktree:
                self.catch_up.begin(lambda: self.heal(ref))
            else:
                self.heal(ref)

    def _look_around(self, ref: str | None) -> None:
        """Sync at intervals, to find what a freshness check had no time for or cannot see."""
        now = time.monotonic()
        if now - self._looked_around_at > _LOOK_AROUND_SECONDS:
            self._looked_around_at = now
            self.heal(ref)

    def watch(self) -> None:
        """Start the scrub, and the watcher if it is wanted. Called once an index exists."""
        self.watching.start()
        self.scrub.start()

    def heal(self, ref: str | None) -> None:
        """Sync a ref in the background, unless a sync is running or has just ended."""
        if self.background.current is not None or self._has_just_tried():
            return
        if open_store(self.context.location).is_being_written():
            return  # another process writes; if this ref stays stale, the next question retries
        self.background.request(self.order(ref))

    def _repair(self) -> None:
        self.background.request(self.order(None))

    def make_vectors(self, ref: str | None) -> None:
        """Make a ref's missing vectors in the background, unless the model has just failed."""
        if not self._have_vectors_just_failed():
            self.heal(ref)

    def begin_indexing(self) -> BackgroundJob:
        """Index the working tree in the background; return the job, which may be running."""
        return self.background.join(self.order(None, retry_failed=True))

    def close(self) -> None:
        """End the background work. A call that is running still gets its answer."""
        self.prewarm.close()
        self.scrub.close()
        self.watching.close()
        self.background.close()
        self.catch_up.close()
        self.readers.close()

    def _has_just_tried(self) -> bool:
        last = self.background.last
        if last is None:
            return False
        rest = _REST_SECONDS if last.error is None else _REST_AFTER_FAILURE_SECONDS
        return time.monotonic() < last.ended_at + rest

    def _have_vectors_just_failed(self) -> bool:
        last = self.background.last
        if last is None or last.outcome is None:
            return False
        has_failed = last.outcome.vectors is VectorsState.FAILED
        return has_failed and time.monotonic() < last.ended_at + _REST_AFTER_FAILURE_SECONDS

    def _follow(self) -> None:
        """Sync what the watcher saw: a few files here, more in the background."""
        self.catch_up.begin(self._follow_in_background)

    def _follow_in_background(self) -> None:
        mark = self.watching.mark_of_change()
        self._followed = self.background.request(self.order(None)), mark

    def _warm_up(self) -> None:
        try:
            warm_up(self.readers, self.context, self.let_calls_pass)
        except IndexNotReadyError:
            if self._may_begin_index:
                self._may_begin_index = False  # once: what failed is retried by a question
                self.begin_indexing()
            raise
        self.watch()
        self.let_calls_pass()
        self.catch_up.prepare()

    def let_calls_pass(self) -> None:
        """Wait until no call is running, with a limit: a server may never be idle."""
        with self._changed:
            self._changed.wait_for(lambda: self._calls > 0, _ARRIVING_SECONDS)
            self._changed.wait_for(lambda: self._calls == 0, _PASSING_SECONDS)

    def _take_end(self, job: BackgroundJob) -> None:
        self.prewarm.start()  # the store may be new
        if job.outcome is not None and job.outcome.vectors is VectorsState.MORE:
            # Queued last, so that an edit is indexed before the next slice.
            self.background.request(self.order(job.order.ref))
        followed = self._followed
        if followed is None or followed[0] is not job or job.error is not None:
            return
        with suppress(EngineError):  # the store may have been deleted
            self.watching.take_published(followed[1])


class HostedRepository(Repository):
    """A repository whose readers stay open and whose index is kept up to date."""

    def __init__(self, workspace: HostedWorkspace) -> None:
        """Take the workspace that it belongs to."""
        super().__init__(workspace.context, reads_writes=True)
        self._workspace = workspace

    def sync_repo(
        self,
        *,
        ref: str | None = None,
        force: bool = False,
        retry_failed: bool = False,
        progress: "Progress | None" = None,
        wait_ms: int | None = None,
    ) -> "SyncRepoResult":
        """Sync a ref in the background. The job continues if it takes longer than the call.

        Cancelling the call stops the job, unless another caller requested it too.
        """
        target = resolve_target(self.context.workspace, ref)
        order = self._workspace.order(ref, force=force, retry_failed=retry_failed)
        patience_ms = self._deadline_ms if wait_ms is None else wait_ms
        with self._workspace.background.requested(order) as job:
            has_ended = job.wait(patience_ms / 1000, progress)
        if not has_ended:
            under_way = self._workspace.background.current or job
            if under_way.is_waiting:
                raise _busy(is_index=retry_failed)
            return running_answer(self.context, target, under_way)
        if job.error is not None:
            raise job.error
        assert job.outcome is not None
        return synced_answer(target, job.outcome)

    def close(self) -> None:
        """End the background work."""
        self._workspace.close()

    def _catching_up(self) -> CatchUp:
        return self._workspace.catch_up

    def index_status(
        self, *, ref: str | None = None, languages: bool = False
    ) -> "IndexStatusResult":
        """Return what is indexed, how fresh it is, and how the last jobs ended."""
        target = resolve_target(self.context.workspace, ref)
        check = self._workspace.check(target)
        return index_status(self.context, target, languages=languages, check=check)

    def health_check(self) -> "ServerHealth":
        """Return the health of the server; of the checks only that of an answer is made."""
        return server_health(self._workspace.host_state(self._workspace))

    def _ask(
        self,
        ref: str | None,
        tool: Tool[_Request, _Result],
        request: _Request,
        policy: FreshnessPolicy | None = None,
    ) -> _Result:
        try:
            answer = super()._ask(ref, tool, request, policy)
        except IndexNotReadyError:
            if not self.context.settings.index.auto:
                raise not_indexed_error(self.context) from None
        except IndexDamagedError:
            return self._ask_repaired(ref, tool, request, policy)
        else:
            self._workspace.watch()
            if lacks_vectors(answer):
                self._workspace.make_vectors(ref)
            return answer
        target = self.context.target_of(ref)
        job = self._workspace.begin_indexing()
        if wait_for_first_index(job, self._deadline_ms):
            if job.error is not None:
                raise job.error
            self._workspace.watch()
            return super()._ask(ref, tool, request, policy)
        deadline = Deadline(round(self._deadline_ms * SCAN_SHARE))
        found = answer_provisionally(
            ProvisionalQuestion(self.context, target, deadline), tool, request
        )
        if found is not None:
            return found
        # On the wire every question may have this answer, and a hosted repository serves only the
        # wire. A plain `Repository` returns the tool's own result or raises.
        return cast("_Result", indexing_answer(self.context, target, job))

    def _ask_repaired(
        self,
        ref: str | None,
        tool: Tool[_Request, _Result],
        request: _Request,
        policy: FreshnessPolicy | None,
    ) -> _Result:
        """Have what is damaged repaired, and ask again if that ends within the deadline."""
        job = self._workspace.background.join(self._workspace.order(ref))
        wait_for_first_index(job, self._deadline_ms)
        return super()._ask(ref, tool, request, policy)

    @contextmanager
    def _opened(
        self, ref: str | None, policy: FreshnessPolicy | None = None
    ) -> Generator[RefSession]:
        """Open a ref for one question, through the warm readers."""
        target = self.context.target_of(ref)
        readers = self._workspace.readers
        check = self._workspace.check(target, has_catch_up=self._may_wait(policy))
        with readers.open() as snapshot:
            row = published_ref(snapshot, target, self.context)
            opened = WarmRef(readers, snapshot, row.ref_id)
            checked: list[FreshnessCheck] = []  # the sync starts after the question is answered
            try:
                yield RefSession(
                    context=self.context,
                    target=target,
                    opened=opened,
                    freshness=check,
                    request_sync=checked.append,
                )
            finally:
                if checked:
                    asked = policy or self.context.settings.search.freshness_policy
                    self._workspace.tend(ref, checked[-1], asked)

    @property
    def _deadline_ms(self) -> int:
        return self.context.settings.server.call_deadline_ms


def _alone(workspace: HostedWorkspace) -> HostState:
    """Return the state of a workspace without a server."""
    project = workspace.as_project()
    return HostState(
        uptime_seconds=0.0,
        capacity=1,
        is_discovering=False,
        members=[workspace.context.workspace.root],
        asked=project,
        reported=[project],
    )


def _busy(*, is_index: bool) -> IndexInProgressError | SyncInProgressError:
    message = "another process is writing this repository's index"
    return IndexInProgressError(message) if is_index else SyncInProgressError(message)
