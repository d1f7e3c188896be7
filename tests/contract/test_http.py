"""The server over HTTP: who may ask, what each method does, sessions and streams."""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from http.client import HTTPConnection

import pytest

from cruxe.serve.http.connection import MAX_BODY_BYTES, MAX_HEAD_BYTES
from tests.requirements import requirement
from tests.support.command import run_cruxe
from tests.support.repositories import MakeRepo, Repo
from tests.support.wires import (
    META,
    PREFIX,
    STATELESS,
    HttpWire,
    Json,
    decoded,
    error_of,
    initialize,
    payload_of,
    request,
    stateless,
    tool_call,
)

LOCATE = {"name": "locate_symbol", "arguments": {"name": "TokenBucket"}}
JSON_HEADERS = {"Content-Type": "application/json"}
CURRENT = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": "tools/call"}


@pytest.fixture(scope="module")
def served(
    harbour_folder: tuple[Repo, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HttpWire]:
    """One server for all tests that leave no trace in it."""
    made, data_dir = harbour_folder
    home = str(tmp_path_factory.mktemp("home"))
    with HttpWire(made.root, HOME=home, CRUXE_STORAGE_DATA_DIR=data_dir) as wire:
        yield wire


@pytest.fixture(scope="module")
def guarded(
    harbour_folder: tuple[Repo, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HttpWire]:
    """A server that asks for a token."""
    made, data_dir = harbour_folder
    variables = {"HOME": str(tmp_path_factory.mktemp("home")), "CALLERS": "s3cret-token"}
    with HttpWire(
        made.root, "--token-env", "CALLERS", CRUXE_STORAGE_DATA_DIR=data_dir, **variables
    ) as wire:
        yield wire


def raw_connection(wire: HttpWire) -> socket.socket:
    """A connection to a server, without a client's help."""
    return socket.create_connection((wire.host, wire.connection.port), timeout=60)


@requirement("MCP-HTTP-SESSIONS")
def test_a_handshake_opens_a_session_that_lasts_until_it_is_ended(served: HttpWire) -> None:
    served.session = None
    _, headers, _ = served.post(initialize())
    session = headers["mcp-session-id"]

    listed = served.post(request("tools/list"), **{"Mcp-Session-Id": session})
    noted = served.post(
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}', **{"Mcp-Session-Id": session}
    )
    ended = served.send("DELETE", "/mcp", headers={"Mcp-Session-Id": session})
    after = served.post(request("tools/list"), **{"Mcp-Session-Id": session})

    assert session.isascii()
    assert [listed[0], noted[0], noted[2], ended[0], after[0]] == [200, 202, b"", 204, 404]


@requirement("MCP-HTTP-SESSIONS")
def test_without_a_session_a_request_must_speak_for_itself(served: HttpWire) -> None:
    served.session = None
    status, _, body = served.post(request("tools/list"))

    assert (status, error_of(body)[0]) == (400, -32602)
    assert served.post(stateless("tools/list"))[0] == 200


@requirement("MCP-HTTP-SESSIONS")
def test_stateless_requests_open_no_session(served: HttpWire) -> None:
    served.session = None
    _, headers, body = served.post(stateless("tools/call", dict(LOCATE)))

    assert "mcp-session-id" not in headers
    assert payload_of(body)["matches"] == {"exact": 1}


@requirement("MCP-HTTP-METHODS")
@pytest.mark.parametrize(
    ("method", "path", "status", "allowed"),
    [
        ("GET", "/mcp", 405, "POST, DELETE"),
        ("PUT", "/mcp", 405, "POST, DELETE"),
        ("DELETE", "/mcp", 405, "POST"),
        ("POST", "/health", 405, "GET"),
        ("GET", "/", 404, None),
        ("POST", "/mcp/other", 404, None),
    ],
)
def test_other_methods_and_places_are_refused(
    served: HttpWire, method: str, path: str, status: int, allowed: str | None
) -> None:
    found, headers, body = served.send(method, path)

    assert (found, headers.get("allow")) == (status, allowed)
    assert "id" not in decoded(body)


@requirement("MCP-HTTP-METHODS")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({"Accept": "text/html"}, 406),
        ({"Accept": "*/*"}, 200),
        ({"Content-Type": "application/json; charset=utf-8"}, 200),
    ],
)
def test_the_types_of_content_are_checked(
    served: HttpWire, headers: dict[str, str], status: int
) -> None:
    assert served.post(stateless("server/discover"), **headers)[0] == status


