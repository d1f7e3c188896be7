"""What the headers of a request say about its message, and whether both agree."""

from base64 import b64decode
from typing import Final

from cruxe.serve.http.exchange import HttpRequest
from cruxe.serve.mcp import revisions
from cruxe.serve.mcp.messages import Code, ProtocolError, Request
from cruxe.serve.mcp.revisions import VERSION_KEY, meta_of

VERSION: Final = "mcp-protocol-version"
SESSION: Final = "mcp-session-id"
_METHOD: Final = "mcp-method"
_NAME: Final = "mcp-name"
_ENCODED: Final = ("=?base64?", "?=")


def accepts(request: HttpRequest, content_type: str) -> bool:
    """Whether a client takes a type; one that says nothing takes any."""
    family = content_type.partition("/")[0]
    taken = request.headers.get("accept", "*/*")
    types = {part.partition(";")[0].strip().lower() for part in taken.split(",")}
    return bool(types & {content_type, f"{family}/*", "*/*"})


def sends_json(request: HttpRequest) -> bool:
    """Whether the body is said to be JSON."""
    content_type = request.headers.get("content-type", "")
    return content_type.partition(";")[0].strip().lower() == "application/json"


def check_mirrored(request: HttpRequest, message: Request) -> None:
    """Refuse a stateless request whose headers do not repeat what its body says."""
    _check(VERSION, request.headers.get(VERSION), meta_of(message)[VERSION_KEY])
    _check(_METHOD, request.headers.get(_METHOD), message.method)
    if message.method == "tools/call":
        _check(_NAME, _decoded(request.headers.get(_NAME)), message.params.get("name"))


def check_version(request: HttpRequest) -> None:
    """Refuse a request of a session that names a revision which is not spoken."""
    version = request.headers.get(VERSION)
    if version is not None and version not in revisions.SUPPORTED:
        raise ProtocolError(
            Code.UNSUPPORTED_VERSION,
            "Unsupported protocol version",
            {"supported": list(revisions.SUPPORTED), "requested": version},
        )


def _check(header: str, value: str | None, wanted: object) -> None:
    if value is None:
        raise ProtocolError(Code.HEADER_MISMATCH, f"the header {header} is missing")
    if value != wanted:
        raise ProtocolError(
            Code.HEADER_MISMATCH, f"the header {header} does not say what the body says"
        )


def _decoded(value: str | None) -> str | None:
    """A value that may be wrapped because it is not plain ASCII."""
    start, end = _ENCODED
    if value is None or not (value.startswith(start) and value.endswith(end)):
        return value
    try:
        return b64decode(value[len(start) : -len(end)], validate=True).decode()
    except ValueError:
        return None
