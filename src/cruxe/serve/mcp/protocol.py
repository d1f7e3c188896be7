"""The MCP methods, independent of the transport.

Stateless and handshake revisions are supported at the same time. A request whose `_meta` names a
revision is stateless; any other belongs to an earlier handshake. Cheap methods are answered here.
A tool call is returned as a `Call` for the transport to run.
"""

import os.path
from json import dumps, loads
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cruxe import contract
from cruxe.model.levels import AnswerFormat
from cruxe.serve.dispatch import ClientSession, ToolCall
from cruxe.serve.mcp.calls import BatchCall, Call, Client, Progress
from cruxe.serve.mcp.messages import (
    CACHE_HINTS,
    HANDSHAKE,
    STATELESS,
    SUPPORTED,
    VERSION_KEY,
    Batch,
    Code,
    Mapping,
    Message,
    Notification,
    ProtocolError,
    Refusal,
    Request,
    RequestId,
    Response,
    Subscription,
    check_envelope,
    complete,
    has_batches,
    has_structured_content,
    meta_of,
    negotiate,
    refusal_of,
    result_of,
    server_info,
    speaks_for_itself,
    subscription_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from cruxe.serve.dispatch import Dispatcher

Outcome = bytes | Refusal | Call | BatchCall | Subscription | None

_NEED_AN_ERA: Final = frozenset(
    {"server/discover", "subscriptions/listen", "tools/list", "tools/call"}
)
_SHOWN_CHARACTERS: Final = 80


class ServerOptions(NamedTuple):
    """What a server offers to its clients."""

    profile: str = "core"
    is_structured: bool = False  # add `structuredContent` to results
    format: AnswerFormat = AnswerFormat.JSON  # of answers, unless a call names one


class Protocol:
    """Answers the messages of any number of clients."""

    def __init__(self, options: ServerOptions, dispatcher: "Callable[[], Dispatcher]") -> None:
        """Store the options; `dispatcher` is called on the first tool call."""
        self._is_structured = options.is_structured
        self._format = options.format
        self._dispatcher = dispatcher
        self._definitions = _read_definitions(options.profile)
        listed = cast("list[Mapping]", loads(self._definitions))
        self._names = [str(definition["name"]) for definition in listed]

    def receive(self, message: Message | Batch, client: Client) -> Outcome:
        """Handle a message; return the response to send, or a call to run first."""
        match message:
            case Batch():
                return self._receive_batch(message, client)
            case Refusal():
                return message
            case Request():
                return self._receive_request(message, client)
            case Notification(method="notifications/cancelled", params=params):
                client.cancel(params.get("requestId"))
                return None
            case Notification() | Response():
                return None

    def _receive_batch(self, batch: Batch, client: Client) -> Outcome:
        if client.revision is None or not has_batches(client.revision):
            return Refusal(code=Code.INVALID_REQUEST, message="batches are not taken")
        outcomes = [self.receive(message, client) for message in batch.messages]
        parts = [
            refusal_of(outcome) if isinstance(outcome, Refusal) else outcome
            for outcome in outcomes
            if isinstance(outcome, bytes | Refusal | Call)
        ]
        return BatchCall(parts) if parts else None

    def _receive_request(self, request: Request, client: Client) -> Outcome:
        try:
            if request.method == "initialize":
                return result_of(request.id, self._initialize(request.params, client))
            if request.method == "ping":
                return result_of(request.id, complete("") if speaks_for_itself(request) else "{}")
            if speaks_for_itself(request):
                return self._answer_alone(request, client)
            return self._answer_in_session(request, client)
        except ProtocolError as error:
            return Refusal(code=error.code, message=error.message, id=request.id, data=error.data)

    def _initialize(self, params: Mapping, client: Client) -> str:
        wanted = params.get("protocolVersion")
        if not isinstance(wanted, str):
            raise ProtocolError(
                Code.INVALID_PARAMS,
                "protocolVersion is not a string",
                {"supported": list(HANDSHAKE)},
            )
        client.revision = negotiate(wanted)
        about = f'{self._describe_self()},"serverInfo":{server_info()}'
        return f'{{"protocolVersion":"{client.revision}",{about}}}'

    def _answer_alone(self, request: Request, client: Client) -> Outcome:
        """Answer a request of the stateless revision."""
        check_envelope(request)
        match request.method:
            case "server/discover":
                versions = dumps(SUPPORTED, separators=(",", ":"))
                described = self._describe_self()
                fields = f'"supportedVersions":{versions},{described},{CACHE_HINTS}'
                return result_of(request.id, complete(fields))
            case "tools/list":
                return result_of(request.id, complete(f"{self._list(request)},{CACHE_HINTS}"))
            case "tools/call":
                session = ClientSession(is_lasting=False)
                return client.begin(self._call(request, STATELESS, session))
            case "subscriptions/listen":
                return client.subscribe(subscription_of(request))
            case _:
                raise _no_method(request)

    def _answer_in_session(self, request: Request, client: Client) -> Outcome:
        """Answer a request that belongs to a handshake."""
        if client.revision is None:
            raise _no_era(request)
        match request.method:
            case "tools/list":
                return result_of(request.id, f"{{{self._list(request)}}}")
            case "tools/call":
                return client.begin(self._call(request, client.revision, client.session))
            case _:
                raise _no_method(request)

    def _describe_self(self) -> str:
        from cruxe.contract.instructions import INSTRUCTIONS

        text = INSTRUCTIONS[self._format]
        return f'"capabilities":{{"tools":{{}}}},"instructions":{dumps(text)}'

    def _list(self, request: Request) -> str:
        if request.params.get("cursor") is not None:
            raise ProtocolError(Code.INVALID_PARAMS, "all tools are on the first page")
        return f'"tools":{self._definitions}'

    def _call(self, request: Request, revision: str, session: ClientSession) -> Call:
        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str):
            raise ProtocolError(Code.INVALID_PARAMS, "name is not a string")
        if arguments is not None and not isinstance(arguments, dict):
            raise ProtocolError(Code.INVALID_PARAMS, "arguments is not an object")
        if name not in self._names:
            raise self._no_tool(name)

        def work(progress: Progress) -> str:
            from cruxe.contract.catalogue import TOOLS_BY_NAME

            call = ToolCall(
                tool=TOOLS_BY_NAME[name],
                arguments=arguments or {},
                session=session,
                progress=progress,
                usual_format=self._format,
            )
            return self._result_of(call, revision)

        return Call(request.id, work, _progress_token(request))

    def _result_of(self, call: ToolCall, revision: str) -> str:
        reply = self._dispatcher().answer(call)
        fields = f'"content":[{{"type":"text","text":{dumps(reply.payload, ensure_ascii=False)}}}]'
        if self._is_structured and has_structured_content(revision):
            fields += f',"structuredContent":{reply.as_json()}'
        fields += f',"isError":{"true" if reply.is_error else "false"}'
        return complete(fields) if revision == STATELESS else f"{{{fields}}}"

    def _no_tool(self, name: str) -> ProtocolError:
        from cruxe.model.choices import nearest_hint

        shown = name[:_SHOWN_CHARACTERS]
        hint = nearest_hint(shown, self._names)
        return ProtocolError(Code.INVALID_PARAMS, f"Unknown tool: {shown}{hint}")


def _read_definitions(profile: str) -> str:
    """Read a profile's tool definitions, which are generated ahead so that listing is cheap."""
    folder = os.path.dirname(contract.__file__)
    with open(os.path.join(folder, "definitions", f"{profile}.json"), encoding="utf-8") as file:
        return file.read().replace("\n", "")


def _progress_token(request: Request) -> RequestId | None:
    token = meta_of(request).get("progressToken")
    return token if isinstance(token, int | str) and not isinstance(token, bool) else None


def _no_era(request: Request) -> ProtocolError:
    if request.method not in _NEED_AN_ERA:
        return _no_method(request)
    return ProtocolError(
        Code.INVALID_PARAMS,
        f"send initialize first, or name {VERSION_KEY} in params._meta",
        {"supported": list(SUPPORTED)},
    )


def _no_method(request: Request) -> ProtocolError:
    shown = request.method[:_SHOWN_CHARACTERS]
    return ProtocolError(Code.METHOD_NOT_FOUND, f"Method not found: {shown}")
