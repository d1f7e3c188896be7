"""The stdio transport: one message per line.

A loop reads messages and answers the cheap ones; threads run the tool calls. Only messages reach
the client: its streams are moved to private descriptors that child processes do not inherit.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from cruxe.serve.mcp.calls import BatchCall, Call, Client
from cruxe.serve.mcp.messages import (
    MAX_MESSAGE_BYTES,
    TOO_LONG,
    Refusal,
    Subscription,
    read_message,
    refusal_of,
)
from cruxe.serve.mcp.protocol import Outcome, Protocol
from cruxe.serve.mcp.workers import Workers

_CHUNK_BYTES: Final = 65_536
# Lets calls finish that were sent just before the input ended, also on a busy machine.
_GRACE_SECONDS: Final = 20.0
_STOPPING_SECONDS: Final = 2.0
# Long enough for a client to list the tools after its handshake.
_QUIET_SECONDS: Final = 0.5


class Streams(NamedTuple):
    """The file descriptors of the client's streams, private to the server."""

    reading: int
    writing: int


def take_streams() -> Streams:
    """Move standard input and output to private descriptors; later prints go to standard error."""
    sys.stdout.flush()
    taken = Streams(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return taken


def serve_stdio(protocol: Protocol, streams: Streams, warm_up: Callable[[], None]) -> None:
    """Serve until the input ends; warm up once the client has listed or called tools."""
    server = _Server(protocol, streams.writing, warm_up)
    for line in read_lines(streams.reading, MAX_MESSAGE_BYTES):
        server.receive(line)
    server.end()


def read_lines(descriptor: int, max_bytes: int) -> Iterator[bytes | None]:
    """Yield the lines of a stream without line breaks, or None for a line that is too long."""
    parts: list[bytes] = []
    size = 0
    while chunk := _read(descriptor):
        *ended, rest = chunk.split(b"\n")
        for line in ended:
            is_short = size + len(line) <= max_bytes
            yield b"".join((*parts, line)) if is_short else None
            parts, size = [], 0
        size += len(rest)
        parts = [*parts, rest] if size <= max_bytes else []
    if size:
        yield b"".join(parts) if size <= max_bytes else None


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK_BYTES)
    except OSError:  # the writer has closed the pipe
        return b""


class _Server:
    """Answers one client; responses may come in any order."""

    def __init__(self, protocol: Protocol, writing: int, warm_up: Callable[[], None]) -> None:
        self._protocol = protocol
        self._writing = writing
        self._writes = threading.Lock()
        self._client = Client()
        self._workers = Workers(self._run)
        self._warmer = _Warmer(warm_up)

    def receive(self, line: bytes | None) -> None:
        """Handle one line."""
        if line is not None and not line.strip():
            return
        message = TOO_LONG if line is None else read_message(line)
        self._deliver(self._protocol.receive(message, self._client))
        self._warmer.begin(is_urgent=getattr(message, "method", "") in ("tools/list", "tools/call"))

    def end(self) -> None:
        """Wait for running calls up to the grace period, then cancel the rest."""
        if not self._workers.wait(_GRACE_SECONDS):
            self._client.cancel_all()
            self._workers.wait(_STOPPING_SECONDS)
        for subscription in self._client.subscriptions():
            self._send(subscription.closing)

    def _deliver(self, outcome: Outcome) -> None:
        match outcome:
            case bytes():
                self._send(outcome)
            case Refusal():
                self._send(refusal_of(outcome))
            case Call() | BatchCall():
                self._workers.begin(outcome)
            case Subscription():
                self._send(outcome.opening)
            case None:
                pass

    def _run(self, call: Call | BatchCall) -> None:
        response = call.run(self._send)
        if response is not None:
            self._send(response)

    def _send(self, message: bytes) -> None:
        remaining = memoryview(message + b"\n")
        # A client that stopped reading will also close the input, which ends the server.
        with self._writes, suppress(OSError):
            while remaining:
                remaining = remaining[os.write(self._writing, remaining) :]


class _Warmer:
    """Runs the warm-up once in the background: after tools/list or tools/call, or after a pause."""

    def __init__(self, warm_up: Callable[[], None]) -> None:
        self._warm_up = warm_up
        self._is_due = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, *, is_urgent: bool) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._wait_and_run, daemon=True)
            self._thread.start()
        if is_urgent:
            self._is_due.set()

    def _wait_and_run(self) -> None:
        self._is_due.wait(_QUIET_SECONDS)
        self._warm_up()
