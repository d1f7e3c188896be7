"""A worker process: takes tasks on one pipe, gives outcomes on another.

Messages are framed by their length, and so are the outcomes in one. The process ends when its input
does. Several workers are copies of one process that has loaded what they all need.
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
# Outcomes wait for others until there is so much of them, or for so long.
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
    """Load once what workers need, then be copied: a worker for each pair of pipes.

    When its input ends, by whatever end of its caller, it ends them all and then itself.
    """
    _settle_in()
    # Whoever started the caller may ignore its children; the dead are to wait here.
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
            # A pipe that somebody else holds open does not end.
            for descriptor in set(pipes) - {*own}:
                os.close(descriptor)
            _serve(processor, os.fdopen(own[0], "rb"), os.fdopen(own[1], "wb"))
            os._exit(0)
        workers.append(worker)
    for descriptor in pipes:
        os.close(descriptor)
    sys.stdin.buffer.read()
    for worker in workers:  # nobody has waited for them, so their numbers are still theirs
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
    os._exit(0)  # there is nothing to tidy up, and to take all modules down takes a while


def _settle_in() -> None:
    os.dup2(2, 1)  # whatever a grammar prints must not break the frames
    # Parsing makes many objects and no cycles; hunting for cycles cost a tenth of the run.
    gc.disable()
    # Ctrl-C reaches the whole group; the pool ends its workers itself, without tracebacks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _serve(processor: FileProcessor, stdin: IO[bytes], stdout: IO[bytes]) -> None:
    outbox = _Outbox(stdout)
    try:
        # The first message: everything is loaded, tasks may come.
        write_frame(stdout, os.getpid().to_bytes(PID_BYTES, "big"))
        stdout.flush()
        while (packed := read_frame(stdin)) is not None:
            for task in unpack(packed, list[FileTask]):
                outbox.add(processor.process(task))
            outbox.send()
    except BrokenPipeError:
        os._exit(0)  # nobody listens any more
    finally:
        processor.close()


class _Outbox:
    """Sends outcomes, some in one message: for each message the reader and the writer are woken."""

    def __init__(self, stream: IO[bytes]) -> None:
        from msgspec.msgpack import Encoder

        self._stream = stream
        self._pack_into = Encoder().encode_into
        self._message = bytearray(_LENGTH_BYTES)  # written from where it grew
        self._sent_at = time.monotonic()

    def add(self, outcome: FileOutcome) -> None:
        start = len(self._message)
        self._pack_into(outcome, self._message, start + _LENGTH_BYTES)
        self._tell_length(start)
        # Who hears nothing for long takes it that a file hangs.
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
        """Write before what stands there how long it is."""
        body = start + _LENGTH_BYTES
        length = len(self._message) - body
        self._message[start:body] = length.to_bytes(_LENGTH_BYTES, "big")


def outcomes_in(message: bytes) -> Iterator[memoryview]:
    """The packed outcomes that a message brings."""
    view, start = memoryview(message), 0
    while start < len(view):
        body = start + _LENGTH_BYTES
        end = body + int.from_bytes(view[start:body], "big")
        yield view[body:end]
        start = end


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Read one message, or nothing at the end of the stream."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "big")
    body = stream.read(length)
    return body if len(body) == length else None


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Write one message, in one piece: the reader is woken once."""
    stream.write(len(body).to_bytes(_LENGTH_BYTES, "big") + body)


def pack(message: ProcessingPlan | list[FileTask] | list[Stretch]) -> bytes:
    """Turn a message into bytes."""
    from msgspec.msgpack import encode

    return encode(message)


def unpack(packed: bytes, kind: type[_Message]) -> _Message:
    """Turn bytes back into a message of a kind."""
    from msgspec.msgpack import decode

    return decode(packed, type=kind)
