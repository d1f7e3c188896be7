"""Which processes a test has started, directly or not."""

import os
import select
import subprocess
import time
from contextlib import suppress
from typing import Final

HAS_PROC: Final = os.path.isdir("/proc/self/fd") and hasattr(os, "pidfd_open")


def children_of(pid: int) -> list[int]:
    """The children of a process that still run, oldest first."""
    listing = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,stat=,comm="], check=True, capture_output=True, text=True
    ).stdout
    rows = [line.split(None, 3) for line in listing.splitlines()]
    return sorted(
        int(child)
        for child, parent, state, command in rows
        if int(parent) == pid and not state.startswith("Z") and command != "ps"
    )


def is_running(pid: int, patience_seconds: float = 5.0) -> bool:
    """Whether a process goes on; one that was told to end has a moment to do so."""
    end = time.monotonic() + patience_seconds
    while _state_of(pid) not in ("", "Z"):
        if time.monotonic() > end:
            return True
        time.sleep(0.02)
    return False


def _state_of(pid: int) -> str:
    shown = ["ps", "-o", "stat=", "-p", str(pid)]
    return subprocess.run(shown, check=False, capture_output=True, text=True).stdout.strip()[:1]


def left_behind(home: str, patience_seconds: int = 20) -> list[int]:
    """The processes with this home that do not end by themselves, this one left out.

    A test's home is its own, and every process inherits it from whoever started it.
    """
    mark = os.fsencode(f"HOME={home}")
    found = [pid for pid in _all_processes() if mark in _environment_of(pid).split(b"\0")]
    return [pid for pid in found if not _ends(pid, patience_seconds)]


def _all_processes() -> list[int]:
    return [
        int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()
    ]


def _environment_of(pid: int) -> bytes:
    with suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
        return file.read()
    return b""


def _ends(pid: int, patience_seconds: int) -> bool:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        readable, _, _ = select.select([descriptor], [], [], patience_seconds)
        return bool(readable)
    finally:
        os.close(descriptor)