@requirement("MCP-HTTP-HEADERS")
@pytest.mark.parametrize(
    "headers",
    [
        {**CURRENT, "Mcp-Name": "search_code"},
        {**CURRENT, "Mcp-Method": "tools/list", "Mcp-Name": "locate_symbol"},
        {**CURRENT, "MCP-Protocol-Version": "2025-11-25", "Mcp-Name": "locate_symbol"},
        {**CURRENT, "Mcp-Name": "=?base64?not base64?="},
        CURRENT,
        {},
    ],
)
def test_headers_that_disagree_with_the_body_are_refused(
    served: HttpWire, headers: dict[str, str]
) -> None:
    status, _, body = served.send(
        "POST", "/mcp", stateless("tools/call", dict(LOCATE)), JSON_HEADERS | headers
    )

    assert (status, error_of(body)[0], decoded(body)["id"]) == (400, -32020, 1)


@requirement("MCP-HTTP-HEADERS")
def test_a_name_may_be_wrapped(served: HttpWire) -> None:
    wrapped = {**CURRENT, "Mcp-Name": "=?base64?bG9jYXRlX3N5bWJvbA==?="}
    body = stateless("tools/call", dict(LOCATE))

    assert served.send("POST", "/mcp", body, JSON_HEADERS | wrapped)[0] == 200


@requirement("MCP-HTTP-HEADERS")
@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        (stateless("no/such/method"), 404, -32601),
        (stateless("tools/call", {"name": "no_such_tool"}), 400, -32602),
        (
            request("tools/list", {"_meta": META | {f"{PREFIX}protocolVersion": "9"}}),
            400,
            -32022,
        ),
        (b"{", 400, -32700),
        (b"[]", 400, -32600),
    ],
)
def test_a_stateless_error_has_the_status_of_the_specification(
    served: HttpWire, message: bytes, status: int, code: int
) -> None:
    served.session = None
    found, _, body = served.post(message)

    assert (found, error_of(body)[0]) == (status, code)


@requirement("MCP-HTTP-HEADERS")
def test_a_session_refuses_a_revision_that_is_not_spoken(http: HttpWire) -> None:
    status, _, body = http.post(request("ping"), **{"MCP-Protocol-Version": "1999-01-01"})

    assert (status, error_of(body)[0]) == (400, -32022)


@requirement("MCP-HTTP-GUARD")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "attacker.example"}, 421),
        ({"Host": "127.0.0.1.attacker.example"}, 421),
        ({"Host": "[::1].attacker.example"}, 421),
        ({"Host": "[localhost"}, 421),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "[::1]:9100"}, 200),
        ({"Origin": "https://attacker.example"}, 403),
        ({"Origin": "http://[::1].attacker.example"}, 403),
        ({"Origin": "http://localhost:80@attacker.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "file://"}, 403),
        ({"Origin": "http://localhost:3000"}, 200),
    ],
)
def test_only_our_own_names_are_served(
    served: HttpWire, headers: dict[str, str], status: int
) -> None:
    assert served.post(stateless("server/discover"), **headers)[0] == status
    assert served.send("GET", "/health", headers=headers)[0] == status


@requirement("MCP-HTTP-GUARD")
def test_a_token_is_demanded_where_there_is_one(harbour: Repo) -> None:
    with HttpWire(harbour.root, "--token-env", "CALLERS", CALLERS="s3cret-token") as wire:
        without = wire.post(stateless("server/discover"))
        wrong = wire.post(stateless("server/discover"), Authorization="Bearer s3cret")
        right = wire.post(stateless("server/discover"), Authorization="bearer s3cret-token")
        health = wire.send("GET", "/health")

    assert [without[0], wrong[0], right[0], health[0]] == [401, 401, 200, 401]
    assert without[1]["www-authenticate"] == "Bearer"


