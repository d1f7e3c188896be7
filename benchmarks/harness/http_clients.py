"""A server over HTTP, and clients that ask it without a session."""

import subprocess
import sys
import time
from http.client import HTTPConnection
from typing import Final

import msgspec

from benchmarks.harness.servers import Answer
from benchmarks.harness.stores import COMMAND, Store

_REVISION: Final = "2026-07-28"
_PREFIX: Final = "io.modelcontextprotocol/"
_META: Final = {
    f"{_PREFIX}protocolVersion": _REVISION,
    f"{_PREFIX}clientInfo": {"name": "benchmark", "version": "1"},
    f"{_PREFIX}clientCapabilities": {},
}
_OK: Final = 200
# As usual clients do: a connection that lay idle for so long is not used again, since the server
# may close it at any moment.
_KEPT_SECONDS: Final = 5.0


class HttpServer:
    """One `cruxe serve` process on a free port."""

    def __init__(self, store: Store) -> None:
        """Start it and wait until it listens."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "-C", store.root, "serve", "--port", "0"],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=store.environment,
        )
        assert self._process.stderr is not None
        address = self._process.stderr.readline().decode().split()[1]
        self.port = int(address.removeprefix("http://").partition("/")[0].rpartition(":")[2])

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def close(self) -> None:
        """Tell it to end, and wait."""
        self._process.terminate()
        self._process.communicate()


class HttpClient:
    """One client, with a connection of its own."""

    def __init__(self, port: int) -> None:
        """Connect with the first call."""
        self._connection = HTTPConnection("127.0.0.1", port, timeout=120)
        self._number = 0
        self._used_at = time.monotonic()

    def call(self, tool: str, arguments: Answer) -> Answer:
        """Call a tool; the answer is what its text says."""
        self._number += 1
        params = {"name": tool, "arguments": arguments, "_meta": _META}
        message = {"jsonrpc": "2.0", "id": self._number, "method": "tools/call", "params": params}
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": _REVISION,
            "Mcp-Method": "tools/call",
            "Mcp-Name": tool,
        }
        if time.monotonic() - self._used_at > _KEPT_SECONDS:
            self._connection.close()  # the next request opens another
        self._connection.request("POST", "/mcp", msgspec.json.encode(message), headers)
        response = self._connection.getresponse()
        body = response.read()
        self._used_at = time.monotonic()
        if response.status != _OK:
            raise ValueError(f"status {response.status}: {body[:200]!r}")
        if response.getheader("content-type") == "text/event-stream":
            body = body.split(b"data: ", 1)[1].split(b"\n", 1)[0]
        text: str = msgspec.json.decode(body)["result"]["content"][0]["text"]
        answer: Answer = msgspec.json.decode(text)
        return answer
