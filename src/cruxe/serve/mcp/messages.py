"""The messages of MCP: JSON-RPC decoded and encoded, the revisions, and what they add to messages.

Decoding never raises: an invalid message becomes a `Refusal` with the reason.
"""

from enum import IntEnum
from json import dumps, loads
from typing import Final, NamedTuple, NoReturn, cast

RequestId = int | str
Mapping = dict[str, object]

MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
_VERSION: Final = "2.0"


class Code(IntEnum):
    """The error codes of JSON-RPC and of the protocol."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    HEADER_MISMATCH = -32020
    UNSUPPORTED_VERSION = -32022


class Request(NamedTuple):
    """A message that expects a response."""

    id: RequestId
    method: str
    params: Mapping


class Notification(NamedTuple):
    """A message that expects no response."""

    method: str
    params: Mapping


class Response(NamedTuple):
    """A response from the client; ignored, since the server sends no requests."""


class Refusal(NamedTuple):
    """An error response to a message or request that is invalid."""

    code: Code
    message: str
    id: RequestId | None = None  # None if it could not be read
    data: Mapping | None = None


Message = Request | Notification | Response | Refusal

TOO_LONG: Final = Refusal(
    code=Code.INVALID_REQUEST, message=f"the message is longer than {MAX_MESSAGE_BYTES} bytes"
)


class Batch(NamedTuple):
    """Several messages sent as one JSON array."""

    messages: list[Message]


class ProtocolError(Exception):
    """An invalid request; becomes a `Refusal` with the request's id."""

    def __init__(self, code: Code, message: str, data: Mapping | None = None) -> None:
        """Store the error code, message and data."""
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


def read_message(data: bytes) -> Message | Batch:
    """Decode one message or a batch."""
    try:
        decoded: object = loads(data.decode(), parse_constant=_refuse_constant)
    except RecursionError:
        return Refusal(code=Code.PARSE_ERROR, message="the message is nested too deep")
    except ValueError as error:  # includes invalid UTF-8 and integers over Python's digit limit
        return Refusal(code=Code.PARSE_ERROR, message=f"the message is not JSON: {_told(error)}")
    if not isinstance(decoded, list):
        return _read_one(decoded)
    members = cast("list[object]", decoded)
    if not members:
        return Refusal(code=Code.INVALID_REQUEST, message="the batch is empty")
    return Batch([_read_one(member) for member in members])


def result_of(request_id: RequestId, result: str) -> bytes:
    """Encode a successful response; `result` is JSON already."""
    return f'{{"jsonrpc":"2.0","id":{dumps(request_id)},"result":{result}}}'.encode()


def refusal_of(refusal: Refusal) -> bytes:
    """Encode an error response."""
    error: Mapping = {"code": int(refusal.code), "message": refusal.message}
    if refusal.data is not None:
        error["data"] = refusal.data
    response: Mapping = {"jsonrpc": _VERSION}
    if refusal.id is not None:
        response["id"] = refusal.id
    return compact(response | {"error": error})


def notification_of(method: str, params: Mapping) -> bytes:
    """Encode a notification."""
    return compact({"jsonrpc": _VERSION, "method": method, "params": params})


def batch_of(responses: list[bytes]) -> bytes:
    """Join the responses to a batch."""
    return b"[" + b",".join(responses) + b"]"


def compact(value: object) -> bytes:
    """Encode as JSON without spaces; non-ASCII characters are escaped."""
    return dumps(value, separators=(",", ":")).encode()


def _read_one(decoded: object) -> Message:
    if not isinstance(decoded, dict):
        return Refusal(code=Code.INVALID_REQUEST, message="a message is an object")
    message = cast("Mapping", decoded)
    request_id = message.get("id")
    known_id = request_id if _is_id(request_id) else None
    if problem := _problem_of(message):
        return Refusal(
            code=Code.INVALID_REQUEST, message=problem, id=cast("RequestId | None", known_id)
        )
    if "method" not in message:
        return Response()
    method, params = str(message["method"]), cast("Mapping", message.get("params") or {})
    if "id" not in message:
        return Notification(method, params)
    return Request(cast("RequestId", request_id), method, params)


