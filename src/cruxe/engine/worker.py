"""A worker process: takes tasks on standard input, gives outcomes on standard output.

Messages are framed by their length. The process ends when its input does.
"""

import gc
import os
import signal
import sys
from typing import IO, TypeVar

from cruxe.engine.processing import FileOutcome, FileProcessor, FileTask, ProcessingPlan

_Message = TypeVar("_Message")
_LENGTH_BYTES = 4
# The first message: everything is loaded, tasks may come.
READY = b""


def main() -> None:
    """Serve until the input ends."""
    stdin, stdout = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a grammar prints must not break the frames
    # Parsing makes many objects and no cycles; hunting for cycles cost a tenth of the run.
    gc.disable()
    # Ctrl-C reaches the whole group; the pool ends its workers itself, without tracebacks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    packed = read_frame(stdin)
    if packed is None:
        return
    processor = FileProcessor(unpack(packed, ProcessingPlan))
    processor.warm_up()
    try:
        _send(stdout, READY)
        while (packed := read_frame(stdin)) is not None:
            for task in unpack(packed, list[FileTask]):
                # Sent at once: who hears nothing of a file takes it for the one that hangs.
                _send(stdout, pack(processor.process(task)))
    except BrokenPipeError:
        os._exit(0)  # nobody listens any more
    finally:
        processor.close()


def _send(stream: IO[bytes], body: bytes) -> None:
    write_frame(stream, body)
    stream.flush()


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


def pack(message: ProcessingPlan | list[FileTask] | FileOutcome) -> bytes:
    """Turn a message into bytes."""
    from msgspec.msgpack import encode

    return encode(message)


def unpack(packed: bytes, kind: type[_Message]) -> _Message:
    """Turn bytes back into a message of a kind."""
    from msgspec.msgpack import decode

    return decode(packed, type=kind)
