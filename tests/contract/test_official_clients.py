"""The official clients, of both lines, against the real server.

A line is found where it is installed beside Cruxe, or where a variable names a Python that has it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Final, cast

import pytest

from cruxe.contract.catalogue import Profile
from cruxe.contract.instructions import INSTRUCTIONS
from cruxe.contract.schemas import definitions_text
from cruxe.model.levels import AnswerFormat
from tests.requirements import requirement
from tests.shape.project import ROOT
from tests.support.command import command_line, environment
from tests.support.repositories import Repo
from tests.support.wires import HttpWire, Json, MemoryWire, payload_text, tool_call

VARIABLES: Final = {1: "CRUXE_MCP1_PYTHON", 2: "CRUXE_MCP2_PYTHON"}
PYTHONS: Final = {line: os.environ.get(name) for line, name in VARIABLES.items()}
CALLS: Final[list[tuple[str, Json]]] = [
    ("locate_symbol", {"name": "TokenBucket"}),
    ("search_code", {"query": "rate limit", "limit": 3}),
    ("get_file_outline", {"path": "no/such/file.py"}),
    ("search_code", {"query": "x", "limit": 0}),
    ("no_such_tool", {}),
]


@pytest.fixture(params=["stdio", "http"])
def reached(request: pytest.FixtureRequest, harbour: Repo) -> Iterator[Json]:
    """How a client is told to reach the server."""
    if request.param == "stdio":
        words = command_line("serve-mcp", "--workspace", harbour.root)
        yield {"command": words, "env": environment()}
        return
    with HttpWire(harbour.root) as wire:
        yield {"url": wire.url}


@requirement("MCP-CLIENTS")
@pytest.mark.parametrize(
    ("line", "mode", "revision"),
    [
        (1, "handshake", "2025-11-25"),
        (2, "auto", "2026-07-28"),
        (2, "legacy", "2025-11-25"),
        (2, "2026-07-28", "2026-07-28"),
    ],
)
def test_an_official_client_gets_what_was_promised(
    reached: Json, memory: MemoryWire, line: int, mode: str, revision: str
) -> None:
    report = _run_client(line, {**reached, "mode": mode, "calls": CALLS})

    assert report["revision"] == revision
    assert _names(report["tools"]) == _names(json.loads(definitions_text(Profile.CORE)))
    together = cast("list[str]", report["together"])
    assert len({_without_basis(text) for text in together}) == 1
    calls = cast("list[list[object]]", report["calls"])
    assert calls[-1][0] == -32602
    assert [is_error for is_error, _ in calls[:-1]] == [False, False, True, True]
    assert [_without_basis(str(text)) for _, text in calls[:-1]] == [
        _without_basis(payload_text(memory.ask(tool_call(name, arguments))))
        for name, arguments in CALLS[:-1]
    ]
    if mode != "2026-07-28":  # a client that pins the revision asks nothing about the server
        assert (report["server"], report["instructions"]) == (
            "cruxe",
            INSTRUCTIONS[AnswerFormat.JSON],
        )


def _run_client(line: int, told: Json) -> Json:
    program = os.path.join(ROOT, "tests", "fixtures", "clients", f"line{line}.py")
    finished = subprocess.run(
        [_python_with(line), program, json.dumps(told)],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    return cast("Json", json.loads(finished.stdout))


def _python_with(line: int) -> str:
    if named := PYTHONS[line]:
        return named
    try:
        if version("mcp").startswith(f"{line}."):
            return sys.executable
    except PackageNotFoundError:
        pass
    pytest.skip(f"needs the {line}.x line of mcp; {VARIABLES[line]} may name a Python that has it")


def _names(tools: object) -> list[object]:
    return [tool["name"] for tool in cast("list[Json]", tools)]


def _without_basis(text: str) -> str:
    return text.replace(',"freshness_basis":"stat"', "").replace(',"freshness_basis":"watcher"', "")
