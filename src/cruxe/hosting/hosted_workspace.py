"""One workspace in a long-lived server: warm readers, and indexing that goes on beside the answers.

Its repository answers like any other. A stale index is brought up to date in the background where
the policy is `balanced`, and a workspace without an index is indexed while questions wait for it.
"""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, Self, TypeVar, cast

from cruxe.freshness.budgeted_check import TreeSweep
from cruxe.freshness.server_check import ServerCheck
from cruxe.freshness.watcher import Watcher
from cruxe.hosting.background_indexing import BackgroundJob, BackgroundSync
from cruxe.hosting.prewarm import Prewarm, warm_up
from cruxe.hosting.provisional import (
    ProvisionalQuestion,
    answer_provisionally,
    indexing_answer,
    not_indexed_error,
    running_answer,
)
from cruxe.hosting.warm_readers import WarmReaders, WarmRef
from cruxe.ingest.background_messages import SyncOrder
from cruxe.ingest.sync_options import VectorsState
from cruxe.model.deadlines import Deadline
from cruxe.model.errors import (
    EngineError,
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
from cruxe.workspace.context import RepositoryContext, resolve_target

if TYPE_CHECKING:
    from cruxe.contract.results import (
        IndexStatusResult,
        QuestionResult,
        ServerHealth,
        SyncRepoResult,
    )
    from cruxe.freshness.check import FreshnessCheck
    from cruxe.ingest.sync_options import Progress

_Request = TypeVar("_Request")
_Result = TypeVar("_Result", bound="QuestionResult")
# Of a call's time: for an index to appear, and for a scan after that.
_WAITING_SHARE: Final = 0.4
_SCANNING_SHARE: Final = 0.35
_WORTH_WAITING_FILES: Final = 1_500
_LOOK_SECONDS: Final = 0.05
# A sync that just ended, or failed, is not repeated by every question.
_REST_SECONDS: Final = 1.0
_REST_AFTER_FAILURE_SECONDS: Final = 10.0
# A question that comes with the first messages is there soon after its workspace is open.
_ARRIVING_SECONDS: Final = 0.02
_PASSING_SECONDS: Final = 2.0
# By then a watcher has had its change indexed, unless something is wrong with it.
_WATCHER_SECONDS: Final = 10.0
# How often a sync looks for new files where neither a watcher nor a glance can see them.
_LOOK_AROUND_SECONDS: Final = 30.0


class HostedWorkspace:
    """A workspace while a server has it open; any number of threads may ask."""

    def __init__(
        self, context: RepositoryContext, *, has_watcher: bool = True, has_prewarm: bool = False
    ) -> None:
        """Open nothing and start nothing yet."""
        self.context = context
        self.readers = WarmReaders(open_store(context.location))
        self.background = BackgroundSync()
        self.background.on_end = self._take_end
        self.watching = Watcher(context, self._follow)
        self.sweep = TreeSweep()
        self.repository = HostedRepository(self)
        self.prewarm = Prewarm(self._warm_up, is_wanted=has_prewarm)
        self.host_state: Callable[[HostedWorkspace], HostState] = _alone
        self._has_watcher = has_watcher
        self._changed = threading.Condition()
        self._calls = 0
        self._stale_since: float | None = None
        self._looked_around_at = time.monotonic()
        self._followed: tuple[BackgroundJob, int] | None = None  # with the moment it was begun

    def __enter__(self) -> Self:
        """Use it for one call; it stays open meanwhile."""
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
        """Whether a call or an indexing job is under way."""
        return self._calls > 0 or self.background.current is not None

    def as_project(self) -> HostedProject:
        """What tools may know of this workspace."""
        return HostedProject(
            context=self.context,
            prewarm=self.prewarm.state,
            prewarm_problem=self.prewarm.problem,
            watcher=self.watching.state.value,
            watcher_problem=self.watching.problem,
            is_indexing=self.background.current is not None,
            look_up=self.watching.look,
        )

    def order(
        self, ref: str | None, *, force: bool = False, retry_failed: bool = False
    ) -> SyncOrder:
        """An order to index a ref of this workspace."""
        return SyncOrder(
            self.context.workspace.root, ref, self.context.config_path, retry_failed, force
        )

    def tend(self, ref: str | None, check: ServerCheck) -> None:
        """Do what a question's policy asks for about what was found; FR-118."""
        if not check.is_stale:
            self._stale_since = None
            if check.is_blind and check.policy is FreshnessPolicy.BALANCED:
                self._look_around(ref)
        elif check.policy is FreshnessPolicy.BALANCED:
            now = time.monotonic()
            self._stale_since = self._stale_since or now
            is_followed = check.basis is FreshnessBasis.WATCHER
            # Whoever watches is at it already, here or in another process.
            if not is_followed or now - self._stale_since > _WATCHER_SECONDS:
                self.heal(ref)

    def _look_around(self, ref: str | None) -> None:
        """Have a sync find what no question can see, from time to time."""
        now = time.monotonic()
        if now - self._looked_around_at > _LOOK_AROUND_SECONDS:
            self._looked_around_at = now
            self.heal(ref)

    def watch(self) -> None:
        """Watch the working tree from now on, once there is an index to keep fresh."""
        if self._has_watcher:
            self.watching.start()

    def heal(self, ref: str | None) -> None:
        """Bring a ref up to date in the background, unless someone is at it already."""
        if self.background.current is not None or self._has_just_tried():
            return
        if open_store(self.context.location).is_being_written():
            return  # by another process; if it leaves this ref stale, the next question comes back
        self.background.request(self.order(ref))

    def make_vectors(self, ref: str | None) -> None:
        """Have the vectors that a ref lacks made, unless whoever makes them just failed to."""
        if not self._have_vectors_just_failed():
            self.heal(ref)

    def begin_indexing(self) -> BackgroundJob:
        """Index the working tree in the background; gives the job, which may run already."""
        return self.background.join(self.order(None, retry_failed=True))

    def close(self) -> None:
        """End what goes on beside the answers; a call under way still gets its answer."""
        self.prewarm.close()
        self.watching.close()
        self.background.close()
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
        """Have a change that was seen indexed."""
        moment = self.watching.moment_of_change()
        self._followed = self.background.request(self.order(None)), moment

    def _warm_up(self) -> None:
        warm_up(self.readers, self.context, self.let_calls_pass)
        self.watch()

    def let_calls_pass(self) -> None:
        """Wait until no call is under way, but not for ever: a server may never be quiet."""
        with self._changed:
            self._changed.wait_for(lambda: self._calls > 0, _ARRIVING_SECONDS)
            self._changed.wait_for(lambda: self._calls == 0, _PASSING_SECONDS)

    def _take_end(self, job: BackgroundJob) -> None:
        self.prewarm.start()  # of a store that was not there before
        if job.outcome is not None and job.outcome.vectors is VectorsState.MORE:
            # Behind whatever waits by now: an edit is indexed before the next slice.
            self.background.request(self.order(job.order.ref))
        followed = self._followed
        if followed is None or followed[0] is not job or job.error is not None:
            return
        with suppress(EngineError):  # a store that vanished vouches for nothing
            self.watching.take_published(followed[1])


class HostedRepository(Repository):
    """A repository whose readers stay open and whose index is tended."""

    def __init__(self, workspace: HostedWorkspace) -> None:
        """Belong to a served workspace."""
        super().__init__(workspace.context)
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
        """Bring a ref up to date in the background; what takes longer than the call goes on.

        A call that is cancelled stops the work, unless somebody else asked for it too.
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

    sync = sync_repo

    def close(self) -> None:
        """End what runs beside the calls."""
        self._workspace.close()

    def index_status(
        self, *, ref: str | None = None, languages: bool = False
    ) -> "IndexStatusResult":
        """What is indexed, how fresh it is, and how the last jobs went."""
        target = resolve_target(self.context.workspace, ref)
        check = ServerCheck(self.context, target, self._workspace.watching, self._workspace.sweep)
        return index_status(self.context, target, languages=languages, check=check)

    def health_check(self) -> "ServerHealth":
        """How the server is, from what is known already."""
        return server_health(self._workspace.host_state(self._workspace))

    def _ask(self, ref: str | None, tool: Tool[_Request, _Result], request: _Request) -> _Result:
        try:
            answer = super()._ask(ref, tool, request)
        except IndexNotReadyError:
            if not self.context.settings.index.auto:
                raise not_indexed_error(self.context) from None
        else:
            self._workspace.watch()
            if lacks_vectors(answer):
                self._workspace.make_vectors(ref)
            return answer
        target = resolve_target(self.context.workspace, self.ref_asked_for(ref))
        job = self._workspace.begin_indexing()
        if self._comes_soon(job):
            if job.error is not None:
                raise job.error
            self._workspace.watch()
            return super()._ask(ref, tool, request)
        deadline = Deadline(round(self._deadline_ms * _SCANNING_SHARE))
        found = answer_provisionally(
            ProvisionalQuestion(self.context, target, deadline), tool, request
        )
        if found is not None:
            return found
        # On the wire any question may be answered so, and a hosted repository serves the wire
        # alone; a plain `Repository` returns the tool's own result or raises.
        return cast("_Result", indexing_answer(self.context, target, job))

    def _comes_soon(self, job: BackgroundJob) -> bool:
        """Wait for an index that may be there in time; a large one is not waited for."""
        deadline = time.monotonic() + self._deadline_ms / 1000 * _WAITING_SHARE
        while time.monotonic() < deadline and job.files_total <= _WORTH_WAITING_FILES:
            if job.wait(_LOOK_SECONDS):
                return True
        return job.has_ended

    @contextmanager
    def _session(self, ref: str | None) -> Generator[RefSession]:
        """Open a ref for one question, by readers that were open before."""
        target = resolve_target(self.context.workspace, self.ref_asked_for(ref))
        readers = self._workspace.readers
        check = ServerCheck(self.context, target, self._workspace.watching, self._workspace.sweep)
        with readers.open() as snapshot:
            opened = WarmRef(readers, snapshot, published_ref(snapshot, target).ref_id)
            checked: list[FreshnessCheck] = []  # a sync begins once the question is answered
            try:
                yield RefSession(self.context, target, opened, check, checked.append)
            finally:
                if checked:
                    self._workspace.tend(ref, check)

    @property
    def _deadline_ms(self) -> int:
        return self.context.settings.server.call_deadline_ms


def _alone(workspace: HostedWorkspace) -> HostState:
    """The state of a workspace that no server holds."""
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
