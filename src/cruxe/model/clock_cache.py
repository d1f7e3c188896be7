"""What never changes, such as what belongs to a file version, is kept while there is room."""

from _thread import allocate_lock
from collections.abc import Hashable
from typing import Generic, TypeVar

_Name = TypeVar("_Name", bound=Hashable)
_Value = TypeVar("_Value")


class Kept(Generic[_Name, _Value]):
    """Values asked for lately, as many as fit into some bytes; for any number of threads.

    To ask takes no lock and moves nothing: it leaves a mark. Who needs room goes through the values
    from the one that has waited longest, lets those with a mark wait once more, and drops others.
    """

    def __init__(self, room_bytes: int) -> None:
        """Start empty."""
        self._lock = allocate_lock()
        self._waiting: dict[_Name, _Entry[_Value]] = {}  # longest first
        self._most_bytes = self._room_bytes = room_bytes

    def get(self, name: _Name) -> _Value | None:
        """What is kept under a name, if anything is."""
        found = self._waiting.get(name)
        if found is None:
            return None
        found.is_asked_for = True
        return found.value

    def keep(self, name: _Name, value: _Value, size_bytes: int) -> None:
        """Keep a value, in the place of others if need be."""
        if size_bytes > self._most_bytes:
            return
        with self._lock:
            if (before := self._waiting.pop(name, None)) is not None:
                self._room_bytes += before.size_bytes
            while self._room_bytes < size_bytes:
                self._drop_one_or_let_it_wait()
            self._waiting[name] = _Entry(value, size_bytes)
            self._room_bytes -= size_bytes

    def _drop_one_or_let_it_wait(self) -> None:
        name = next(iter(self._waiting))
        entry = self._waiting.pop(name)
        if entry.is_asked_for:
            entry.is_asked_for = False
            self._waiting[name] = entry
        else:
            self._room_bytes += entry.size_bytes


class _Entry(Generic[_Value]):
    __slots__ = "is_asked_for", "size_bytes", "value"

    def __init__(self, value: _Value, size_bytes: int) -> None:
        self.value = value
        self.size_bytes = size_bytes
        self.is_asked_for = False
