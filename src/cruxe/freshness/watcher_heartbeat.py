"""The heartbeat of a watcher: a small file that tells other processes what it knows.

It is rewritten as a whole: the machine, the time of the last beat, and which published state is
vouched for. A file that is old or of another machine says nothing, so a watcher that died or hangs
is believed for `_ALIVE_SECONDS` at most.
"""

import os
import struct
import time
from enum import Enum
from functools import cache
from typing import Final

from cruxe.model.identity import digest_of
from cruxe.model.stored import RefRow

HEARTBEAT_SECONDS: Final = 1.0
_ALIVE_SECONDS: Final = 3.0
_DIGEST_BYTES: Final = 16
_FORM: Final = struct.Struct(f"<8sd{_DIGEST_BYTES}s")
_CHANGED: Final = bytes(_DIGEST_BYTES)
_UNKNOWN: Final = b"\xff" * _DIGEST_BYTES


class Knowledge(Enum):
    """What is known of a published state without looking at files."""

    FRESH = "fresh"  # it was compared, and nothing has changed since
    CHANGED = "changed"  # something has changed that is not indexed yet
    UNKNOWN = "unknown"


class WatcherHeartbeat:
    """The file, as the process that watches writes it."""

    def __init__(self, path: str) -> None:
        """Open the file; it says nothing before `write`."""
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115 - closed by `close`
        self._state = _UNKNOWN

    def write(self, knowledge: Knowledge, row: RefRow | None = None) -> None:
        """Write what is known; `row` is the published state if it is fresh."""
        if knowledge is Knowledge.FRESH and row is not None:
            self._state = _digest(row)
        else:
            self._state = _CHANGED if knowledge is Knowledge.CHANGED else _UNKNOWN
        self.beat()

    def beat(self) -> None:
        """Write the same state with the present time."""
        self._file.seek(0)
        self._file.write(_FORM.pack(_machine(), time.monotonic(), self._state))

    def close(self) -> None:
        """Leave a file that says nothing."""
        self._state = _UNKNOWN
        self.beat()
        self._file.close()


def read_heartbeat(path: str, row: RefRow) -> Knowledge:
    """Return what a watcher in another process knows of a published state."""
    try:
        with open(path, "rb", buffering=0) as file:
            machine, beaten_at, state = _FORM.unpack(file.read(_FORM.size))
    except (OSError, struct.error):
        return Knowledge.UNKNOWN
    if machine != _machine() or not 0 <= time.monotonic() - beaten_at < _ALIVE_SECONDS:
        return Knowledge.UNKNOWN
    if state == _digest(row):
        return Knowledge.FRESH
    return Knowledge.CHANGED if state == _CHANGED else Knowledge.UNKNOWN


def _digest(row: RefRow) -> bytes:
    return digest_of(repr(row).encode("utf-8", "surrogateescape"), _DIGEST_BYTES)


@cache
def _machine() -> bytes:
    """An id of this machine and its boot: monotonic clocks of others cannot be compared."""
    from platform import node

    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read()
    except OSError:
        boot = ""
    return digest_of(f"{node()}\0{boot}\0{os.name}".encode(), 8)
