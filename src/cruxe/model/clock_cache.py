"""A CLOCK cache for immutable values, such as data of a file version."""

from _thread import allocate_lock
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class ClockCache(Generic[_Key, _Value]):
    """Recently used values, up to a total size in bytes; thread-safe.

    `get` takes no lock and moves nothing: it sets the entry's reference bit. `put` evicts in the
    order of insertion. An entry whose bit is set loses it and gets a second chance.
    """

    def __init__(self, max_bytes: int) -> None:
        """Start empty."""
        self._lock = allocate_lock()
        self._entries: dict[_Key, _Entry[_Value]] = {}  # oldest first
        self._max_bytes = self._free_bytes = max_bytes

    def get(self, key: _Key) -> _Value | None:
        """Return the value of a key, or None if it is not cached."""
        found = self._entries.get(key)
        if found is None:
            return None
        found.is_referenced = True
        return found.value

    def get_all(self, keys: Iterable[_Key]) -> dict[_Key, _Value]:
        """Return the values of those keys that are cached."""
        found: dict[_Key, _Value] = {}
        for key in keys:
            entry = self._entries.get(key)
            if entry is not None:
                entry.is_referenced = True
                found[key] = entry.value
        return found

    def put(self, key: _Key, value: _Value, size_bytes: int) -> None:
        """Cache a value, unless it is larger than the whole cache."""
        if size_bytes > self._max_bytes:
            return
        with self._lock:
            if (before := self._entries.pop(key, None)) is not None:
                self._free_bytes += before.size_bytes
            while self._free_bytes < size_bytes:
                self._evict_or_spare_oldest()
            self._entries[key] = _Entry(value, size_bytes)
            self._free_bytes -= size_bytes

    def _evict_or_spare_oldest(self) -> None:
        key = next(iter(self._entries))
        entry = self._entries.pop(key)
        if entry.is_referenced:
            entry.is_referenced = False
            self._entries[key] = entry
        else:
            self._free_bytes += entry.size_bytes


class _Entry(Generic[_Value]):
    __slots__ = "is_referenced", "size_bytes", "value"

    def __init__(self, value: _Value, size_bytes: int) -> None:
        self.value = value
        self.size_bytes = size_bytes
        self.is_referenced = False
