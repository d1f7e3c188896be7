"""Routes HTTP requests: the MCP endpoint and `/health`.

After a handshake a client has a session, named in a header. Requests of the stateless revision
have no session and are cancelled when their connection closes.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from cruxe.serve.http import headers
from cruxe.serve.http.exchange import EventStream, HttpRequest, HttpResponse, Status, refused
from cruxe.serve.http.guard import Guard
from cruxe.serve.http.sessions import Sessions
from cruxe.serve.mcp.calls import BatchCall, Call, Client
from cruxe.serve.mcp.messages import (
    Batch,
    Code,
    Message,
    ProtocolError,
    Refusal,
    Request,
    Subscription,
    read_message,
    refusal_of,
    speaks_for_itself,
)
from cruxe.serve.mcp.protocol import Outcome, Protocol

if TYPE_CHECKING:
    from cruxe.serve.dispatch import Dispatcher

MCP_PATH: Final = "/mcp"
HEALTH_PATH: Final = "/health"
_KEEP_ALIVE_SECONDS: Final = 15.0
_EVENTS: Final = "text/event-stream"
_STATUSES: Final = {
    Code.PARSE_ERROR: Status.BAD_REQUEST,
    Code.INVALID_REQUEST: Status.BAD_REQUEST,
    Code.INVALID_PARAMS: Status.BAD_REQUEST,
    Code.HEADER_MISMATCH: Status.BAD_REQUEST,
    Code.UNSUPPORTED_VERSION: Status.BAD_REQUEST,
    Code.METHOD_NOT_FOUND: Status.NOT_FOUND,
}
# Within a session these errors are sent as ordinary responses with status 200.
_SESSION_STATUSES: Final = {
    Code.INVALID_PARAMS: Status.OK,
    Code.METHOD_NOT_FOUND: Status.OK,
}

Work = Call | BatchCall
Responded = HttpResponse | EventStream
OnGone = Callable[[Callable[[], None]], None]  # registers a callback for the end of the connection


class Endpoint:
    """Answers requests in one event loop and runs tool calls in a thread pool."""

    def __init__(
        self,
        protocol: Protocol,
        guard: Guard,
        dispatcher: "Callable[[], Dispatcher]",
        pool: ThreadPoolExecutor,
    ) -> None:
        """Start without sessions."""
        self._protocol = protocol
        self._guard = guard
        self._dispatcher = dispatcher
        self._pool = pool
        self._sessions = Sessions()
        self._ending = asyncio.Event()

    def end(self) -> None:
        """Cancel the calls of all sessions and end all subscriptions."""
        self._sessions.end_all()
        self._ending.set()

    def refusal_of(self, headers: Mapping[str, str]) -> HttpResponse | None:
        """Return the response that rejects a request by its headers, or None if it is allowed."""
        return self._guard.refusal_of(headers)

    async def respond(self, request: HttpRequest, on_gone: OnGone) -> Responded:
        """Answer one request that was not refused by its headers."""
        match (request.path, request.method):
            case ("/mcp", "POST"):
                return await self._post(request, on_gone)
            case ("/mcp", "DELETE"):
                return self._delete(request)
            case ("/health", "GET"):
                return await self._health()
            case ("/mcp" | "/health" as path, _):
                allowed = "POST, DELETE" if path == MCP_PATH else "GET"
                return refused(Status.METHOD_NOT_ALLOWED, f"use {allowed}", (("Allow", allowed),))
            case _:
                return refused(Status.NOT_FOUND, f"the endpoint is {MCP_PATH}")

    async def _post(self, request: HttpRequest, on_gone: OnGone) -> Responded:
        if not headers.sends_json(request):
            return refused(Status.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json")
        if not headers.accepts(request, "application/json"):
            return refused(Status.NOT_ACCEPTABLE, f"accept application/json and {_EVENTS}")
        message = read_message(request.body)
        try:
            if isinstance(message, Request) and speaks_for_itself(message):
                headers.check_mirrored(request, message)
                return await self._answer_alone(request, message, on_gone)
            return await self._answer_in_session(request, message)
        except ProtocolError as error:
            request_id = message.id if isinstance(message, Request) else None
            refusal = Refusal(
                code=error.code, message=error.message, id=request_id, data=error.data
            )
            return _refused(refusal, _STATUSES)

    async def _answer_alone(
        self, request: HttpRequest, message: Request, on_gone: OnGone
    ) -> Responded:
        """Answer a stateless request; closing the connection cancels it."""
        outcome = self._protocol.receive(message, Client())
        if isinstance(outcome, Call):
            on_gone(outcome.cancel)
        return await self._carry_out(request, outcome, _STATUSES)

    async def _answer_in_session(self, request: HttpRequest, message: Message | Batch) -> Responded:
        headers.check_version(request)
        session_id = request.headers.get(headers.SESSION)
        client = Client() if session_id is None else self._sessions.find(session_id)
        if client is None:
            return refused(Status.NOT_FOUND, "there is no such session; send initialize")
        statuses = _STATUSES if client.revision is None else _STATUSES | _SESSION_STATUSES
        outcome = self._protocol.receive(message, client)
        responded = await self._carry_out(request, outcome, statuses)
        if session_id is None and client.revision is not None:
            opened = (("Mcp-Session-Id", self._sessions.open(client)),)
            return responded._replace(headers=opened)
        return responded

    async def _carry_out(
        self, request: HttpRequest, outcome: Outcome, statuses: dict[Code, Status]
    ) -> Responded:
        match outcome:
            case None:
                return HttpResponse(Status.ACCEPTED)
            case bytes():
                return HttpResponse(status=Status.OK, body=outcome)
            case Refusal():
                return _refused(outcome, statuses)
            case Subscription() | Call() if _is_streamed(outcome, request):
                return EventStream(self._stream(outcome))
            case Subscription():
                return refused(Status.NOT_ACCEPTABLE, f"a subscription is {_EVENTS}")
            case Call() | BatchCall():
                response = await self._run(outcome, _drop)
                status = Status.NO_CONTENT if response is None else Status.OK
                return HttpResponse(status=status, body=response or b"")

    async def _run(self, work: Work, notify: Callable[[bytes], None]) -> bytes | None:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, work.run, notify)

    def _stream(self, outcome: Call | Subscription) -> AsyncIterator[bytes | None]:
        if isinstance(outcome, Call):
            return self._stream_call(outcome)
        return self._stream_subscription(outcome)

    async def _stream_call(self, call: Call) -> AsyncIterator[bytes | None]:
        """Yield the notifications of a call, then its response."""
        loop = asyncio.get_running_loop()
        told: asyncio.Queue[bytes | None] = asyncio.Queue()

        def notify(message: bytes) -> None:
            loop.call_soon_threadsafe(told.put_nowait, message)

        running = asyncio.ensure_future(self._run(call, notify))
        running.add_done_callback(lambda _: told.put_nowait(None))
        while (message := await told.get()) is not None:
            yield message
        response = await running
        if response is not None:
            yield response

    async def _stream_subscription(self, subscription: Subscription) -> AsyncIterator[bytes | None]:
        yield subscription.opening
        while not self._ending.is_set():
            try:
                await asyncio.wait_for(self._ending.wait(), _KEEP_ALIVE_SECONDS)
            except TimeoutError:
                yield None
        yield subscription.closing

    def _delete(self, request: HttpRequest) -> HttpResponse:
        session_id = request.headers.get(headers.SESSION)
        if session_id is None:
            return refused(Status.METHOD_NOT_ALLOWED, "there is no session", (("Allow", "POST"),))
        if not self._sessions.end(session_id):
            return refused(Status.NOT_FOUND, "there is no such session")
        return HttpResponse(Status.NO_CONTENT)

    async def _health(self) -> HttpResponse:
        """Return the result of `health_check`, for monitoring."""
        loop = asyncio.get_running_loop()
        text, is_sound = await loop.run_in_executor(self._pool, self._look_at_health)
        return HttpResponse(status=Status.OK if is_sound else Status.SERVICE_UNAVAILABLE, body=text)

    def _look_at_health(self) -> tuple[bytes, bool]:
        from json import loads

        from cruxe.contract.catalogue import TOOLS_BY_NAME
        from cruxe.serve.dispatch import ClientSession, ToolCall

        reply = self._dispatcher().answer(
            ToolCall(tool=TOOLS_BY_NAME["health_check"], arguments={}, session=ClientSession())
        )
        is_sound = not reply.is_error and loads(reply.payload).get("status") != "error"
        return reply.payload.encode(), is_sound


def _is_streamed(outcome: Call | Subscription, request: HttpRequest) -> bool:
    """Return whether to respond as an event stream: for subscriptions and calls with progress."""
    is_wanted = isinstance(outcome, Subscription) or outcome.token is not None
    return is_wanted and headers.accepts(request, _EVENTS)


def _refused(refusal: Refusal, statuses: dict[Code, Status]) -> HttpResponse:
    return HttpResponse(status=statuses.get(refusal.code, Status.OK), body=refusal_of(refusal))


def _drop(_: bytes) -> None:
    """Discard a progress notification, since without a stream it cannot be sent."""
