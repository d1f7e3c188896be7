"""Access checks that run before a request is parsed any further.

A web page can make a browser send requests here under any name that resolves to this machine (DNS
rebinding). So `Host` and `Origin` must name this server, and beyond loopback a token is required.
"""

from ipaddress import ip_address
from typing import Final, NamedTuple

from cruxe.serve.http.exchange import HttpRequest, HttpResponse, Status, refused

_LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")


class Guard(NamedTuple):
    """The host names and the token that a request must have."""

    hosts: frozenset[str]  # accepted names of the server
    token: str | None = None

    def refusal_of(self, request: HttpRequest) -> HttpResponse | None:
        """Return the response that rejects a request, or None if it is allowed."""
        host = request.headers.get("host")
        if host is None or host_name(host) not in self.hosts:
            return refused(Status.MISDIRECTED_REQUEST, "the Host header names another server")
        origin = request.headers.get("origin")
        if origin is not None and not self._is_own(origin):
            return refused(Status.FORBIDDEN, "the Origin header names another site")
        if self.token is not None and not _holds(self.token, request):
            challenge = ("WWW-Authenticate", "Bearer")
            return refused(Status.UNAUTHORIZED, "a bearer token is needed", (challenge,))
        return None

    def _is_own(self, origin: str) -> bool:
        scheme, separator, place = origin.partition("://")
        return bool(separator) and scheme in ("http", "https") and host_name(place) in self.hosts


def guard_of(host: str, other_names: list[str], token: str | None) -> Guard:
    """Build the guard of a server that listens on `host`."""
    names = {host_name(name) for name in (*other_names, host)}
    if is_loopback(host) or is_everywhere(host):
        names |= set(_LOOPBACK_NAMES)
    return Guard(frozenset(names), token)


def is_loopback(host: str) -> bool:
    """Return whether an address is loopback, so only this machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_everywhere(host: str) -> bool:
    """Return whether an address means all interfaces, such as `0.0.0.0`."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return not host


def host_name(place: str) -> str:
    """Return the name in `name:port` in lower case; an IPv6 address without its brackets."""
    place = place.strip().lower()
    if place.startswith("["):
        return place[1:].partition("]")[0]
    name, separator, port = place.rpartition(":")
    return name if separator and port.isdigit() and ":" not in name else place


def _holds(token: str, request: HttpRequest) -> bool:
    from hmac import compare_digest

    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and compare_digest(given.strip().encode(), token.encode())
