"""One HTTP/1.1 connection: reads requests and writes responses, with size and time limits.

Who may ask is judged on the head of a request; the body of a refused one is not kept.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import h11

from cruxe.serve.http.endpoint import Endpoint
from cruxe.serve.http.exchange import EventStream, HttpRequest, HttpResponse, Status, refused
from cruxe.serve.http.open_connections import OpenConnections, Stage
from cruxe.serve.mcp.messages import MAX_MESSAGE_BYTES

MAX_BODY_BYTES: Final = MAX_MESSAGE_BYTES  # a body is one message
MAX_HEAD_BYTES: Final = 32 * 1024
_CHUNK_BYTES: Final = 65_536
# Between requests; from the first byte of a head to its end; for a body or a response.
_IDLE_SECONDS: Final = 75.0
_HEAD_SECONDS: Final = 10.0
_ARRIVAL_SECONDS: Final = 30.0
# What a client still sends after a refusal is discarded, or it would not see the response.
_DISCARD_SECONDS: Final = 1.0
_MAX_DISCARDED_BYTES: Final = 256 * 1024
_TOO_LATE: Final = refused(Status.REQUEST_TIMEOUT, "the request took too long to arrive")
_EVENT_HEADERS: Final = (
    ("Content-Type", "text/event-stream"),
    ("Cache-Control", "no-cache, no-transform"),
    ("X-Accel-Buffering", "no"),
)
_SINGLE: Final = frozenset(
    {
        *("authorization", "content-type", "host", "origin"),
        *("mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id"),
    }
)
_TOO_LARGE: Final = refused(Status.CONTENT_TOO_LARGE, "the body is too large")
_TOO_LONG: Final = refused(Status.HEADERS_TOO_LARGE, "the head is too long")
_BUSY: Final = refused(Status.SERVICE_UNAVAILABLE, "too many large requests at once; try again")


class _RefusedError(Exception):
    """A request that is answered before its body is read completely."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__(response.status)
        self.response = response


