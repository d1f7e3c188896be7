"""Call an external provider: one JSON request, one JSON answer, within a deadline.

The only module that opens a connection. Callers check both privacy gates before they build a
request. An error is one word; it never contains the key or any content of a request or an answer.
"""

import time
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cruxe.embed import EmbeddingUnavailableError

if TYPE_CHECKING:
    from http.client import HTTPConnection

    from cruxe.config.values import Secret

_MAX_ANSWER_BYTES: Final = 64 << 20
_PIECE_BYTES: Final = 1 << 16
_OK: Final = 200


class ProviderError(EmbeddingUnavailableError):
    """A call to a provider failed; `reason` says why in one word."""

    def __init__(self, reason: str) -> None:
        """Take the reason."""
        super().__init__(reason)
        self.reason = reason


class Provider(NamedTuple):
    """Address, key and total timeout of a provider."""

    address: str
    key: "Secret"
    timeout_ms: int


def post_json(provider: Provider, payload: dict[str, object]) -> dict[str, object]:
    """Send a request and return the answer."""
    from http.client import HTTPException
    from json import dumps, loads

    if not provider.key:
        raise ProviderError("missing_api_key")
    deadline = time.monotonic() + provider.timeout_ms / 1000
    try:
        status, body = _exchange(provider, dumps(payload).encode(), deadline)
    except TimeoutError:
        raise ProviderError("timeout") from None
    except (OSError, HTTPException, ValueError):
        raise ProviderError("unreachable") from None
    if status != _OK:
        raise ProviderError(f"http_{status}")
    try:
        answer = loads(body)
    except ValueError:
        raise ProviderError("garbage") from None
    if not isinstance(answer, dict):
        raise ProviderError("garbage")
    return cast("dict[str, object]", answer)


def _exchange(provider: Provider, body: bytes, deadline: float) -> tuple[int, bytes]:
    """Send one request; return status and body. Redirects are not followed, for privacy."""
    from urllib.parse import urlsplit

    parts = urlsplit(provider.address)
    connection = _connect(parts.scheme, parts.hostname or "", parts.port, _left(deadline))
    try:
        headers = {
            "Authorization": f"Bearer {provider.key.reveal()}",
            "Content-Type": "application/json",
        }
        connection.request("POST", parts.path or "/", body, headers)
        answer = connection.getresponse()
        pieces: list[bytes] = []
        while piece := answer.read1(_PIECE_BYTES):
            pieces.append(piece)
            if sum(map(len, pieces)) > _MAX_ANSWER_BYTES:
                raise ValueError(len(pieces))
            if connection.sock is not None:
                connection.sock.settimeout(_left(deadline))
        return answer.status, b"".join(pieces)
    finally:
        connection.close()


def _connect(scheme: str, host: str, port: int | None, seconds: float) -> "HTTPConnection":
    from http.client import HTTPConnection, HTTPSConnection

    kind = HTTPSConnection if scheme == "https" else HTTPConnection
    return kind(host, port, timeout=seconds)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
