"""A server over standard input and output, asked as an agent's client asks it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

import msgspec

from benchmarks.harness.stores import COMMAND, Store

Answer = dict[str, object]
_REVISION: Final = "2025-11-25"
_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_LOOK_SECONDS: Final = 0.01


class Timed(NamedTuple):
    """A reply and how long it took."""

    answer: Answer
    milliseconds: float


class StdioServer:
    """One `cruxe serve-mcp` process."""

    def __init__(self, store: Store, *arguments: str) -> None:
        """Start it and say hello; `hello_ms` is how long the first reply took."""
        started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "-C", store.root, "serve-mcp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=store.environment,
        )
        self._number = 0
        client = {"name": "benchmark", "version": "1"}
        self.request(
            "initialize",
            {"protocolVersion": _REVISION, "capabilities": {}, "clientInfo": client},
        )
        self.hello_ms = (time.perf_counter() - started) * 1000
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def request(self, method: str, params: Mapping[str, object]) -> Timed:
        """Send a request and wait for its reply."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        started = time.perf_counter()
        self._send(message)
        assert self._process.stdout is not None
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise EOFError(f"the server ended before it answered {method}")
            reply: dict[str, object] = msgspec.json.decode(line)
            if reply.get("id") == self._number:
                milliseconds = (time.perf_counter() - started) * 1000
                result = reply["result"]
                assert isinstance(result, dict)
                return Timed(result, milliseconds)

    def call(self, tool: str, **arguments: object) -> Timed:
        """Call a tool; the answer is what its text says."""
        result, milliseconds = self.request("tools/call", {"name": tool, "arguments": arguments})
        content = result["content"]
        assert isinstance(content, list)
        return Timed(msgspec.json.decode(content[0]["text"]), milliseconds)

    def answer(self, tool: str, arguments: Answer) -> Answer:
        """Call a tool and give what it says."""
        return self.call(tool, **arguments).answer

    def wait_until(self, tool: str, key: str, value: object) -> float:
        """Call a tool until its answer says something; gives the seconds that it took."""
        started = time.perf_counter()
        while self.call(tool).answer.get(key) != value:
            time.sleep(_LOOK_SECONDS)
        return time.perf_counter() - started

    def close(self) -> None:
        """End its input and wait for it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(message) + b"\n")
        self._process.stdin.flush()


@contextmanager
def serving(store: Store, *arguments: str) -> Iterator[StdioServer]:
    """A server for a store's workspace, ended after the block."""
    server = StdioServer(store, *arguments)
    try:
        yield server
    finally:
        server.close()


def resident_megabytes(pid: int) -> float:
    """The memory that a process holds, as the system counts it."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process and the children it has waited for have used."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / _TICKS_PER_SECOND
