"""The open connections of a server, bounded in number and in the bytes of their bodies.

Where there is no room, the connection that has kept the server waiting longest makes it: a slow
client can hold neither a slot nor memory that another needs. What is being answered stays.
"""

from enum import Enum
from typing import Final, Protocol

from cruxe.serve.mcp.messages import MAX_MESSAGE_BYTES

_MOST_CONNECTIONS: Final = 512
# Of bodies that arrive or are answered: eight of the largest.
_MOST_BODY_BYTES: Final = 8 * MAX_MESSAGE_BYTES


class Stage(Enum):
    """What a connection does; in the first two its client keeps the server waiting."""

    IDLE = "idle"  # no request has begun, or the rest of a refused one is discarded
    ARRIVING = "arriving"
    ANSWERING = "answering"


class Held(Protocol):
    """What a connection holds of the server."""

    stage: Stage
    held_bytes: int  # of the body of its request

    def close(self) -> None:
        """Give all up at once."""
        ...


class OpenConnections:
    """Admits connections and the bytes of their bodies."""

    def __init__(
        self, most: int = _MOST_CONNECTIONS, most_body_bytes: int = _MOST_BODY_BYTES
    ) -> None:
        """Start without connections."""
        self._waiting: dict[Held, None] = {}  # the longest first
        self._answering: dict[Held, None] = {}
        self._most = most
        self._free_bytes = most_body_bytes

    def admit(self, connection: Held) -> bool:
        """Add a connection, in place of the longest waiting one; False if all are answered."""
        if len(self._waiting) + len(self._answering) >= self._most:
            longest = next(iter(self._waiting), None)
            if longest is None:
                return False
            self._evict(longest)
        self._waiting[connection] = None
        return True

    def leave(self, connection: Held) -> None:
        """Forget a connection that is closed."""
        self._waiting.pop(connection, None)
        self._answering.pop(connection, None)
        self.free_bytes(connection)

    def enter(self, connection: Held, stage: Stage) -> None:
        """Note the stage of a connection; what it waited before counts until it is answered."""
        connection.stage = stage
        if stage is Stage.ANSWERING and connection in self._waiting:
            del self._waiting[connection]
            self._answering[connection] = None
        elif stage is not Stage.ANSWERING and connection in self._answering:
            del self._answering[connection]
            self._waiting[connection] = None

    def take_bytes(self, connection: Held, count: int) -> bool:
        """Count bytes of a body; others that still arrive make room. False if there is none."""
        while self._free_bytes < count:
            others = (each for each in self._waiting if each.held_bytes and each is not connection)
            longest = next(others, None)
            if longest is None:
                return False
            self._evict(longest)
        self._free_bytes -= count
        connection.held_bytes += count
        return True

    def free_bytes(self, connection: Held) -> None:
        """Count the body of a connection no more."""
        self._free_bytes += connection.held_bytes
        connection.held_bytes = 0

    def _evict(self, connection: Held) -> None:
        self.leave(connection)
        connection.close()