@requirement("MCP-HTTP-GUARD")
@pytest.mark.parametrize(
    "options",
    [
        ("--host", "0.0.0.0"),  # noqa: S104 - that it is refused is the point
        ("--host", "192.0.2.1"),
        ("--token-env", "NOWHERE_SET"),
    ],
)
def test_beyond_loopback_nothing_is_served_without_a_token(
    harbour: Repo, options: tuple[str, ...]
) -> None:
    finished = run_cruxe(harbour.root, "serve", "--port", "0", *options)

    assert (finished.code, finished.stdout) == (2, "")
    assert "token" in finished.stderr or "NOWHERE_SET" in finished.stderr


@requirement("MCP-HTTP-GUARD")
@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("Host: attacker.example", 421),
        ("Host: localhost\r\nOrigin: https://attacker.example", 403),
        ("Host: localhost", 401),
    ],
)
def test_who_may_ask_is_judged_before_the_body_arrives(
    guarded: HttpWire, head: str, status: int
) -> None:
    with raw_connection(guarded) as raw:
        raw.sendall(
            f"POST /mcp HTTP/1.1\r\n{head}\r\nContent-Type: application/json\r\n"
            "Content-Length: 1000000\r\nExpect: 100-continue\r\n\r\n".encode()
        )
        answer = raw.recv(4_096)

    assert answer.startswith(b"HTTP/1.1 %d" % status)
    assert b"connection: close" in answer.lower()


@requirement("MCP-HTTP-GUARD")
def test_a_refusal_is_read_though_the_whole_body_is_sent_first(guarded: HttpWire) -> None:
    body = stateless("server/discover") + b" " * 200_000

    assert guarded.post(body)[0] == 401
    assert guarded.post(body)[0] == 401


@requirement("MCP-HTTP-LIMITS")
def test_a_head_is_refused_at_the_limit(served: HttpWire) -> None:
    with raw_connection(served) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * MAX_HEAD_BYTES)
        assert raw.recv(100).startswith(b"HTTP/1.1 431")
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: %b\r\n\r\n" % (b"a" * 60_000)
    with raw_connection(served) as raw:
        raw.sendall(whole)
        assert raw.recv(100).startswith(b"HTTP/1.1 431")


@requirement("MCP-HTTP-LIMITS")
def test_clients_that_send_nothing_or_slowly_hold_no_slot(guarded: HttpWire) -> None:
    begun = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n"
    allowed = f"{begun.decode()}Authorization: Bearer s3cret-token\r\n".encode()
    body = b"Content-Type: application/json\r\nContent-Length: 4000000\r\n\r\n" + b" " * 100_000
    with ExitStack() as stack:
        for number in range(600):
            raw = stack.enter_context(raw_connection(guarded))
            with suppress(OSError):  # it made room for another
                raw.sendall((b"", begun, allowed + body)[number % 3])
            if number % 100 == 99:
                answer = guarded.post(
                    stateless("server/discover"), Authorization="Bearer s3cret-token"
                )
                assert answer[0] == 200


@requirement("MCP-HTTP-LIMITS")
def test_a_body_that_is_too_large_is_refused_before_it_is_read(served: HttpWire) -> None:
    with socket.create_connection((served.host, served.connection.port)) as raw:
        raw.sendall(
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1)
        )
        assert raw.recv(100).startswith(b"HTTP/1.1 413")


@requirement("MCP-HTTP-LIMITS")
def test_a_client_that_goes_in_the_middle_of_its_body_leaves_the_server_up(
    served: HttpWire,
) -> None:
    with socket.create_connection((served.host, served.connection.port)) as raw:
        raw.sendall(
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n{"
        )
    assert served.post(stateless("server/discover"))[0] == 200


@requirement("MCP-HTTP-LIMITS")
def test_requests_may_follow_each_other_before_they_are_answered(served: HttpWire) -> None:
    one = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = b"HEAD /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with socket.create_connection((served.host, served.connection.port)) as raw:
        raw.sendall(one + one + last)
        received = b""
        while piece := raw.recv(65_536):
            received += piece

    assert [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]] == [b"404", b"404", b"405"]


