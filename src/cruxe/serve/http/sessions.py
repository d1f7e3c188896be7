"""The sessions of clients that shook hands; each is known by an id that nobody can guess."""

import secrets
import time
from collections import OrderedDict
from typing import Final

from cruxe.serve.mcp.calls import Client

_MOST: Final = 1_024
_IDLE_SECONDS: Final = 12 * 3_600.0


class Sessions:
    """Opens, finds and ends sessions; those not used for long are forgotten."""

    def __init__(self) -> None:
        """Begin without any."""
        self._clients: OrderedDict[str, tuple[Client, float]] = OrderedDict()  # the latest last

    def open(self, client: Client) -> str:
        """Keep a client, and give the id of its session."""
        self._forget_idle()
        while len(self._clients) >= _MOST:
            self._clients.popitem(last=False)[1][0].cancel_all()
        session_id = secrets.token_urlsafe(24)
        self._clients[session_id] = client, time.monotonic()
        return session_id

    def find(self, session_id: str) -> Client | None:
        """The client of a session, if there is one."""
        self._forget_idle()
        known = self._clients.get(session_id)
        if known is None:
            return None
        self._clients[session_id] = known[0], time.monotonic()
        self._clients.move_to_end(session_id)
        return known[0]

    def end(self, session_id: str) -> bool:
        """End a session, and what is under way in it; tells whether there was one."""
        known = self._clients.pop(session_id, None)
        if known is not None:
            known[0].cancel_all()
        return known is not None

    def end_all(self) -> None:
        """End all of them."""
        for session_id in list(self._clients):
            self.end(session_id)

    def _forget_idle(self) -> None:
        oldest = time.monotonic() - _IDLE_SECONDS
        while self._clients and next(iter(self._clients.values()))[1] < oldest:
            self._clients.popitem(last=False)
