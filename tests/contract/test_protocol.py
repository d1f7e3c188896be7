"""What the protocol answers to whom: handshakes, the stateless revision, broken requests."""

import json

import pytest

from cruxe import __version__
from cruxe.contract.instructions import INSTRUCTIONS
from cruxe.model.levels import AnswerFormat
from cruxe.serve.mcp.messages import read_message
from cruxe.serve.mcp.protocol import ServerOptions
from tests.requirements import requirement
from tests.support.repositories import Repo
from tests.support.wires import (
    META,
    PREFIX,
    STATELESS,
    Json,
    MemoryWire,
    decoded,
    error_of,
    initialize,
    payload_of,
    payload_text,
    request,
    result_of,
    stateless,
    tool_call,
)

ALL_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
SERVER = {"name": "cruxe", "title": "Cruxe", "version": __version__}


@requirement("MCP-HANDSHAKE")
@pytest.mark.parametrize(
    ("wanted", "settled"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1.0", "2025-11-25"),
    ],
)
def test_a_handshake_settles_on_the_revision_wanted_or_the_newest(
    harbour: Repo, wanted: str, settled: str
) -> None:
    assert result_of(MemoryWire(harbour.root).ask(initialize(wanted))) == {
        "protocolVersion": settled,
        "capabilities": {"tools": {}},
        "instructions": INSTRUCTIONS[AnswerFormat.JSON],
        "serverInfo": SERVER,
    }


@requirement("MCP-STATELESS")
def test_a_client_without_a_handshake_discovers_the_server(harbour: Repo) -> None:
    assert result_of(MemoryWire(harbour.root).ask(stateless("server/discover"))) == {
        "resultType": "complete",
        "supportedVersions": ALL_VERSIONS,
        "capabilities": {"tools": {}},
        "instructions": INSTRUCTIONS[AnswerFormat.JSON],
        "ttlMs": 3_600_000,
        "cacheScope": "public",
        "_meta": {f"{PREFIX}serverInfo": SERVER},
    }


@requirement("MCP-STATELESS")
def test_a_stateless_list_has_cache_hints_and_the_same_tools(memory: MemoryWire) -> None:
    alone = result_of(memory.ask(stateless("tools/list")))
    in_session = result_of(memory.ask(request("tools/list")))

    assert {key: value for key, value in alone.items() if key != "tools"} == {
        "resultType": "complete",
        "ttlMs": 3_600_000,
        "cacheScope": "public",
        "_meta": {f"{PREFIX}serverInfo": SERVER},
    }
    assert in_session == {"tools": alone["tools"]}


@requirement("MCP-STATELESS")
def test_a_stateless_call_gives_the_same_payload(memory: MemoryWire) -> None:
    arguments: Json = {"name": "TokenBucket"}
    in_session = memory.ask(tool_call("locate_symbol", arguments))
    alone = memory.ask(stateless("tools/call", {"name": "locate_symbol", "arguments": arguments}))

    assert payload_text(alone) == payload_text(in_session)
    assert result_of(alone).keys() == {"resultType", "content", "isError", "_meta"}
    assert result_of(in_session).keys() == {"content", "isError"}


@requirement("MCP-STATELESS")
@pytest.mark.parametrize(
    ("meta", "code"),
    [
        ({f"{PREFIX}protocolVersion": "1999-01-01"}, -32022),
        ({f"{PREFIX}protocolVersion": "2025-11-25"}, -32022),
        ({f"{PREFIX}protocolVersion": 7}, -32602),
        ({f"{PREFIX}protocolVersion": STATELESS, f"{PREFIX}clientCapabilities": None}, -32602),
    ],
)
def test_a_request_that_says_too_little_or_the_wrong_revision_is_refused(
    harbour: Repo, meta: Json, code: int
) -> None:
    answer = MemoryWire(harbour.root).ask(request("tools/list", {"_meta": META | meta}))

    assert error_of(answer)[0] == code
    if code == -32022:
        assert decoded(answer)["error"] == {
            "code": code,
            "message": "Unsupported protocol version",
            "data": {"supported": ALL_VERSIONS, "requested": meta[f"{PREFIX}protocolVersion"]},
        }


@requirement("MCP-HANDSHAKE")
@pytest.mark.parametrize("method", ["tools/list", "tools/call", "server/discover"])
def test_before_a_handshake_a_request_must_speak_for_itself(harbour: Repo, method: str) -> None:
    code, message = error_of(MemoryWire(harbour.root).ask(request(method)))

    assert (code, "initialize" in message) == (-32602, True)


