"""What a watcher knows, in a small file, so that other processes on the same store need not look.

The file is rewritten in one piece: who watches on which machine, when it was last seen alive, and
which published state it vouches for. A reader that finds it old, or of another machine, knows
nothing. So a watcher that died or hangs is believed for `_ALIVE_SECONDS` at most.
"""

import os
import struct
import time
from enum import Enum
from functools import cache
from typing import Final

from cruxe.model.identity import digest_of
from cruxe.model.refs import RefRow

BEAT_SECONDS: Final = 1.0
_ALIVE_SECONDS: Final = 3.0
_DIGEST_BYTES: Final = 16
_FORM: Final = struct.Struct(f"<8sd{_DIGEST_BYTES}s")
_CHANGED: Final = bytes(_DIGEST_BYTES)
_UNSURE: Final = b"\xff" * _DIGEST_BYTES


class Knowledge(Enum):
    """What is known of a published state without looking at files."""

    FRESH = "fresh"  # it was compared, and nothing has changed since
    CHANGED = "changed"  # something was seen that is not indexed yet
    UNKNOWN = "unknown"


class WatchStateFile:
    """Written by the one that watches."""

    def __init__(self, path: str) -> None:
        """Open the file; nothing is said before `tell`."""
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115 - closed by `close`
        self._said = _UNSURE

    def tell(self, knowledge: Knowledge, row: RefRow | None = None) -> None:
        """Say what is known; a state that is fresh is named."""
        if knowledge is Knowledge.FRESH and row is not None:
            self._said = _digest(row)
        else:
            self._said = _CHANGED if knowledge is Knowledge.CHANGED else _UNSURE
        self.beat()

    def beat(self) -> None:
        """Say the same again, to be seen alive."""
        self._file.seek(0)
        self._file.write(_FORM.pack(_machine(), time.monotonic(), self._said))

    def close(self) -> None:
        """Say no more."""
        self._said = _UNSURE
        self.beat()
        self._file.close()


def read_watch_state(path: str, row: RefRow) -> Knowledge:
    """What a watcher in another process knows of a published state."""
    try:
        with open(path, "rb", buffering=0) as file:
            machine, seen, said = _FORM.unpack(file.read(_FORM.size))
    except (OSError, struct.error):
        return Knowledge.UNKNOWN
    if machine != _machine() or not 0 <= time.monotonic() - seen < _ALIVE_SECONDS:
        return Knowledge.UNKNOWN
    if said == _digest(row):
        return Knowledge.FRESH
    return Knowledge.CHANGED if said == _CHANGED else Knowledge.UNKNOWN


def _digest(row: RefRow) -> bytes:
    return digest_of(repr(row).encode("utf-8", "surrogateescape"), _DIGEST_BYTES)


@cache
def _machine() -> bytes:
    """This machine since it was started: the monotonic clock of another means nothing here."""
    from platform import node

    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read()
    except OSError:
        boot = ""
    return digest_of(f"{node()}\0{boot}\0{os.name}".encode(), 8)
