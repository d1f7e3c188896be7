"""A worker process: reads tasks from one pipe and writes outcomes to another.

Messages are length-prefixed, and so are the outcomes in a message. The process ends when its input
ends. Several workers are forks of one process that has loaded what they all need.
"""

import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import IO, Final, TypeVar

from cruxe.ingest.processing import (
    FileOutcome,
    FileProcessor,
    ProcessingPlan,
    Stretch,
)
from cruxe.model.source import FileTask

_Message = TypeVar("_Message")
_LENGTH_BYTES = 4
PID_BYTES = 8
# Outcomes are buffered up to this size or for this long.
_SENT_BYTES: Final = 1 << 18
_SENT_SECONDS: Final = 0.05


def main() -> None:
    """Serve on standard input and output until the input ends."""
    stdin, stdout = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    _settle_in()
    packed = read_frame(stdin)
    if packed is not None:
        processor = FileProcessor(unpack(packed, ProcessingPlan))
        processor.warm_up()
        _serve(processor, stdin, stdout)


def serve_forks(*pipes: int) -> None:
    """Load once what workers need, then fork a worker for each pair of pipes.

    When its input ends, because the caller closed it or died, it kills the workers and exits.
    """
    _settle_in()
    # An inherited SIG_IGN would reap children at once; they must stay zombies until `waitpid`.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    packed, order = read_frame(sys.stdin.buffer), read_frame(sys.stdin.buffer)
    if packed is None or order is None:
        return
    processor = FileProcessor(unpack(packed, ProcessingPlan))
    processor.warm_up(unpack(order, list[Stretch]))
    pairs = list(zip(pipes[::2], pipes[1::2], strict=True))
    workers: list[int] = []
    for own in pairs:
        worker = os.fork()
        if not worker:
            # A pipe gives no end of file while another process holds it open.
            for descriptor in set(pipes) - {*own}:
                os.close(descriptor)
            _serve(processor, os.fdopen(own[0], "rb"), os.fdopen(own[1], "wb"))
            os._exit(0)
        workers.append(worker)
    for descriptor in pipes:
        os.close(descriptor)
    sys.stdin.buffer.read()
    for worker in workers:  # not reaped yet, so their pids are not reused
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
    os._exit(0)  # nothing to clean up, and tearing down all modules is slow


def _settle_in() -> None:
    os.dup2(2, 1)  # output of a grammar must not break the frames
    # Parsing makes many objects and no cycles; the cyclic collector cost a tenth of the run.
    gc.disable()
    # Ctrl-C reaches the whole group; the pool ends its workers itself, without tracebacks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _serve(processor: FileProcessor, stdin: IO[bytes], stdout: IO[bytes]) -> None:
    outbox = _Outbox(stdout)
    try:
        # The first message says that everything is loaded.
        write_frame(stdout, os.getpid().to_bytes(PID_BYTES, "big"))
        stdout.flush()
        while (packed := read_frame(stdin)) is not None:
            for task in unpack(packed, list[FileTask]):
                outbox.add(processor.process(task))
            outbox.send()
    except BrokenPipeError:
        os._exit(0)  # the reader is gone
    finally:
        processor.close()


class _Outbox:
    """Buffers outcomes and sends several in one message, to save wake-ups of the reader."""

    def __init__(self, stream: IO[bytes]) -> None:
        from msgspec.msgpack import Encoder

        self._stream = stream
        self._pack_into = Encoder().encode_into
        self._message = bytearray(_LENGTH_BYTES)  # begins with room for its length
        self._sent_at = time.monotonic()

    def add(self, outcome: FileOutcome) -> None:
        start = len(self._message)
        self._pack_into(outcome, self._message, start + _LENGTH_BYTES)
        self._tell_length(start)
        # The pool takes a long silence for a file that hangs.
        is_late = time.monotonic() - self._sent_at >= _SENT_SECONDS
        if is_late or len(self._message) >= _SENT_BYTES:
            self.send()

    def send(self) -> None:
        if len(self._message) == _LENGTH_BYTES:
            return
        self._tell_length(0)
        self._stream.write(self._message)
        self._stream.flush()
        del self._message[_LENGTH_BYTES:]
        self._sent_at = time.monotonic()

    def _tell_length(self, start: int) -> None:
        """Write the length prefix of the bytes that follow `start`."""
        body = start + _LENGTH_BYTES
        length = len(self._message) - body
        self._message[start:body] = length.to_bytes(_LENGTH_BYTES, "big")


def outcomes_in(message: bytes) -> Iterator[memoryview]:
    """Yield the packed outcomes of a message."""
    view, start = memoryview(message), 0
    while start < len(view):
        body = start + _LENGTH_BYTES
        end = body + int.from_bytes(view[start:body], "big")
        yield view[body:end]
        start = end


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Read one message; return None at the end of the stream."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "big")
    body = stream.read(length)
    return body if len(body) == length else None


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Write one message in a single write, so that the reader wakes once."""
    stream.write(len(body).to_bytes(_LENGTH_BYTES, "big") + body)


def pack(message: ProcessingPlan | list[FileTask] | list[Stretch]) -> bytes:
    """Turn a message into bytes."""
    from msgspec.msgpack import encode

    return encode(message)


def unpack(packed: bytes, kind: type[_Message]) -> _Message:
    """Turn bytes back into a message of a kind."""
    from msgspec.msgpack import decode

    return decode(packed, type=kind)
