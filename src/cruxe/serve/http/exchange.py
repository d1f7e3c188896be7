"""HTTP requests and responses as values, without sockets."""

from collections.abc import AsyncIterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from cruxe.serve.mcp.messages import Code, Refusal, refusal_of


class Status(IntEnum):
    """The HTTP status codes that the server sends."""

    OK = 200
    ACCEPTED = 202
    NO_CONTENT = 204
    BAD_REQUEST = 400
    UNAUTHORIZED = 401
    FORBIDDEN = 403
    NOT_FOUND = 404
    METHOD_NOT_ALLOWED = 405
    NOT_ACCEPTABLE = 406
    REQUEST_TIMEOUT = 408
    CONTENT_TOO_LARGE = 413
    UNSUPPORTED_MEDIA_TYPE = 415
    MISDIRECTED_REQUEST = 421
    HEADERS_TOO_LARGE = 431
    SERVICE_UNAVAILABLE = 503


class HttpRequest(NamedTuple):
    """A complete request; header names are in lower case."""

    method: str
    path: str  # without the query
    headers: Mapping[str, str]
    body: bytes = b""


class HttpResponse(NamedTuple):
    """A response with its whole body."""

    status: Status
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str = "application/json"


class EventStream(NamedTuple):
    """A response that is sent as server-sent events."""

    messages: AsyncIterator[bytes | None]  # None: send a keep-alive comment
    headers: tuple[tuple[str, str], ...] = ()


def refused(
    status: Status, message: str, headers: tuple[tuple[str, str], ...] = ()
) -> HttpResponse:
    """Build the response to a rejected request: a JSON-RPC error without an id."""
    body = refusal_of(Refusal(code=Code.INVALID_REQUEST, message=message))
    return HttpResponse(status=status, body=body, headers=headers)
