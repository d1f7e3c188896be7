"""Indexing beside the answers: one low-priority process a repository, at most.

The process is started by the first order and lingers a while, since edits come in bursts. It reads
its orders from a pipe that ends with this process, so it cannot outlive it.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final

from cruxe.ingest.background_messages import STOP, Report, SyncOrder, from_line, to_line
from cruxe.model.deadlines import CallCancelledError, stop_if_cancelled
from cruxe.model.errors import EngineError, InternalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cruxe.ingest.sync_options import Progress, SyncOutcome

_LINGER_SECONDS: Final = 20.0
# How often somebody who waits for a job is told how far it is.
_TELL_SECONDS: Final = 0.1
_BELOW_NORMAL_WITHOUT_WINDOW: Final = 0x00004000 | 0x08000000 if os.name == "nt" else 0


class BackgroundJob:
    """An order under way; its fields may be read by any thread."""

    def __init__(self, order: SyncOrder) -> None:
        """Take an order that nobody works on yet."""
        self.order = order
        self.is_kept = False  # goes on though no call waits for it
        self.is_cancelled = False
        self.callers = 0  # that wait for it and may be cancelled
        self.files_done = 0
        self.files_total = 0
        self.is_waiting = False  # for another process that writes
        self.outcome: SyncOutcome | None = None
        self.error: EngineError | None = None
        self.ended_at = 0.0  # on the monotonic clock
        self._ended = threading.Event()

    @property
    def has_ended(self) -> bool:
        """Whether there is an outcome or an error."""
        return self._ended.is_set()

    def wait(self, seconds: float, progress: "Progress | None" = None) -> bool:
        """Wait for the end, telling how far it is; gives whether it has come."""
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
        """Take what the process tells; gives whether that was the last of it."""
        self.files_done = report.files_done or self.files_done
        self.files_total = report.files_total or self.files_total
        self.is_waiting = report.is_waiting
        self.outcome = report.outcome
        self.error = None if report.failure is None else report.failure.to_error()
        if self.outcome is None and self.error is None:
            return False
        self._end()
        return True

    def lose(self) -> None:
        """Say that the process ended before the job did."""
        self.error = InternalError(
            "the indexing process ended before its work was done",
            remedy="call index_status; the next sync goes on from the last checkpoint",
        )
        self._end()

    def cancel(self) -> None:
        """Say that nobody wants it any more, before it was begun."""
        self.error = InternalError(
            "the job was cancelled by whoever asked for it", remedy="ask for it again"
        )
        self._end()

    def _end(self) -> None:
        self.ended_at = time.monotonic()
        self._ended.set()


class BackgroundSync:
    """Takes orders from any thread and has them carried out one after the other."""

    def __init__(self, linger_seconds: float = _LINGER_SECONDS) -> None:
        """Start nothing yet."""
        self.on_end: Callable[[BackgroundJob], None] | None = None  # in the thread that works
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
        """The job under way, or the next one."""
        with self._changed:
            return self._current or (self._waiting[0] if self._waiting else None)

    @property
    def last(self) -> BackgroundJob | None:
        """The job that ended last."""
        return self._last

    @property
    def process_id(self) -> int | None:
        """The process that works, or lingers."""
        process = self._process
        return None if process is None else process.pid

    def request(self, order: SyncOrder) -> BackgroundJob:
        """Have an order carried out soon; one that waits already is not doubled.

        One that runs already is: what it is asked for now it may have passed by.
        """
        with self._changed:
            job = self._taken(order)
            job.is_kept = True
            return job

    def join(self, order: SyncOrder) -> BackgroundJob:
        """The same, but one that runs already will do."""
        with self._changed:
            current = self._current
            if current is None or current.order != order or current.is_cancelled:
                return self.request(order)
            current.is_kept = True
            return current

    @contextmanager
    def requested(self, order: SyncOrder) -> Generator[BackgroundJob]:
        """Have an order carried out for a call, which waits for it in the block.

        A call that is cancelled there takes its order back: the job is stopped, unless somebody
        else asked for it too. If the block ends otherwise, the job goes on.
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
        """End the process at once; a job under way is lost, what it published is not."""
        with self._changed:
            self._is_closed = True
            process, thread = self._process, self._thread
            self._changed.notify_all()
        if process is not None:
            process.kill()
        if thread is not None:
            thread.join()

    def _taken(self, order: SyncOrder) -> BackgroundJob:
        """A job for an order, which may wait already; with the lock held."""
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
        """Stop a job if the call that leaves it was the last to want it."""
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
        while not self._is_closed:
            job = self._next_job()
            # A process that stood back for a large job would be slow at the small ones.
            if job is None or not self._carry_out(job) or job.order.is_large:
                self._end_process()
            with self._changed:
                self._current, self._last = None, job or self._last
            if job is not None and self.on_end is not None:
                self.on_end(job)
        self._end_process()

    def _next_job(self) -> BackgroundJob | None:
        """The next job; nothing once the process has lingered long enough, or at the end."""
        with self._changed:
            patience = None if self._process is None else self._linger_seconds
            self._changed.wait_for(lambda: self._waiting or self._is_closed, patience)
            if self._is_closed:
                for job in self._waiting:
                    job.lose()
                self._waiting.clear()
            self._current = self._waiting.pop(0) if self._waiting else None
            return self._current

    def _carry_out(self, job: BackgroundJob) -> bool:
        """Send a job and hear how it goes; gives whether the process is still good."""
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
        except (OSError, ValueError):  # it died, or was closed while it was talked to
            pass
        job.lose()
        return False

    def _tell(self, process: "subprocess.Popen[bytes]", line: bytes) -> bool:
        """Send a line, with the lock held; gives whether the process could be told."""
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
    # -P: the folder being indexed must never be imported from.
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
    except OSError:  # what was still buffered has no reader any more
        return
