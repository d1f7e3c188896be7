"""Whatever bytes come, a server answers or ignores them, stays up, and does not grow.

CI sends a few hundred messages over each transport, the long lane twenty thousand.
"""

import json
import re
import threading
from typing import Final

import pytest

from tests.contract.fuzzing import spoilt_messages
from tests.requirements import requirement
from tests.support.repositories import Repo
from tests.support.wires import HttpWire, StdioWire, initialize, request, stateless

SHORT, LONG = 300, 20_000
COUNTS: Final = [SHORT, pytest.param(LONG, marks=pytest.mark.long)]
# Of memory that is the server's own, once half of the messages are through. Heaps are cut in
# pieces ever anew, so it is not the same to the byte; a leak of a kilobyte a message shows.
MOST_GROWTH_BYTES: Final = 8 * 1024 * 1024
_EVERY: Final = 100
_LONGEST_HEADER: Final = 200


@requirement("MCP-FUZZ")
@pytest.mark.parametrize("count", COUNTS)
def test_a_server_survives_spoilt_messages_over_stdio(harbour: Repo, count: int) -> None:
    wire = StdioWire(harbour.root, "--profile", "full")
    lines = _Lines(wire)
    wire.write(initialize())
    sizes: list[int] = []
    for number, message in enumerate(spoilt_messages(count, seed=count)):
        wire.write(message)
        if number % _EVERY == _EVERY - 1:
            wire.write(request("ping", request_id=f"alive-{number}"))
            lines.wait_for(f"alive-{number}")
            sizes.append(_own_bytes(wire.process.pid))
    code, stderr = lines.end()

    assert code == 0, stderr
    assert b"Traceback" not in stderr
    assert lines.strange == []
    assert sizes[-1] - sizes[len(sizes) // 2] < MOST_GROWTH_BYTES


@requirement("MCP-FUZZ")
@pytest.mark.parametrize("count", COUNTS)
def test_a_server_survives_spoilt_messages_over_http(harbour: Repo, count: int) -> None:
    wire = HttpWire(harbour.root, "--profile", "full")
    wire.ask(initialize())
    sizes: list[int] = []
    strange: list[tuple[bytes, int, bytes]] = []
    for number, message in enumerate(spoilt_messages(count, seed=count + 1)):
        headers = {} if number % 3 else _spoilt_headers(message)
        status, _, body = wire.post(message, **headers)
        if status not in (200, 202, 204, 400, 404) or (body and not _is_message(body)):
            strange.append((message, status, body))
        if number % _EVERY == _EVERY - 1:
            sizes.append(_own_bytes(wire.process.pid))
    assert wire.post(stateless("server/discover"))[0] == 200
    code, _, stderr = wire.end()

    assert (code, strange) == (0, [])
    assert b"Traceback" not in stderr
    assert sizes[-1] - sizes[len(sizes) // 2] < MOST_GROWTH_BYTES


class _Lines:
    """Reads what a server writes while the test writes to it."""

    def __init__(self, wire: StdioWire) -> None:
        self._wire = wire
        self._seen = threading.Condition()
        self._ids: set[object] = set()
        self.strange: list[bytes] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def wait_for(self, request_id: str) -> None:
        with self._seen:
            assert self._seen.wait_for(lambda: request_id in self._ids, timeout=120)
            self._ids.clear()

    def end(self) -> tuple[int, bytes]:
        process = self._wire.process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with process.stderr, process.stdout:
            process.stdin.close()
            stderr = process.stderr.read()
            self._reader.join()
        return process.wait(), stderr

    def _read(self) -> None:
        assert self._wire.process.stdout is not None
        for line in self._wire.process.stdout:
            if not _is_message(line):
                self.strange.append(line)
                continue
            message = json.loads(line)
            with self._seen:
                self._ids.add(message.get("id") if isinstance(message, dict) else None)
                self._seen.notify_all()


def _is_message(line: bytes) -> bool:
    """Whether bytes are a message or a batch of them, and tell of nothing unexpected."""
    value = json.loads(line)
    members = value if isinstance(value, list) else [value]
    is_sound = all(isinstance(each, dict) and each["jsonrpc"] == "2.0" for each in members)
    return is_sound and rb"internal_error" not in line


def _spoilt_headers(message: bytes) -> dict[str, str]:
    text = re.sub(r"[^ -~]", "?", message.decode("latin-1")).strip()[:_LONGEST_HEADER]
    names = ("Mcp-Session-Id", "Mcp-Method", "MCP-Protocol-Version", "Accept-Language")
    return {names[len(text) % len(names)]: text}


def _own_bytes(pid: int) -> int:
    """How much memory a process has for itself; nothing where the system does not tell."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            lines = [line for line in file if line.startswith("Anonymous:")]
    except OSError:
        return 0
    return int(lines[0].split()[1]) * 1024
