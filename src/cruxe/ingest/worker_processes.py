"""Start, feed, listen to and end worker processes.

Several workers come from a fork server: a process that imports everything and compiles the queries
of the common languages once, and then forks. It is a fresh process, because this one may have
threads and open files, which a fork would share. A worker that is started alone, such as a
replacement, loads by itself.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import IO, Final

from cruxe.ingest.processing import ProcessingPlan, Stretch
from cruxe.ingest.worker import pack, read_frame, write_frame
from cruxe.model.source import FileTask

Arrivals = queue.Queue["tuple[WorkerProcess, bytes | None]"]  # None: it has ended

_PACKAGE_PARENT: Final = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
# Buffers of a pipe and its reader: a worker continues while its outcomes are being written.
_PIPE_BYTES: Final = 1 << 20
_READ_BYTES: Final = 1 << 18
# Grace period for a fork server to end: it may still be loading.
_END_SECONDS: Final = 5.0


def can_fork(plan: ProcessingPlan) -> bool:
    """Return whether workers may be forks of one process.

    Outside Linux, system libraries may not survive a fork. A slow model may have threads.
    """
    return sys.platform == "linux" and (plan.model is None or plan.model.is_quick)


class WorkerProcess:
    """One child process and its listener thread."""

    def __init__(
        self,
        stdin: IO[bytes],
        stdout: IO[bytes],
        end: "Callable[[WorkerProcess], None]",
        arrivals: Arrivals,
        *,
        loads_itself: bool,
    ) -> None:
        """Start listening to a process; `end` kills it."""
        self.loads_itself = loads_itself
        self._stdin = stdin
        self._stdout = stdout
        self._end = end
        self._arrivals = arrivals
        self.pid = 0  # known once it is ready
        self.has_ended = False
        self.outstanding: deque[FileTask] = deque()
        self.last_heard = time.monotonic()
        self.is_ready = False
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def is_listening(self) -> bool:
        """Return whether a last message may still arrive."""
        return self._listener.is_alive()

    def send(self, batch: list[FileTask]) -> None:
        """Send it a batch of files."""
        self.outstanding.extend(batch)
        self.last_heard = time.monotonic()
        _write(self._stdin, (pack(batch),))

    def stop(self) -> None:
        """Kill it."""
        self._end(self)
        with suppress(OSError):  # buffered bytes have no reader any more
            self._stdin.close()

    def _listen(self) -> None:
        with suppress(OSError, ValueError), self._stdout as stream:
            if (told := read_frame(stream)) is not None:
                self.pid = int.from_bytes(told, "big")
                self.last_heard = time.monotonic()
                self.is_ready = True
            while (frame := read_frame(stream)) is not None:
                # A worker that waits for a slow writer must not count as stuck.
                self.last_heard = float("inf")
                self._arrivals.put((self, frame))
                self.last_heard = time.monotonic()
        self.has_ended = True
        self._arrivals.put((self, None))


def spawn_worker(plan: bytes, arrivals: Arrivals) -> WorkerProcess:
    """Start a worker that loads by itself."""
    process = _start("main()", (), stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    _widen(process.stdout.fileno())
    _write(process.stdin, (plan,))

    def end(_: WorkerProcess) -> None:
        process.kill()
        process.wait()

    return WorkerProcess(process.stdin, process.stdout, end, arrivals, loads_itself=True)


class ForkServer:
    """A process that forks several workers, which are its children."""

    def __init__(self, plan: bytes, order: Sequence[Stretch], size: int) -> None:
        """Start the process; it loads while the caller continues."""
        ours: list[tuple[int, int]] = []
        theirs: list[int] = []
        for _ in range(size):
            (task_reader, task_writer), (outcome_reader, outcome_writer) = os.pipe(), os.pipe()
            _widen(outcome_reader)
            ours.append((task_writer, outcome_reader))
            theirs += (task_reader, outcome_writer)
        self._ours = ours
        try:
            self._process = _start(f"serve_forks(*{theirs})", theirs, stdout=subprocess.DEVNULL)
        except OSError:
            for descriptor in chain.from_iterable(ours):
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        assert self._process.stdin is not None
        _write(self._process.stdin, (plan, pack([*order])))

    def workers(self, arrivals: Arrivals) -> list[WorkerProcess]:
        """Return the workers that it forks. Call it once."""
        streams = [
            (os.fdopen(tasks, "wb"), os.fdopen(outcomes, "rb", _READ_BYTES))
            for tasks, outcomes in self._ours
        ]
        return [WorkerProcess(*each, self._end, arrivals, loads_itself=False) for each in streams]

    def close(self) -> None:
        """End it and its workers. If it does not end, it is still loading and has no workers."""
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _end(self, worker: WorkerProcess) -> None:
        """Kill a worker. One that is not ready may not be forked yet, so the server is closed."""
        if worker.has_ended:
            return
        if not worker.is_ready:
            self.close()
            return
        # The pid is not reused: the fork server reaps its workers only when it ends.
        with suppress(ProcessLookupError):
            os.kill(worker.pid, signal.SIGKILL)


def _start(call: str, inherited: Iterable[int], *, stdout: int) -> "subprocess.Popen[bytes]":
    code = (
        f"import sys; sys.path.append({_PACKAGE_PARENT!r});"
        f"from cruxe.ingest.worker import main, serve_forks; {call}"
    )
    # -P: never import from the folder that is being indexed.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=stdout,
        bufsize=_READ_BYTES,
        cwd=_PACKAGE_PARENT,
        pass_fds=tuple(inherited),
    )


def _widen(pipe: int) -> None:
    """Enlarge a pipe's buffer to hold several messages, on Linux."""
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):  # the user's limit for pipe buffers may be reached
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _write(stream: IO[bytes], frames: Iterable[bytes]) -> None:
    try:
        for frame in frames:
            write_frame(stream, frame)
        stream.flush()
    except OSError:
        return  # the process died; the listener thread reports that
