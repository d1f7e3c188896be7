"""A client that goes: its stateless request is cancelled, the request of a session is not."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest

from cruxe.hosting.workspaces import ServingOptions, Workspaces
from cruxe.model.deadlines import CallCancelledError
from cruxe.serve.dispatch import Dispatcher, Reply, ToolCall
from cruxe.serve.http import connection
from cruxe.serve.http.connection import Connection
from cruxe.serve.http.endpoint import Endpoint
from cruxe.serve.http.guard import guard_of
from cruxe.serve.http.open_connections import OpenConnections
from cruxe.serve.mcp.protocol import Protocol, ServerOptions
from tests.requirements import requirement
from tests.support.wires import initialize, stateless, tool_call

_PATIENCE_SECONDS: Final = 30.0
_LOCATE: Final = {"name": "locate_symbol", "arguments": {"name": "x"}}
_STATELESS_HEAD: Final = (
    "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: locate_symbol\r\n"
)


class Endless(Dispatcher):
    """Answers a call only when it is cancelled, or told to."""

    def __init__(self) -> None:
        super().__init__(Workspaces(ServingOptions()))
        self.begun, self.cancelled, self.told = (threading.Event() for _ in range(3))

    def answer(self, call: ToolCall) -> Reply:
        assert call.progress is not None
        self.begun.set()
        try:
            while not self.told.is_set():
                call.progress(0, 1)
                time.sleep(0.005)
        except CallCancelledError:
            self.cancelled.set()
            raise
        return Reply("{}", is_error=False)


@requirement("MCP-CANCEL")
def test_whoever_closes_the_connection_has_cancelled_a_stateless_request() -> None:
    endless = Endless()

    async def go_away(port: int) -> None:
        call = stateless("tools/call", dict(_LOCATE))
        await _send_and_leave(port, _STATELESS_HEAD, call, endless)
        assert await asyncio.to_thread(endless.cancelled.wait, _PATIENCE_SECONDS)

    _serve(endless, go_away)


@requirement("MCP-CANCEL")
def test_a_request_of_a_session_goes_on_without_its_connection() -> None:
    endless = Endless()

    async def go_away(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(_post("", initialize()))
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        session = next(line for line in head.split("\r\n") if line.startswith("Mcp-Session-Id"))
        writer.close()
        call = tool_call("locate_symbol", {"name": "x"})
        await _send_and_leave(port, f"{session}\r\n", call, endless)
        assert not await asyncio.to_thread(endless.cancelled.wait, 0.2)
        endless.told.set()

    _serve(endless, go_away)
    assert not endless.cancelled.is_set()


def _serve(endless: Endless, client: Callable[[int], Awaitable[None]]) -> None:
    async def serve() -> None:
        with ThreadPoolExecutor(4) as pool:
            protocol = Protocol(ServerOptions(), lambda: endless)
            endpoint = Endpoint(protocol, guard_of("127.0.0.1", [], None), lambda: endless, pool)
            server = await asyncio.start_server(
                lambda *streams: Connection(endpoint, OpenConnections(), *streams).serve(),
                "127.0.0.1",
                0,
            )
            async with server:
                await client(server.sockets[0].getsockname()[1])

    asyncio.run(serve())


async def _send_and_leave(port: int, head: str, body: bytes, endless: Endless) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_post(head, body))
    await writer.drain()
    assert await asyncio.to_thread(endless.begun.wait, _PATIENCE_SECONDS)
    writer.close()


def _post(head: str, body: bytes) -> bytes:
    lines = (
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n{head}\r\n"
    )
    return lines.encode() + body


@requirement("MCP-HTTP-LIMITS")
@pytest.mark.parametrize("sent", [b"", b"POST /mcp HTTP/1.1\r\nHost: local"])
def test_a_head_that_does_not_come_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(connection, "_IDLE_SECONDS", 0.02)
    monkeypatch.setattr(connection, "_HEAD_SECONDS", 0.02)

    async def wait(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        async with asyncio.timeout(_PATIENCE_SECONDS):
            assert await reader.read() == b""
        writer.close()

    _serve(Endless(), wait)