@requirement("MCP-HTTP-LIMITS")
@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 40_000, b"431"),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", b"400"),
        (
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Method: a\r\nMcp-Method: b\r\n\r\n",
            b"400",
        ),
    ],
)
def test_what_is_not_http_gets_an_error_and_the_server_stays(
    served: HttpWire, sent: bytes, status: bytes
) -> None:
    with socket.create_connection((served.host, served.connection.port)) as raw:
        raw.sendall(sent)
        assert raw.recv(100).split()[1] == status
    assert served.post(stateless("server/discover"))[0] == 200


@requirement("MCP-HTTP-METHODS")
def test_health_is_told_to_whatever_watches(served: HttpWire) -> None:
    status, headers, body = served.send("GET", "/health")

    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(body)["status"] in ("ready", "warming", "indexing")


@requirement("MCP-HTTP-STREAMS")
def test_progress_comes_as_a_stream_that_ends_with_the_response(repo: MakeRepo) -> None:
    made = repo("".join(f"-- m{number}.py\ndef f{number}(): pass\n" for number in range(40)))
    params: Json = {
        "name": "sync_repo",
        "arguments": {"force": True},
        "_meta": {"progressToken": "t"},
    }
    with HttpWire(made.root) as wire:
        wire.ask(initialize())
        status, headers, body = wire.post(request("tools/call", params, "s"))

    messages = [json.loads(event[6:]) for event in body.splitlines() if event.startswith(b"data: ")]
    assert (status, headers["content-type"]) == (200, "text/event-stream")
    assert headers["x-accel-buffering"] == "no"
    assert {message.get("method") for message in messages[:-1]} <= {"notifications/progress"}
    assert messages[-1]["id"] == "s"


@requirement("MCP-HTTP-STREAMS")
def test_a_subscription_stays_open_until_the_server_ends(harbour: Repo) -> None:
    with HttpWire(harbour.root) as wire:
        connection = HTTPConnection(wire.host, wire.connection.port, timeout=30)
        message = stateless("subscriptions/listen", {"notifications": {}}, "sub")
        headers = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": "subscriptions/listen"}
        connection.request("POST", "/mcp", message, JSON_HEADERS | headers)
        stream = connection.getresponse()
        opening = [stream.readline() for _ in range(3)]
        wire.process.terminate()
        rest = stream.read()
        connection.close()

    assert b"notifications/subscriptions/acknowledged" in opening[1]
    assert json.loads(rest.split(b"data: ")[1])["result"]["resultType"] == "complete"


@requirement("MCP-HTTP-CLIENTS")
def test_many_clients_are_answered_side_by_side(served: HttpWire) -> None:
    names = ["TokenBucket", "RateLimiter", "LruCache", "Account"] * 8

    def ask(name: str) -> object:
        connection = HTTPConnection(served.host, served.connection.port, timeout=60)
        message = stateless("tools/call", {"name": "locate_symbol", "arguments": {"name": name}})
        headers = {**CURRENT, "Mcp-Name": "locate_symbol"}
        connection.request("POST", "/mcp", message, JSON_HEADERS | headers)
        found = payload_of(connection.getresponse().read())["results"]
        connection.close()
        assert isinstance(found, list)
        return found[0]["name"]

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(ask, names)) == names


@requirement("MCP-HTTP-CLIENTS")
def test_told_to_end_the_server_sends_what_it_owes_and_goes(harbour: Repo) -> None:
    wire = HttpWire(harbour.root)
    wire.ask(initialize())
    assert payload_of(wire.ask(tool_call("locate_symbol", {"name": "Account"})))["results"]

    code, stdout, stderr = wire.end()

    assert (code, stdout, stderr) == (0, b"", b"")


@requirement("MCP-HTTP-CLIENTS")
def test_a_port_that_is_taken_is_told(served: HttpWire, harbour: Repo) -> None:
    taken = str(served.connection.port)
    finished = run_cruxe(harbour.root, "serve", "--port", taken)

    assert (finished.code, "choose another" in finished.stderr) == (2, True)
