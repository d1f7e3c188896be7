"""How soon a server on stdio answers after it is started, and what it weighs then."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

_REVISION: Final = "2025-06-18"


class FirstReplies(NamedTuple):
    """Seconds from the start of a process to its first replies, and its memory at the second."""

    initialize_seconds: float
    list_seconds: float
    resident_megabytes: float


def time_first_replies(
    command: Sequence[str], environment: Mapping[str, str], directory: str
) -> FirstReplies:
    """Start a server, shake hands, list its tools, and end it."""
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=directory,
    ) as process:
        assert process.stdin is not None
        _ask(process, 1, "initialize", _hello())
        initialized = time.perf_counter() - started
        process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        _ask(process, 2, "tools/list", {})
        listed = time.perf_counter() - started
        memory = _resident_megabytes(process.pid)
        process.stdin.close()
        process.wait()
    return FirstReplies(initialized, listed, memory)


def _hello() -> dict[str, object]:
    client = {"name": "benchmark", "version": "1"}
    return {"protocolVersion": _REVISION, "capabilities": {}, "clientInfo": client}


def _ask(
    process: "subprocess.Popen[bytes]", number: int, method: str, params: Mapping[str, object]
) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    process.stdin.write(msgspec.json.encode(message) + b"\n")
    process.stdin.flush()
    while True:
        line = process.stdout.readline()
        if not line:
            raise EOFError(f"the server ended before it answered {method}")
        reply: dict[str, object] = msgspec.json.decode(line)
        if reply.get("id") == number:
            assert "result" in reply, reply
            return


def _resident_megabytes(process: int) -> float:
    """The resident set of a process; nothing where the system does not tell."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return 0.0
