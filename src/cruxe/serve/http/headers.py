"""Reads the HTTP headers of a request and checks that they agree with its message."""

from base64 import b64decode
from typing import Final

from cruxe.serve.http.exchange import HttpRequest
from cruxe.serve.mcp.messages import SUPPORTED, VERSION_KEY, Code, ProtocolError, Request, meta_of

VERSION: Final = "mcp-protocol-version"
SESSION: Final = "mcp-session-id"
_METHOD: Final = "mcp-method"
_NAME: Final = "mcp-name"
_ENCODED: Final = ("=?base64?", "?=")


def accepts(request: HttpRequest, content_type: str) -> bool:
    """Return whether the client accepts a content type; without `Accept` it accepts any."""
    family = content_type.partition("/")[0]
    taken = request.headers.get("accept", "*/*")
    types = {part.partition(";")[0].strip().lower() for part in taken.split(",")}
    return bool(types & {content_type, f"{family}/*", "*/*"})


def sends_json(request: HttpRequest) -> bool:
    """Return whether `Content-Type` is JSON."""
    content_type = request.headers.get("content-type", "")
    return content_type.partition(";")[0].strip().lower() == "application/json"


def check_mirrored(request: HttpRequest, message: Request) -> None:
    """Raise if the headers of a stateless request do not repeat the fields of its body."""
    _check(VERSION, request.headers.get(VERSION), meta_of(message)[VERSION_KEY])
    _check(_METHOD, request.headers.get(_METHOD), message.method)
    if message.method == "tools/call":
        _check(_NAME, _decoded(request.headers.get(_NAME)), message.params.get("name"))


def check_version(request: HttpRequest) -> None:
    """Raise if a request of a session names an unsupported revision."""
    version = request.headers.get(VERSION)
    if version is not None and version not in SUPPORTED:
        raise ProtocolError(
            Code.UNSUPPORTED_VERSION,
            "Unsupported protocol version",
            {"supported": list(SUPPORTED), "requested": version},
        )


def _check(header: str, value: str | None, wanted: object) -> None:
    if value is None:
        raise ProtocolError(Code.HEADER_MISMATCH, f"the header {header} is missing")
    if value != wanted:
        raise ProtocolError(
            Code.HEADER_MISMATCH, f"the header {header} does not say what the body says"
        )


def _decoded(value: str | None) -> str | None:
    """Decode a header value, which is wrapped in base64 if it is not plain ASCII."""
    start, end = _ENCODED
    if value is None or not (value.startswith(start) and value.endswith(end)):
        return value
    try:
        return b64decode(value[len(start) : -len(end)], validate=True).decode()
    except ValueError:
        return None
