"""Sessions of clients after a handshake, each under an id that cannot be guessed."""

import secrets
import time
from collections import OrderedDict
from typing import Final

from cruxe.serve.mcp.calls import Client

_MOST: Final = 1_024
_IDLE_SECONDS: Final = 12 * 3_600.0


class Sessions:
    """Opens, finds and ends sessions; idle sessions expire."""

    def __init__(self) -> None:
        """Start without sessions."""
        self._clients: OrderedDict[str, tuple[Client, float]] = OrderedDict()  # last used last

    def open(self, client: Client) -> str:
        """Store a client and return the id of its session."""
        self._forget_idle()
        while len(self._clients) >= _MOST:
            self._clients.popitem(last=False)[1][0].cancel_all()
        session_id = secrets.token_urlsafe(24)
        self._clients[session_id] = client, time.monotonic()
        return session_id

    def find(self, session_id: str) -> Client | None:
        """Return the client of a session, or None if there is no such session."""
        self._forget_idle()
        known = self._clients.get(session_id)
        if known is None:
            return None
        self._clients[session_id] = known[0], time.monotonic()
        self._clients.move_to_end(session_id)
        return known[0]

    def end(self, session_id: str) -> bool:
        """End a session and cancel its calls; return whether it existed."""
        known = self._clients.pop(session_id, None)
        if known is not None:
            known[0].cancel_all()
        return known is not None

    def end_all(self) -> None:
        """End all sessions."""
        for session_id in list(self._clients):
            self.end(session_id)

    def _forget_idle(self) -> None:
        oldest = time.monotonic() - _IDLE_SECONDS
        while self._clients and next(iter(self._clients.values()))[1] < oldest:
            self._clients.popitem(last=False)
