"""The server over standard input and output, as a real process."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cruxe.serve.mcp.messages import MAX_MESSAGE_BYTES
from tests.requirements import requirement
from tests.support.command import environment
from tests.support.processes import HAS_PROC
from tests.support.programs import SOURCE_FOLDER
from tests.support.repositories import Repo
from tests.support.wires import (
    StdioWire,
    decoded,
    error_of,
    initialize,
    payload_of,
    request,
    result_of,
    stateless,
    tool_call,
)

NOISES = ("from print", "from the descriptor", "from a child", "from a warning", "from a log")
# Makes a noise in the middle of the first call, when the validator is imported.
NOISE = """
import sys

def make_noise(event, arguments):
    if event == "import" and arguments[0] == "msgspec":
        import logging, os, subprocess, warnings
        print("from print", flush=True)
        os.write(1, b"from the descriptor\\n")
        subprocess.run([sys.executable, "-S", "-c", "print('from a child')"])
        warnings.warn("from a warning")
        logging.getLogger("library").error("from a log")

sys.addaudithook(make_noise)
"""
TOO_HEAVY = {"asyncio", "concurrent", "logging", "msgspec", "numpy", "sqlite3", "tantivy", "h11"}


@requirement("MCP-STDIO")
def test_a_client_shakes_hands_lists_and_calls(stdio: StdioWire) -> None:
    stdio.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    assert "tools" in result_of(stdio.ask(request("tools/list", request_id=2)))
    located = payload_of(stdio.ask(tool_call("locate_symbol", {"name": "TokenBucket"}, "c")))
    assert located["matches"] == {"exact": 1}


@requirement("MCP-STDIO")
def test_calls_sent_before_the_input_ends_are_answered(harbour: Repo) -> None:
    wire = StdioWire(harbour.root)
    calls = [tool_call("locate_symbol", {"name": "TokenBucket"}, number) for number in range(20)]
    wire.write(initialize(), *calls)

    code, stdout, _ = wire.end()

    answers = [decoded(line) for line in stdout.splitlines()]
    assert code == 0
    assert sorted(str(answer["id"]) for answer in answers) == sorted(map(str, [1, *range(20)]))


@requirement("MCP-STDIO")
def test_blank_lines_and_windows_line_ends_are_taken(stdio: StdioWire) -> None:
    stdio.write(b"", b"  ", request("ping", request_id="a") + b"\r")

    assert decoded(stdio.read_any())["id"] == "a"


@requirement("MCP-BROKEN")
def test_a_message_that_is_too_long_is_refused_and_the_next_is_answered(stdio: StdioWire) -> None:
    stdio.write(b"[" + b" " * MAX_MESSAGE_BYTES)

    assert error_of(stdio.read_any())[0] == -32600
    assert decoded(stdio.ask(request("ping", request_id="after")))["result"] == {}


@requirement("MCP-STDOUT")
@pytest.mark.parametrize("level", ["debug", "error"])
def test_nothing_but_messages_reaches_stdout(harbour: Repo, tmp_path: Path, level: str) -> None:
    """Even what a library prints, warns of or logs, and what a child process says."""
    (tmp_path / "sitecustomize.py").write_text(NOISE, encoding="utf-8")
    paths = os.pathsep.join((str(tmp_path), SOURCE_FOLDER))
    wire = StdioWire(harbour.root, "-v", PYTHONPATH=paths, CRUXE_LOGGING_LEVEL=level)
    wire.write(initialize(), tool_call("locate_symbol", {"name": "TokenBucket"}, 2))

    code, stdout, stderr = wire.end()

    assert code == 0
    assert [decoded(line)["id"] for line in stdout.splitlines()] == [1, 2]
    assert [each for each in NOISES if each.encode() not in stderr] == []


@requirement("MCP-START")
def test_the_first_replies_import_nothing_heavy(harbour: Repo) -> None:
    first = (initialize(), request("tools/list", request_id=2), stateless("server/discover"))
    code = (
        "import sys\n"
        "from cruxe.serve.cli.main import main\n"
        "main(['serve-mcp', '--no-prewarm'])\n"
        "sys.stderr.write(' '.join(sys.modules))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code],
        input=b"".join(message + b"\n" for message in first),
        cwd=harbour.root,
        env=environment(),
        capture_output=True,
        check=True,
    )

    assert len(finished.stdout.splitlines()) == 3
    assert sorted(TOO_HEAVY & set(finished.stderr.decode().split())) == []


@requirement("MCP-LIFE")
@pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
def test_a_server_ends_with_the_process_that_started_it(harbour: Repo) -> None:
    """Even where its input stays open in someone else's hands."""
    reading, writing = os.pipe()
    starter = subprocess.Popen(
        [
            sys.executable,
            "-c",
            (
                "import subprocess, sys\n"
                "child = subprocess.Popen([sys.executable, '-m', 'cruxe', 'serve-mcp'])\n"
                "print(child.pid, flush=True)\n"
                "child.wait()"
            ),
        ],
        stdin=reading,
        stdout=subprocess.PIPE,
        cwd=harbour.root,
        env=environment(),
        text=True,
    )
    assert starter.stdout is not None
    server = int(starter.stdout.readline())
    descriptor = os.pidfd_open(server)
    os.write(writing, request("ping", request_id="up") + b"\n")
    assert "up" in starter.stdout.readline()
    starter.send_signal(signal.SIGKILL)
    starter.communicate()

    ended, _, _ = select.select([descriptor], [], [], 30)
    for each in (reading, writing, descriptor):
        os.close(each)
    assert ended