class Connection:
    """Serves one client's connection until either side closes it."""

    def __init__(
        self,
        endpoint: Endpoint,
        among: OpenConnections,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        """Wrap an open connection, one among all of the server."""
        self._endpoint = endpoint
        self._among = among
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)
        self._when_gone: Callable[[], None] | None = None
        self._is_head = False
        self.stage = Stage.IDLE
        self.held_bytes = 0

    async def serve(self) -> None:
        """Answer requests one after the other until the connection closes."""
        try:
            while await self._serve_one():
                self._http.start_next_cycle()
        except (OSError, h11.LocalProtocolError):  # the client has gone
            pass
        finally:
            if self._when_gone is not None:
                self._when_gone()
            self._writer.close()

    def close(self) -> None:
        """Close the connection at once, also during a response."""
        self._writer.close()

    async def _serve_one(self) -> bool:
        """Answer one request; return whether another may follow."""
        self._among.free_bytes(self)
        self._among.enter(self, Stage.IDLE)
        self._when_gone = None
        try:
            request = await self._read_request()
        except _RefusedError as error:
            await self._refuse(error.response)
            return False
        except h11.RemoteProtocolError as error:
            response = refused(_status_of(error), "the request is not HTTP/1.1 as it should")
            await self._refuse(response)
            return False
        if request is None:
            return False
        self._among.enter(self, Stage.ANSWERING)
        watching = asyncio.ensure_future(self._watch())
        try:
            await self._answer(request)
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE

    async def _refuse(self, response: HttpResponse) -> None:
        """Send a refusal as the last response; discard some of what still arrives."""
        self._among.free_bytes(self)
        closing = (*response.headers, ("Connection", "close"))
        await self._send(response._replace(headers=closing))
        if self._writer.can_write_eof():
            self._writer.write_eof()
        discarded_bytes = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(_DISCARD_SECONDS):
                while discarded_bytes < _MAX_DISCARDED_BYTES:
                    data = await self._reader.read(_CHUNK_BYTES)
                    discarded_bytes += len(data)
                    if not data:
                        return

    async def _answer(self, request: HttpRequest) -> None:
        responded = await self._endpoint.respond(request, self._set_when_gone)
        if isinstance(responded, EventStream):
            await self._send_events(responded)
        else:
            await self._send(responded)

    async def _watch(self) -> None:
        """Detect that the client disconnects while its request runs."""
        waiting_bytes = 0
        while waiting_bytes < MAX_HEAD_BYTES:
            data = await self._reader.read(MAX_HEAD_BYTES - waiting_bytes)
            self._http.receive_data(data)
            waiting_bytes += len(data)
            if not data:
                if self._when_gone is not None:
                    self._when_gone()
                return

    def _set_when_gone(self, act: Callable[[], None]) -> None:
        self._when_gone = act

    async def _read_request(self) -> HttpRequest | None:
        """Read the next request; return None if the client disconnected or timed out."""
        head = await self._read_head()
        if head is None:
            return None
        self._among.enter(self, Stage.ARRIVING)
        self._is_head = head.method == b"HEAD"
        headers = _headers_of(head)
        refusal = self._endpoint.refusal_of(headers)
        if refusal is not None:
            raise _RefusedError(refusal)
        try:
            async with asyncio.timeout(_ARRIVAL_SECONDS):
                body = await self._read_body(headers)
        except TimeoutError:
            raise _RefusedError(_TOO_LATE) from None
        path = head.target.decode("ascii", "replace").partition("?")[0]
        return HttpRequest(
            method=head.method.decode("ascii"), path=path, headers=headers, body=body
        )

    async def _read_head(self) -> h11.Request | None:
        """Read a head; return None if the client disconnected or was too slow."""
        try:
            if not self._waiting_bytes:
                async with asyncio.timeout(_IDLE_SECONDS):
                    self._http.receive_data(await self._reader.read(MAX_HEAD_BYTES))
            async with asyncio.timeout(_HEAD_SECONDS):
                while (event := self._http.next_event()) is h11.NEED_DATA:
                    left = MAX_HEAD_BYTES - self._waiting_bytes
                    if left <= 0:
                        raise _RefusedError(_TOO_LONG)
                    self._http.receive_data(await self._reader.read(left))
        except TimeoutError:
            return None
        return event if isinstance(event, h11.Request) else None

    @property
    def _waiting_bytes(self) -> int:
        """How much was read and is not part of an event yet."""
        return len(self._http.trailing_data[0])

    async def _read_body(self, headers: Mapping[str, str]) -> bytes:
        if _is_longer(headers.get("content-length", "0")):
            raise _RefusedError(_TOO_LARGE)
        if self._http.they_are_waiting_for_100_continue:
            go_on = h11.InformationalResponse(status_code=100, headers=[])
            await self._write(self._http.send(go_on))
        body = bytearray()
        while isinstance(event := await self._next_event(), h11.Data):
            if len(body) + len(event.data) > MAX_BODY_BYTES:
                raise _RefusedError(_TOO_LARGE)
            if not self._among.take_bytes(self, len(event.data)):
                raise _RefusedError(_BUSY)
            body += event.data
        if event is None:
            raise ConnectionAbortedError("the client went in the middle of a body")
        return bytes(body)

    async def _next_event(self) -> h11.Event | None:
        """Read the next part of a body; return None if the client disconnected."""
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Event):
                return None if isinstance(event, h11.ConnectionClosed) else event
            self._http.receive_data(await self._reader.read(_CHUNK_BYTES))

    async def _send(self, response: HttpResponse) -> None:
        head = list(response.headers)
        if response.status is not Status.NO_CONTENT:
            head.append(("Content-Length", str(len(response.body))))
        if response.body:
            head.append(("Content-Type", response.content_type))
        await self._write(
            (self._http.send(h11.Response(status_code=response.status, headers=head)) or b"")
            + (self._http.send(h11.Data(data=b"" if self._is_head else response.body)) or b"")
            + (self._http.send(h11.EndOfMessage()) or b"")
        )

    async def _send_events(self, stream: EventStream) -> None:
        head = [*_EVENT_HEADERS, *stream.headers]
        await self._write(self._http.send(h11.Response(status_code=200, headers=head)))
        async for message in stream.messages:
            event = b":\n\n" if message is None else b"event: message\ndata: %s\n\n" % message
            await self._write(self._http.send(h11.Data(data=event)))
        await self._write(self._http.send(h11.EndOfMessage()))

    async def _write(self, data: bytes | None) -> None:
        self._writer.write(data or b"")
        try:
            async with asyncio.timeout(_ARRIVAL_SECONDS):
                await self._writer.drain()
        except TimeoutError:
            raise ConnectionAbortedError("the client does not read") from None


def _headers_of(head: h11.Request) -> dict[str, str]:
    """Return the headers by name; join repeated ones, refuse a repeated one that must be single."""
    headers: dict[str, str] = {}
    for name, value in head.headers:
        key = name.decode("ascii")
        if key in headers and key in _SINGLE:
            raise _RefusedError(refused(Status.BAD_REQUEST, f"the header {key} comes twice"))
        text = value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _is_longer(length: str) -> bool:
    return length.isdigit() and int(length) > MAX_BODY_BYTES


def _status_of(error: h11.RemoteProtocolError) -> Status:
    hint = error.error_status_hint
    return Status.HEADERS_TOO_LARGE if hint == Status.HEADERS_TOO_LARGE else Status.BAD_REQUEST