@requirement("MCP-HANDSHAKE")
def test_ping_is_answered_at_any_time(harbour: Repo) -> None:
    wire = MemoryWire(harbour.root)

    assert decoded(wire.ask(request("ping", request_id="p"))) == {
        "jsonrpc": "2.0",
        "id": "p",
        "result": {},
    }
    assert result_of(wire.ask(stateless("ping")))["resultType"] == "complete"


@requirement("MCP-BROKEN")
@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', -32700),
        (b"[" * 100_000, -32700),
        (b"1" * 5_000, -32700),
        (b"7", -32600),
        (b"[]", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
        (b'{"id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"initialize"}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grep"}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32602),
        (
            (
                b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
                b'"params":{"name":"search_code","arguments":[]}}'
            ),
            -32602,
        ),
    ],
)
def test_a_broken_request_gets_the_code_of_the_specification(
    memory: MemoryWire, message: bytes, code: int
) -> None:
    assert error_of(memory.ask(message))[0] == code


@requirement("MCP-BROKEN")
def test_an_error_carries_the_id_where_it_could_be_read(memory: MemoryWire) -> None:
    assert decoded(memory.ask(b'{"jsonrpc":"1.0","id":"x","method":"ping"}'))["id"] == "x"
    assert "id" not in decoded(memory.ask(b"{"))


@requirement("MCP-BROKEN")
@pytest.mark.parametrize(
    "message",
    [
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","method":"notifications/unheard_of","params":{"a":1}}',
        b'{"jsonrpc":"2.0","method":"tools/list"}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}',
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
    ],
)
def test_notifications_and_responses_get_no_reply(memory: MemoryWire, message: bytes) -> None:
    assert memory.ask(message) is None


@requirement("MCP-BATCH")
def test_batches_are_answered_where_the_revision_has_them(harbour: Repo) -> None:
    wire = MemoryWire(harbour.root)
    wire.ask(initialize("2025-03-26"))
    batch = b"[%s]" % b",".join(
        [
            request("ping", request_id=1),
            b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
            tool_call("locate_symbol", {"name": "TokenBucket"}, request_id=2),
            b"7",
        ]
    )

    answers = json.loads(wire.ask(batch) or b"")

    assert [(each.get("id"), "error" in each) for each in answers] == [
        (1, False),
        (2, False),
        (None, True),
    ]
    assert wire.ask(b'[{"jsonrpc":"2.0","method":"notifications/initialized"}]') is None


@requirement("MCP-TOOL-ERRORS")
def test_a_tool_that_fails_answers_with_the_envelope_and_is_error(memory: MemoryWire) -> None:
    answer = memory.ask(tool_call("get_file_outline", {"path": "no/such.py"}))

    assert result_of(answer)["isError"] is True
    error = payload_of(answer)["error"]
    assert isinstance(error, dict)
    assert error["code"] == "file_not_found"
    assert payload_of(answer).keys() == {"error", "metadata"}


@requirement("MCP-STRUCTURED")
def test_structured_content_comes_only_when_asked_for(harbour: Repo, memory: MemoryWire) -> None:
    asked = MemoryWire(harbour.root, ServerOptions(is_structured=True))
    asked.ask(initialize("2025-06-18"))
    old = MemoryWire(harbour.root, ServerOptions(is_structured=True))
    old.ask(initialize("2025-03-26"))
    call = tool_call("locate_symbol", {"name": "TokenBucket"})

    assert "structuredContent" not in result_of(memory.ask(call))
    assert "structuredContent" not in result_of(old.ask(call))
    assert result_of(asked.ask(call))["structuredContent"] == payload_of(asked.ask(call))


@requirement("MCP-PROFILES")
def test_a_tool_of_the_full_profile_is_unknown_to_the_core(harbour: Repo) -> None:
    core, full = MemoryWire(harbour.root), MemoryWire(harbour.root, ServerOptions("full"))
    core.ask(initialize())
    full.ask(initialize())

    assert error_of(core.ask(tool_call("list_refs")))[0] == -32602
    assert result_of(full.ask(tool_call("list_refs")))["isError"] is False


@requirement("MCP-STATELESS")
def test_a_subscription_is_acknowledged_and_promises_nothing(harbour: Repo) -> None:
    wanted: Json = {"notifications": {"toolsListChanged": True}}
    answer = MemoryWire(harbour.root).ask(stateless("subscriptions/listen", wanted, "s1"))

    assert decoded(answer) == {
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {"_meta": {f"{PREFIX}subscriptionId": "s1"}, "notifications": {}},
    }


@requirement("MCP-BROKEN")
def test_an_id_without_utf8_comes_back_as_it_was_sent(memory: MemoryWire) -> None:
    answer = memory.ask(b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}')

    assert answer == b'{"jsonrpc":"2.0","id":"\\ud800","result":{}}'
    assert read_message(answer) == read_message(b'{"jsonrpc":"2.0","id":1,"result":{}}')
