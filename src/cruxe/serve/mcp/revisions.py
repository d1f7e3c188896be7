"""The supported protocol revisions, and what the stateless revision adds to messages."""

from json import dumps
from typing import Final, NamedTuple, cast

from cruxe.serve.mcp.messages import (
    Code,
    Mapping,
    ProtocolError,
    Request,
    RequestId,
    notification_of,
    result_of,
)

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
