"""Access checks on the headers of a request, before its body is read.

A web page can make a browser send requests here under any name that resolves to this machine (DNS
rebinding). So `Host` and `Origin` must name this server, and beyond loopback a token is required.
"""

import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from cruxe.serve.http.exchange import HttpResponse, Status, refused

_LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")
_PLACE: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\s:@/?#\[\]\\]+))(?::[0-9]{1,5})?")


class Guard(NamedTuple):
    """The host names and the token that a request must have."""

    hosts: frozenset[str]  # accepted names of the server
    token: str | None = None

    def refusal_of(self, headers: Mapping[str, str]) -> HttpResponse | None:
        """Return the response that rejects a request, or None if it is allowed."""
        if host_name(headers.get("host", "")) not in self.hosts:
            return refused(Status.MISDIRECTED_REQUEST, "the Host header names another server")
        origin = headers.get("origin")
        if origin is not None and not self._is_own(origin):
            return refused(Status.FORBIDDEN, "the Origin header names another site")
        if self.token is not None and not _holds(self.token, headers):
            challenge = ("WWW-Authenticate", "Bearer")
            return refused(Status.UNAUTHORIZED, "a bearer token is needed", (challenge,))
        return None

    def _is_own(self, origin: str) -> bool:
        scheme, separator, place = origin.partition("://")
        return bool(separator) and scheme in ("http", "https") and host_name(place) in self.hosts


def guard_of(host: str, other_names: list[str], token: str | None) -> Guard:
    """Build the guard of a server that listens on `host`."""
    names = {_configured_name(name) for name in (*other_names, host)}
    if is_loopback(host) or is_everywhere(host):
        names |= set(_LOOPBACK_NAMES)
    return Guard(frozenset(names), token)


def _configured_name(place: str) -> str:
    """Return a name as a user gives it: an IPv6 address may stand without brackets."""
    return _ipv6(place.strip()) or host_name(place) or place.strip().lower()


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


def host_name(place: str) -> str | None:
    """Return the name in `name:port` in lower case, or None if it is not of this form.

    An IPv6 address stands in brackets, and is returned without them.
    """
    found = _PLACE.fullmatch(place.strip().lower())
    if found is None:
        return None
    address, name = found.groups()
    return name if address is None else _ipv6(address)


def _ipv6(address: str) -> str | None:
    try:
        return str(IPv6Address(address))
    except ValueError:
        return None


def _holds(token: str, headers: Mapping[str, str]) -> bool:
    from hmac import compare_digest

    scheme, _, given = headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and compare_digest(given.strip().encode(), token.encode())