def _problem_of(message: Mapping) -> str | None:
    if message.get("jsonrpc") != _VERSION:
        return 'jsonrpc is not "2.0"'
    if "method" not in message:
        return None if "result" in message or "error" in message else "method is missing"
    if not isinstance(message["method"], str):
        return "method is not a string"
    if "id" in message and not _is_id(message["id"]):
        return "id is neither a string nor a whole number"
    if not isinstance(message.get("params") or {}, dict):
        return "params is not an object"
    return None


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no value of JSON")


def _told(error: ValueError) -> str:
    """Return the decoder's reason without the text of the message."""
    reason = getattr(error, "msg", None) or getattr(error, "reason", None)
    return reason if isinstance(reason, str) else str(error)


STATELESS: Final = "2026-07-28"  # every request names its revision; there is no session
HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # newest first
SUPPORTED: Final = (STATELESS, *HANDSHAKE)
# The revision of an HTTP request that names none and belongs to no session.
ASSUMED: Final = "2025-03-26"

_BATCHES_UNTIL: Final = "2025-03-26"
_STRUCTURED_SINCE: Final = "2025-06-18"


def negotiate(wanted: str) -> str:
    """Return the revision for a handshake: the one requested if supported, else the newest."""
    return wanted if wanted in HANDSHAKE else HANDSHAKE[0]


def has_batches(revision: str) -> bool:
    """Return whether the revision allows JSON-RPC batches."""
    return revision <= _BATCHES_UNTIL


def has_structured_content(revision: str) -> bool:
    """Return whether a result may have `structuredContent` besides its text."""
    return revision >= _STRUCTURED_SINCE


_PREFIX: Final = "io.modelcontextprotocol/"
VERSION_KEY: Final = f"{_PREFIX}protocolVersion"
_CAPABILITIES_KEY: Final = f"{_PREFIX}clientCapabilities"
_SUBSCRIPTION_KEY: Final = f"{_PREFIX}subscriptionId"
_SERVER_INFO_KEY: Final = f"{_PREFIX}serverInfo"
# Lists change only with the version of Cruxe.
CACHE_HINTS: Final = '"ttlMs":3600000,"cacheScope":"public"'


class Subscription(NamedTuple):
    """A stream that stays open until the client or the server ends it."""

    id: RequestId
    opening: bytes
    closing: bytes


def meta_of(request: Request) -> Mapping:
    """Return the `_meta` of a request, empty if it has none."""
    meta = request.params.get("_meta")
    return cast("Mapping", meta) if isinstance(meta, dict) else {}


def speaks_for_itself(request: Request) -> bool:
    """Return whether a request names its revision and so needs no handshake."""
    return VERSION_KEY in meta_of(request)


def check_envelope(request: Request) -> None:
    """Raise if a stateless request lacks required `_meta` or names an unsupported revision."""
    meta = meta_of(request)
    version = meta[VERSION_KEY]
    if not isinstance(version, str):
        raise ProtocolError(Code.INVALID_PARAMS, f"{VERSION_KEY} is not a string")
    if version != STATELESS:
        raise ProtocolError(
            Code.UNSUPPORTED_VERSION,
            "Unsupported protocol version",
            {"supported": list(SUPPORTED), "requested": version},
        )
    if not isinstance(meta.get(_CAPABILITIES_KEY), dict):
        raise ProtocolError(Code.INVALID_PARAMS, f"{_CAPABILITIES_KEY} is not an object")


def complete(fields: str) -> str:
    """Build a result of the stateless revision; `fields` is JSON already."""
    separator = "," if fields else ""
    meta = f'"_meta":{{{dumps(_SERVER_INFO_KEY)}:{server_info()}}}'
    return f'{{"resultType":"complete",{fields}{separator}{meta}}}'


def server_info() -> str:
    """Return name and version of the server as JSON."""
    from cruxe import __version__

    return f'{{"name":"cruxe","title":"Cruxe","version":{dumps(__version__)}}}'


def subscription_of(request: Request) -> Subscription:
    """Open a subscription that promises no events, since nothing it could report ever changes."""
    meta: Mapping = {_SUBSCRIPTION_KEY: request.id}
    opening = notification_of(
        "notifications/subscriptions/acknowledged", {"_meta": meta, "notifications": {}}
    )
    ended = dumps({"resultType": "complete", "_meta": meta}, separators=(",", ":"))
    return Subscription(request.id, opening, result_of(request.id, ended))
