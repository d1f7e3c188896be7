"""Which processes a test has started, directly or not."""

import os
import select
import subprocess
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
