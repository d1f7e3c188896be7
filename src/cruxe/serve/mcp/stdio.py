"""The protocol over standard input and output: one message a line.

A loop reads and answers what takes no time; threads run the tool calls. Nothing but messages can
reach the client: its streams are taken away from everything else, child processes included.
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
    read_message,
    refusal_of,
)
from cruxe.serve.mcp.protocol import Outcome, Protocol
from cruxe.serve.mcp.revisions import Subscription
from cruxe.serve.mcp.workers import Workers

_CHUNK_BYTES: Final = 65_536
# Calls that were sent just before the input ended are still answered, on a busy machine too.
_GRACE_SECONDS: Final = 20.0
_STOPPING_SECONDS: Final = 2.0
# Long enough for a client to list the tools after its handshake.
_QUIET_SECONDS: Final = 0.5


class Streams(NamedTuple):
    """The file descriptors of the client's streams, private to the server."""

    reading: int
    writing: int


def take_streams() -> Streams:
    """Take standard input and output; what others print goes to standard error from now on."""
    sys.stdout.flush()
    taken = Streams(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return taken


def serve_stdio(protocol: Protocol, streams: Streams, warm_up: Callable[[], None]) -> None:
    """Serve until the input ends; warming up begins once the client has what it starts with."""
    server = _Server(protocol, streams.writing, warm_up)
    for line in read_lines(streams.reading, MAX_MESSAGE_BYTES):
        server.receive(line)
    server.end()


def read_lines(descriptor: int, max_bytes: int) -> Iterator[bytes | None]:
    """The lines of a stream, without their ends; nothing for one that is too long."""
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
    except OSError:  # whoever wrote is gone
        return b""


class _Server:
    """The client's end of a server: what it sends is answered, in any order."""

    def __init__(self, protocol: Protocol, writing: int, warm_up: Callable[[], None]) -> None:
        self._protocol = protocol
        self._writing = writing
        self._writes = threading.Lock()
        self._client = Client()
        self._workers = Workers(self._run)
        self._warmer = _Warmer(warm_up)

    def receive(self, line: bytes | None) -> None:
        """Take one line."""
        if line is not None and not line.strip():
            return
        message = TOO_LONG if line is None else read_message(line)
        self._deliver(self._protocol.receive(message, self._client))
        self._warmer.begin(is_urgent=getattr(message, "method", "") in ("tools/list", "tools/call"))

    def end(self) -> None:
        """Let calls finish that soon will, and stop the others."""
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
        # A client that no longer reads will close its other stream too.
        with self._writes, suppress(OSError):
            while remaining:
                remaining = remaining[os.write(self._writing, remaining) :]


class _Warmer:
    """Runs one thing in the background, once the client is served or has gone quiet."""

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
