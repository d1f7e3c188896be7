"""One list of requests, one list of answers: the same bytes in memory, over stdio and over HTTP."""

import json
import re
from collections.abc import Sequence
from typing import cast

import pytest

from cruxe.serve.mcp.protocol import ServerOptions
from tests.contract.parity_requests import parity_requests
from tests.requirements import requirement
from tests.support.command import run_cruxe
from tests.support.repositories import Repo
from tests.support.wires import (
    HttpWire,
    Json,
    MemoryWire,
    StdioWire,
    Wire,
    initialize,
    payload_text,
    tool_call,
)


@requirement("MCP-PARITY")
def test_every_transport_gives_the_same_bytes(harbour: Repo) -> None:
    requests = list(parity_requests())
    in_memory = MemoryWire(harbour.root, ServerOptions("full"))
    expected = _answers(in_memory, requests)
    in_memory.workspaces.close()
    with StdioWire(harbour.root, "--profile", "full") as stdio:
        over_stdio = _answers(stdio, requests)
    with HttpWire(harbour.root, "--profile", "full") as http:
        over_http = _answers(http, requests)

    assert len(requests) > 100
    assert _differences(requests, expected, over_stdio) == []
    assert _differences(requests, expected, over_http) == []


@requirement("MCP-PARITY")
def test_the_list_holds_answers_tool_errors_and_refusals(harbour: Repo) -> None:
    """A list on which everything fails alike would prove nothing."""
    wire = MemoryWire(harbour.root, ServerOptions("full"))
    kinds = [_kind(answer) for answer in _answers(wire, list(parity_requests()))]
    wire.workspaces.close()

    assert {kind for kind in kinds if kinds.count(kind) >= 2} == {
        *("answer", "result", "nothing"),
        *("invalid_input", "file_not_found", "symbol_not_found"),
        *("-32700", "-32600", "-32601", "-32602"),
    }


@requirement("MCP-PARITY")
@pytest.mark.parametrize(
    ("words", "tool", "arguments"),
    [
        (("locate", "TokenBucket"), "locate_symbol", {"name": "TokenBucket"}),
        (("locate", "TokenBukcet"), "locate_symbol", {"name": "TokenBukcet"}),
        (
            ("search", "rate limit", "--limit", "3"),
            "search_code",
            {"query": "rate limit", "limit": 3, "group_by": "file"},
        ),
        (
            ("search", "rate limit", "--detail", "context", "--explain", "full"),
            "search_code",
            {
                "query": "rate limit",
                "detail_level": "context",
                "ranking_explain_level": "full",
                "group_by": "file",
            },
        ),
        (("text", "capacity"), "search_text", {"pattern": "capacity"}),
        (("show", "sign_token"), "read_symbol", {"symbol": "sign_token"}),
        (("show", "nobody_here"), "read_symbol", {"symbol": "nobody_here"}),
        (
            ("outline", "server/router.go"),
            "get_file_outline",
            {"path": "server/router.go"},
        ),
        (("outline", "gone.py"), "get_file_outline", {"path": "gone.py"}),
        (("search", "x", "--ref", "no-such"), "search_code", {"query": "x", "ref": "no-such"}),
    ],
)
def test_the_command_line_gives_the_same_payload(
    harbour: Repo, memory: MemoryWire, words: tuple[str, ...], tool: str, arguments: Json
) -> None:
    printed = run_cruxe(harbour.root, *words, "--json", "--no-sync").stdout

    answered = payload_text(memory.ask(tool_call(tool, arguments))) + "\n"
    expected = _without_basis(answered.encode())
    assert expected is not None
    assert _without_remedy(printed.encode()) == _without_remedy(expected)


def _answers(wire: Wire, requests: Sequence[bytes]) -> list[bytes | None]:
    wire.ask(initialize())
    return [_without_basis(wire.ask(request)) for request in requests]


def _without_basis(answer: bytes | None) -> bytes | None:
    """An answer without the word on how freshness was found: that is of the server, not of it."""
    return None if answer is None else re.sub(rb',\\*"freshness_basis\\*":\\*"\w+\\*"', b"", answer)


def _without_remedy(payload: bytes) -> bytes:
    """A payload without the remedy of an error: that is in the words of its reader."""
    return re.sub(rb'"remediation":"[^"]*"', b"", payload)


def _differences(
    requests: Sequence[bytes], expected: Sequence[bytes | None], found: Sequence[bytes | None]
) -> list[tuple[bytes, bytes | None, bytes | None]]:
    return [
        (request[:200], first, second)
        for request, first, second in zip(requests, expected, found, strict=True)
        if first != second
    ]


def _kind(answer: bytes | None) -> str:
    """What sort of answer it is: a code, or that there is a result."""
    if answer is None:
        return "nothing"
    message = json.loads(answer)
    if "error" in message:
        return str(message["error"]["code"])
    if "content" not in message["result"]:
        return "result"
    payload = cast("Json", json.loads(message["result"]["content"][0]["text"]))
    error = cast("Json", payload.get("error", {}))
    return str(error.get("code", "answer"))
