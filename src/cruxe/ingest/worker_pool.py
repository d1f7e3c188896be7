"""A pool of worker processes: a file that hangs or crashes its worker costs that file alone.

Workers are plain child processes rather than a `multiprocessing` pool: the caller's main module
is not run again, and a worker stuck in C code can be killed without affecting the others.
"""

import queue
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cruxe.ingest.processing import (
    BATCH_FILES,
    FileOutcome,
    ProcessingPlan,
    Stretch,
    failed_outcome,
)
from cruxe.ingest.worker import outcomes_in, pack
from cruxe.ingest.worker_processes import (
    Arrivals,
    ForkServer,
    WorkerProcess,
    can_fork,
    spawn_worker,
)
from cruxe.model.errors import InternalError, Remedy
from cruxe.model.source import FileTask, SkipReason

# Limits batches of large files, whose outcomes wait in memory.
_BATCH_BYTES: Final = 4_000_000
# Backpressure: when so many messages wait for the writer, the workers block.
_QUEUE_MESSAGES: Final = 8
_LOOK_SECONDS: Final = 0.25
_ATTEMPTS: Final = 2
# A busy machine may take long to start an interpreter; no file is blamed for it.
_START_SECONDS: Final = 120.0
# Workers that die before they are ready mean a broken installation, not a bad file.
_MAX_STILLBORN: Final = 4


class WorkerPool:
    """Distributes tasks to worker processes and yields the outcomes as they arrive."""

    def __init__(
        self, plan: ProcessingPlan, size: int, timeout_ms: int, order: Sequence[Stretch] = ()
    ) -> None:
        """Start at most `size` workers; each file has `timeout_ms` of wall clock.

        `order` gives the task ranges by extension, so that a language which several workers need
        is loaded once, before the fork.
        """
        self._plan = pack(plan)
        self._order = order
        self._may_fork = can_fork(plan)
        self._timeout = timeout_ms / 1000
        self._arrivals: Arrivals = queue.Queue(_QUEUE_MESSAGES)
        self._size = size
        self._workers: list[WorkerProcess] = []
        self._fork_server: ForkServer | None = None
        self._stillborn = 0

    def run(self, tasks: Iterable[FileTask]) -> Iterator[FileOutcome]:
        """Yield exactly one outcome for each task, in any order. May be called once."""
        from msgspec.msgpack import Decoder

        unpack = Decoder(FileOutcome).decode  # one decoder, so types are resolved once
        waiting = _Waiting(tasks)
        batches = [batch for _ in range(self._size) if (batch := waiting.next_batch())]
        self._workers = self._start_all(len(batches))
        for worker, batch in zip(self._workers, batches, strict=True):
            worker.send(batch)
        while any(worker.outstanding for worker in self._workers):
            try:
                worker, message = self._arrivals.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                yield from self._lose_stuck_workers(waiting)
                continue
            if worker not in self._workers:
                continue  # a late message from a killed worker
            if message is None:
                yield from self._lose(worker, SkipReason.PARSER_CRASHED, waiting)
                continue
            self._stillborn = 0
            for packed in outcomes_in(message):
                worker.outstanding.popleft()
                yield unpack(packed)
            if not worker.outstanding:
                self._feed(worker, waiting)

    def close(self) -> None:
        """End all workers and their listener threads."""
        for worker in self._workers:
            worker.stop()
        if self._fork_server is not None:
            self._fork_server.close()
        while any(worker.is_listening for worker in self._workers):
            try:
                self._arrivals.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue

    def _start_all(self, count: int) -> list[WorkerProcess]:
        """Start the first workers; several come from a fork server if the platform allows it."""
        if count > 1 and self._may_fork:
            self._fork_server = ForkServer(self._plan, self._order, count)
            return self._fork_server.workers(self._arrivals)
        return [self._start() for _ in range(count)]

    def _start(self) -> WorkerProcess:
        return spawn_worker(self._plan, self._arrivals)

    def _feed(self, worker: WorkerProcess, waiting: "_Waiting") -> None:
        batch = waiting.next_batch()
        if batch:
            worker.send(batch)

    def _lose_stuck_workers(self, waiting: "_Waiting") -> Iterator[FileOutcome]:
        now = time.monotonic()
        for worker in list(self._workers):
            patience = self._timeout if worker.is_ready else _START_SECONDS
            if worker.outstanding and now - worker.last_heard > patience:
                yield from self._lose(worker, SkipReason.PARSE_TIMEOUT, waiting)

    def _lose(
        self, worker: WorkerProcess, reason: SkipReason, waiting: "_Waiting"
    ) -> Iterator[FileOutcome]:
        """Replace a worker and retry its outstanding files once, each in a batch of its own.

        A worker that was not ready had started no file, so its files go back to the queue.
        """
        worker.stop()
        # A fork server that dies takes all its workers with it; that says nothing about new ones.
        self._stillborn += worker.loads_itself and not worker.is_ready
        if self._stillborn > _MAX_STILLBORN:
            raise InternalError(
                "indexing workers end before they answer",
                remedy=Remedy(
                    "call health_check; the installation may be damaged",
                    "run `cruxe doctor`; the installation may be damaged",
                ),
            )
        self._workers[self._workers.index(worker)] = replacement = self._start()
        if not worker.is_ready:
            waiting.put_back(worker.outstanding)
        else:
            hopeless = [task for task in worker.outstanding if not waiting.try_alone(task)]
            yield from (failed_outcome(task, reason) for task in hopeless)
        self._feed(replacement, waiting)


class _Waiting:
    """Tasks not yet sent: the caller's, those put back, and those to retry alone."""

    def __init__(self, tasks: Iterable[FileTask]) -> None:
        self._tasks = iter(tasks)
        self._back: deque[FileTask] = deque()
        self._alone: deque[FileTask] = deque()
        self._losses: dict[str, int] = {}

    def next_batch(self) -> list[FileTask]:
        batch: list[FileTask] = []
        size = 0
        while len(batch) < BATCH_FILES and size < _BATCH_BYTES:
            task = self._back.popleft() if self._back else next(self._tasks, None)
            if task is None:
                break
            batch.append(task)
            size += task.stat.size if task.stat is not None else 0
        if not batch and self._alone:
            batch.append(self._alone.popleft())
        return batch

    def put_back(self, tasks: Iterable[FileTask]) -> None:
        self._back.extend(tasks)

    def try_alone(self, task: FileTask) -> bool:
        """Queue a task whose worker was lost; return False if it has no attempt left."""
        losses = self._losses[task.path] = self._losses.get(task.path, 0) + 1
        if losses < _ATTEMPTS:
            self._alone.append(task)
        return losses < _ATTEMPTS
