"""The HTTP server: listens, serves connections concurrently and shuts down gracefully."""

import asyncio
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import InvalidInputError
from cruxe.serve.http.connection import Connection
from cruxe.serve.http.endpoint import MCP_PATH, Endpoint
from cruxe.serve.http.guard import Guard
from cruxe.serve.http.open_connections import OpenConnections, Stage
from cruxe.serve.mcp.protocol import Protocol

if TYPE_CHECKING:
    from cruxe.serve.dispatch import Dispatcher

_WORKERS: Final = 8
# Of each connection; asyncio stops reading from a socket at twice as much.
_READ_AHEAD_BYTES: Final = 16 * 1024
# How long running requests may take to finish after the signal to stop.
_GRACE_SECONDS: Final = 5.0


class Listening(NamedTuple):
    """The address to listen on; port 0 picks a free port."""

    host: str
    port: int


def serve_http(
    listening: Listening,
    guard: Guard,
    protocol: Protocol,
    dispatcher: "Callable[[], Dispatcher]",
    on_ready: Callable[[str], None],
) -> None:
    """Serve until a signal or Ctrl-C; call `on_ready` with the address once it listens."""
    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="cruxe-call") as pool:
        endpoint_of = lambda: Endpoint(protocol, guard, dispatcher, pool)  # noqa: E731
        asyncio.run(_serve(listening, endpoint_of, on_ready))


async def _serve(
    listening: Listening, endpoint_of: Callable[[], Endpoint], on_ready: Callable[[str], None]
) -> None:
    server = _Server(endpoint_of())
    try:
        listener = await asyncio.start_server(
            server.accept, listening.host, listening.port, limit=_READ_AHEAD_BYTES
        )
    except OSError as error:
        raise InvalidInputError(
            f"cannot listen on {listening.host}:{listening.port}: {error.strerror}",
            remedy="choose another --host or --port",
            data={"field": "port"},
        ) from error
    on_ready(_address_of(listener))
    await _told_to_end()
    listener.close()
    await server.end()


class _Server:
    """The connections of one listener."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._open = OpenConnections()
        self._tasks: dict[Connection, asyncio.Task[None]] = {}

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a new connection in its own task."""
        connection = Connection(self._endpoint, self._open, reader, writer)
        if not self._open.admit(connection):
            writer.close()
            return
        task = asyncio.ensure_future(connection.serve())
        self._tasks[connection] = task
        task.add_done_callback(lambda _: self._forget(connection))

    def _forget(self, connection: Connection) -> None:
        self._open.leave(connection)
        self._tasks.pop(connection, None)

    async def end(self) -> None:
        """Wait for running responses up to the grace period, then close all connections."""
        self._endpoint.end()
        for connection in list(self._tasks):
            if connection.stage is Stage.IDLE:
                connection.close()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=_GRACE_SECONDS)
        for connection, task in list(self._tasks.items()):
            connection.close()
            task.cancel()


async def _told_to_end() -> None:
    ending = asyncio.Event()
    if sys.platform == "win32":
        await ending.wait()  # ends by Ctrl-C, which asyncio turns into a cancellation
        return
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, ending.set)
    await ending.wait()


def _address_of(listener: asyncio.Server) -> str:
    host, port = listener.sockets[0].getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}{MCP_PATH}"
