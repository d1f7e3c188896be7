"""Background indexing: at most one low-priority child process per repository.

The first order starts the process. It stays alive for a while, since edits come in bursts. It
reads orders from a pipe that closes with this process, so it cannot outlive it.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final

from cruxe.ingest.background_messages import (
    STOP,
    Report,
    SyncOrder,
    UnreadableMessageError,
    from_line,
    to_line,
)
from cruxe.model.deadlines import CallCancelledError, stop_if_cancelled
from cruxe.model.errors import EngineError, IndexStaleError, InternalError, Remedy

if TYPE_CHECKING:
    from collections.abc import Callable

    from cruxe.ingest.sync_options import Progress, SyncOutcome

_LINGER_SECONDS: Final = 20.0
# Interval at which a waiting caller gets a progress report.
_TELL_SECONDS: Final = 0.1
_BELOW_NORMAL_WITHOUT_WINDOW: Final = 0x00004000 | 0x08000000 if os.name == "nt" else 0


class BackgroundJob:
    """An order and its progress. Any thread may read its fields."""

    def __init__(self, order: SyncOrder) -> None:
        """Take an order that has not been started."""
        self.order = order
        self.is_kept = False  # continues even if no call waits for it
        self.is_cancelled = False
        self.callers = 0  # calls that wait for it and may be cancelled
        self.files_done = 0
        self.files_total = 0
        self.is_waiting = False  # for another process's writer lock
        self.outcome: SyncOutcome | None = None
        self.error: EngineError | None = None
        self.ended_at = 0.0  # on the monotonic clock
        self._ended = threading.Event()

    @property
    def has_ended(self) -> bool:
        """Return whether there is an outcome or an error."""
        return self._ended.is_set()

    def wait(self, seconds: float, progress: "Progress | None" = None) -> bool:
        """Wait for the end and report progress meanwhile; return whether the job has ended."""
        deadline = time.monotonic() + seconds
        while not self._ended.wait(max(0.0, min(_TELL_SECONDS, deadline - time.monotonic()))):
            stop_if_cancelled()
            if progress is not None and self.files_total:
                progress(self.files_done, self.files_total)
            if time.monotonic() >= deadline:
                return False
        if progress is not None and self.files_total:
            progress(self.files_done, self.files_total)
        return True

    def take(self, report: Report) -> bool:
        """Apply a report of the process; return whether it was the last one."""
        self.files_done = report.files_done or self.files_done
        self.files_total = report.files_total or self.files_total
        self.is_waiting = report.is_waiting
        self.outcome = report.outcome
        self.error = None if report.failure is None else report.failure.to_error()
        if self.outcome is None and self.error is None:
            return False
        self._end()
        return True

    def lose(self, problem: str = "the indexing process ended before its work was done") -> None:
        """End the job with an error: the process died, or nobody waits for it any more."""
        self.error = IndexStaleError(
            problem,
            remedy=Remedy(
                "call sync_repo: it goes on from the last checkpoint",
                "run `cruxe sync`: it goes on from the last checkpoint",
            ),
        )
        self._end()

    def cancel(self) -> None:
        """End a job that was cancelled before it was started."""
        self.error = InternalError(
            "the job was cancelled by whoever asked for it", remedy="ask for it again"
        )
        self._end()

    def _end(self) -> None:
        self.ended_at = time.monotonic()
        self._ended.set()


class BackgroundSync:
    """Takes orders from any thread and runs them one after the other."""

    def __init__(self, linger_seconds: float = _LINGER_SECONDS) -> None:
        """Set up the queue; the thread and the process start with the first order."""
        self.on_end: Callable[[BackgroundJob], None] | None = None  # called in the worker thread
        self._linger_seconds = linger_seconds
        self._changed = threading.Condition()
        self._waiting: list[BackgroundJob] = []
        self._current: BackgroundJob | None = None
        self._last: BackgroundJob | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False

    @property
    def current(self) -> BackgroundJob | None:
        """Return the running job, or else the next one."""
        with self._changed:
            return self._current or (self._waiting[0] if self._waiting else None)

    @property
    def last(self) -> BackgroundJob | None:
        """Return the job that ended last."""
        return self._last

    @property
    def process_id(self) -> int | None:
        """Return the id of the process, or None if none is alive."""
        process = self._process
        return None if process is None else process.pid

    def request(self, order: SyncOrder) -> BackgroundJob:
        """Queue an order and return its job. An equal order that is queued already is reused.

        One that is running is not: it may already have passed the files in question.
        """
        with self._changed:
            job = self._taken(order)
            job.is_kept = True
            return job

    def join(self, order: SyncOrder) -> BackgroundJob:
        """Queue an order like `request`, but reuse an equal job that is running."""
        with self._changed:
            current = self._current
            if current is None or current.order != order or current.is_cancelled:
                return self.request(order)
            current.is_kept = True
            return current

    @contextmanager
    def requested(self, order: SyncOrder) -> Generator[BackgroundJob]:
        """Queue an order for a call, which waits for the job inside the block.

        If the call is cancelled there, the job is stopped, unless another caller requested it too.
        If the block ends in any other way, the job continues.
        """
        with self._changed:
            job = self._taken(order)
            job.callers += 1
        try:
            yield job
        except CallCancelledError:
            self._release(job)
            raise
        job.is_kept = True

    def close(self) -> None:
        """Kill the process. A running job is lost, but what it has published stays."""
        with self._changed:
            self._is_closed = True
            process, thread = self._process, self._thread
            self._changed.notify_all()
        if process is not None:
            process.kill()
        if thread is not None:
            thread.join()

    def _taken(self, order: SyncOrder) -> BackgroundJob:
        """Return the queued job for an order, or queue a new one. The lock must be held."""
        job = next((each for each in self._waiting if each.order == order), None)
        if job is not None:
            return job
        job = BackgroundJob(order)
        if self._is_closed:
            job.lose()
            return job
        self._waiting.append(job)
        self._changed.notify_all()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="cruxe-sync", daemon=True)
            self._thread.start()
        return job

    def _release(self, job: BackgroundJob) -> None:
        """Stop a job if the cancelled call was the last one that waited for it."""
        with self._changed:
            job.callers -= 1
            if job.callers or job.is_kept or job.has_ended:
                return
            job.is_cancelled = True
            if job in self._waiting:
                self._waiting.remove(job)
                job.cancel()
            elif self._process is not None:
                self._tell(self._process, STOP)

    def _work(self) -> None:
        try:
            self._run_jobs()
        finally:
            self._give_up()

    def _run_jobs(self) -> None:
        while not self._is_closed:
            job = self._next_job()
            # A process that lowered its priority for a large job would be slow at small ones.
            if job is None or not self._carry_out(job) or job.order.is_large:
                self._end_process()
            with self._changed:
                self._current, self._last = None, job or self._last
            if job is not None and self.on_end is not None:
                self.on_end(job)

    def _give_up(self) -> None:
        """Fail what is left if the thread ends: nobody waits for it in vain."""
        with self._changed:
            self._thread = None
            left = [job for job in (self._current, *self._waiting) if job is not None]
            self._current = None
            self._waiting.clear()
        for job in left:
            if not job.has_ended:
                job.lose()
        self._end_process()

    def _next_job(self) -> BackgroundJob | None:
        """Wait for the next job; return None after the linger time or when closed."""
        with self._changed:
            patience = None if self._process is None else self._linger_seconds
            self._changed.wait_for(lambda: self._waiting or self._is_closed, patience)
            if self._is_closed:
                return None
            self._current = self._waiting.pop(0) if self._waiting else None
            return self._current

    def _carry_out(self, job: BackgroundJob) -> bool:
        """Send a job and read its reports; return whether the process is still usable."""
        with self._changed:
            if job.is_cancelled:
                job.cancel()
                return True
            process = self._running_process()
            if process is None or not self._tell(process, to_line(job.order)):
                job.lose()
                return False
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if job.take(from_line(line, Report)):
                    return True
        except (OSError, ValueError):  # the process died, or its pipe was closed meanwhile
            pass
        except UnreadableMessageError as error:
            job.lose(f"the indexing process sent what is no report: {error}")
            return False
        job.lose()
        return False

    def _tell(self, process: "subprocess.Popen[bytes]", line: bytes) -> bool:
        """Send a line; return whether it could be written. The lock must be held."""
        assert process.stdin is not None
        try:
            process.stdin.write(line)
            process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def _running_process(self) -> "subprocess.Popen[bytes] | None":
        with self._changed:
            if self._is_closed:
                return None
            if self._process is None or self._process.poll() is not None:
                self._process = _start_process()
            return self._process

    def _end_process(self) -> None:
        with self._changed:
            process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            _close_quietly(stream)
        process.kill()
        process.wait()


def _start_process() -> "subprocess.Popen[bytes]":
    package_parent = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    code = (
        f"import sys; sys.path.append({package_parent!r});"
        "from cruxe.ingest.background_process import main; main()"
    )
    # -P: never import from the folder that is being indexed.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=package_parent,
        creationflags=_BELOW_NORMAL_WITHOUT_WINDOW,
    )


def _close_quietly(stream: IO[bytes] | None) -> None:
    try:
        if stream is not None:
            stream.close()
    except OSError:  # buffered bytes have no reader any more
        return
