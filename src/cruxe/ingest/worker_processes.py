"""Worker processes as the pool sees them: started, fed, listened to, ended.

Several workers come from a fork server: one process that imports everything and compiles the
queries of the common languages once, and then forks. It is a fresh process, because this one may
have threads and open files, which a fork would share. A worker that is started alone, such as one
that replaces a lost one, loads by itself.
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

Arrivals = queue.Queue["tuple[WorkerProcess, bytes | None]"]  # nothing: it has ended

_PACKAGE_PARENT: Final = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
# Of a pipe and of what reads it: a worker goes on while its outcomes are written.
_PIPE_BYTES: Final = 1 << 20
_READ_BYTES: Final = 1 << 18
# For a fork server that was told to end: it may still be loading.
_END_SECONDS: Final = 5.0


def can_fork(plan: ProcessingPlan) -> bool:
    """Whether workers may be copies of one process.

    Elsewhere than on Linux system libraries may not survive it; a slow model may have threads.
    """
    return sys.platform == "linux" and (plan.model is None or plan.model.is_quick)


class WorkerProcess:
    """One child process and the thread that listens to it."""

    def __init__(
        self,
        stdin: IO[bytes],
        stdout: IO[bytes],
        end: "Callable[[WorkerProcess], None]",
        arrivals: Arrivals,
        *,
        loads_itself: bool,
    ) -> None:
        """Listen to a process that `end` can put an end to."""
        self.loads_itself = loads_itself
        self._stdin = stdin
        self._stdout = stdout
        self._end = end
        self._arrivals = arrivals
        self.pid = 0  # told when it is ready
        self.has_ended = False
        self.outstanding: deque[FileTask] = deque()
        self.last_heard = time.monotonic()
        self.is_ready = False
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def is_listening(self) -> bool:
        """Whether its last word may still come."""
        return self._listener.is_alive()

    def send(self, batch: list[FileTask]) -> None:
        """Give it files to process."""
        self.outstanding.extend(batch)
        self.last_heard = time.monotonic()
        _write(self._stdin, (pack(batch),))

    def stop(self) -> None:
        """End it, whatever it is doing."""
        self._end(self)
        with suppress(OSError):  # what was still buffered has no reader any more
            self._stdin.close()

    def _listen(self) -> None:
        with suppress(OSError, ValueError), self._stdout as stream:
            if (told := read_frame(stream)) is not None:
                self.pid = int.from_bytes(told, "big")
                self.last_heard = time.monotonic()
                self.is_ready = True
            while (frame := read_frame(stream)) is not None:
                # While the writer is behind, waiting for it must not count as being stuck.
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
    """A process that becomes several workers; its workers are its children."""

    def __init__(self, plan: bytes, order: Sequence[Stretch], size: int) -> None:
        """Start it; it loads while the caller goes on."""
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
        """The workers that it becomes; to be asked for once."""
        streams = [
            (os.fdopen(tasks, "wb"), os.fdopen(outcomes, "rb", _READ_BYTES))
            for tasks, outcomes in self._ours
        ]
        return [WorkerProcess(*each, self._end, arrivals, loads_itself=False) for each in streams]

    def close(self) -> None:
        """End it and all its workers; one that does not end is stuck with loading, and has none."""
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _end(self, worker: WorkerProcess) -> None:
        """Kill a worker; one that is not ready may be no process of its own yet."""
        if worker.has_ended:
            return
        if not worker.is_ready:
            self.close()
            return
        # No other process has its number: the fork server asks for those that died when it ends.
        with suppress(ProcessLookupError):
            os.kill(worker.pid, signal.SIGKILL)


def _start(call: str, inherited: Iterable[int], *, stdout: int) -> "subprocess.Popen[bytes]":
    code = (
        f"import sys; sys.path.append({_PACKAGE_PARENT!r});"
        f"from cruxe.ingest.worker import main, serve_forks; {call}"
    )
    # -P: the folder being indexed must never be imported from.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=stdout,
        bufsize=_READ_BYTES,
        cwd=_PACKAGE_PARENT,
        pass_fds=tuple(inherited),
    )


def _widen(pipe: int) -> None:
    """Let a pipe hold several messages, where the system does that."""
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):  # a user may have but so much
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _write(stream: IO[bytes], frames: Iterable[bytes]) -> None:
    try:
        for frame in frames:
            write_frame(stream, frame)
        stream.flush()
    except OSError:
        return  # it died: the listening thread says so
