"""The revisions of the protocol that are spoken, and what the stateless one adds to messages."""

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

STATELESS: Final = "2026-07-28"  # every request says what it speaks; there is no session
HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # newest first
SUPPORTED: Final = (STATELESS, *HANDSHAKE)
# What a request over HTTP speaks that neither says so nor belongs to a session.
ASSUMED: Final = "2025-03-26"

_BATCHES_UNTIL: Final = "2025-03-26"
_STRUCTURED_SINCE: Final = "2025-06-18"


def negotiate(wanted: str) -> str:
    """The revision that a handshake settles on: the one wanted, else the newest."""
    return wanted if wanted in HANDSHAKE else HANDSHAKE[0]


def has_batches(revision: str) -> bool:
    """Whether several messages may come as one."""
    return revision <= _BATCHES_UNTIL


def has_structured_content(revision: str) -> bool:
    """Whether a result may hold an object beside its text."""
    return revision >= _STRUCTURED_SINCE


_PREFIX: Final = "io.modelcontextprotocol/"
VERSION_KEY: Final = f"{_PREFIX}protocolVersion"
_CAPABILITIES_KEY: Final = f"{_PREFIX}clientCapabilities"
_SUBSCRIPTION_KEY: Final = f"{_PREFIX}subscriptionId"
_SERVER_INFO_KEY: Final = f"{_PREFIX}serverInfo"
# What is listed changes only with the version of the program.
CACHE_HINTS: Final = '"ttlMs":3600000,"cacheScope":"public"'


class Subscription(NamedTuple):
    """A stream that stays open until the client or the server ends it."""

    id: RequestId
    opening: bytes
    closing: bytes


def meta_of(request: Request) -> Mapping:
    """The `_meta` of a request; empty where it is none."""
    meta = request.params.get("_meta")
    return cast("Mapping", meta) if isinstance(meta, dict) else {}


def speaks_for_itself(request: Request) -> bool:
    """Whether a request names its revision, and so needs no handshake."""
    return VERSION_KEY in meta_of(request)


def check_envelope(request: Request) -> None:
    """Refuse a request that lacks what it must say about itself, or speaks what is not spoken."""
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
    """A result of the stateless revision; the fields are JSON already."""
    separator = "," if fields else ""
    meta = f'"_meta":{{{dumps(_SERVER_INFO_KEY)}:{server_info()}}}'
    return f'{{"resultType":"complete",{fields}{separator}{meta}}}'


def server_info() -> str:
    """Who answers, as JSON."""
    from cruxe import __version__

    return f'{{"name":"cruxe","title":"Cruxe","version":{dumps(__version__)}}}'


def subscription_of(request: Request) -> Subscription:
    """A stream of changes. Nothing that can be subscribed to ever changes, so none is promised."""
    meta: Mapping = {_SUBSCRIPTION_KEY: request.id}
    opening = notification_of(
        "notifications/subscriptions/acknowledged", {"_meta": meta, "notifications": {}}
    )
    ended = dumps({"resultType": "complete", "_meta": meta}, separators=(",", ":"))
    return Subscription(request.id, opening, result_of(request.id, ended))
