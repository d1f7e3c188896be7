"""What never changes, such as what belongs to a file version, is kept while there is room."""

from _thread import allocate_lock
from collections.abc import Hashable
from typing import Generic, TypeVar

_Name = TypeVar("_Name", bound=Hashable)
_Value = TypeVar("_Value")


class Kept(Generic[_Name, _Value]):
    """Values asked for last, as many as fit into some bytes; for any number of threads."""

    def __init__(self, room_bytes: int) -> None:
        """Start empty."""
        self._lock = allocate_lock()
        self._values: dict[_Name, tuple[_Value, int]] = {}  # asked for longest ago first
        self._most_bytes = self._room_bytes = room_bytes

    def get(self, name: _Name) -> _Value | None:
        """What is kept under a name, if anything is."""
        with self._lock:
            found = self._values.pop(name, None)
            if found is None:
                return None
            self._values[name] = found
            return found[0]

    def keep(self, name: _Name, value: _Value, size_bytes: int) -> None:
        """Keep a value, in the place of others if need be."""
        if size_bytes > self._most_bytes:
            return
        with self._lock:
            _, before = self._values.pop(name, (value, 0))
            self._values[name] = value, size_bytes
            self._room_bytes += before - size_bytes
            while self._room_bytes < 0:
                _, freed = self._values.pop(next(iter(self._values)))
                self._room_bytes += freed
