"""A worker process: takes tasks on standard input, gives outcomes on standard output.

Messages are framed by their length. The process ends when its input does.
"""

import gc
import os
import signal
import sys
from typing import IO

from cruxe.engine.processing import FileOutcome, FileProcessor, FileTask, ProcessingPlan

# Grammars and stores may be loud; what they print must not break the frames.
_LENGTH_BYTES = 4
# The first message: everything is loaded, tasks may come.
READY = b""


def main() -> None:
    """Serve until the input ends."""
    stdin, stdout = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # Parsing makes many objects and no cycles; hunting for cycles cost a tenth of the run.
    gc.disable()
    # Ctrl-C reaches the whole group; the pool ends its workers itself, without tracebacks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    packed = read_frame(stdin)
    if packed is None:
        return
    processor = FileProcessor(decode_plan(packed))
    processor.warm_up()
    _send(stdout, READY)
    try:
        while (packed := read_frame(stdin)) is not None:
            for task in decode_tasks(packed):
                # Sent at once: who hears nothing of a file takes it for the one that hangs.
                _send(stdout, encode_outcome(processor.process(task)))
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


def encode_plan(plan: ProcessingPlan) -> bytes:
    """Pack a plan."""
    from msgspec.msgpack import encode

    return encode(plan)


def decode_plan(packed: bytes) -> ProcessingPlan:
    """Unpack a plan."""
    from msgspec.msgpack import decode

    return decode(packed, type=ProcessingPlan)


def encode_tasks(tasks: list[FileTask]) -> bytes:
    """Pack tasks."""
    from msgspec.msgpack import encode

    return encode(tasks)


def decode_tasks(packed: bytes) -> list[FileTask]:
    """Unpack tasks."""
    from msgspec.msgpack import decode

    return decode(packed, type=list[FileTask])


def encode_outcome(outcome: FileOutcome) -> bytes:
    """Pack an outcome."""
    from msgspec.msgpack import encode

    return encode(outcome)


def decode_outcome(packed: bytes) -> FileOutcome:
    """Unpack an outcome."""
    from msgspec.msgpack import decode

    return decode(packed, type=FileOutcome)


if __name__ == "__main__":
    main()
