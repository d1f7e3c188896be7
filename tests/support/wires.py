"""Ways to a server: the same bytes go in and the answer's bytes come out, whatever carries them."""

import json
import subprocess
from base64 import b64encode
from collections.abc import Mapping
from http.client import HTTPConnection
from types import TracebackType
from typing import Final, NoReturn, Protocol, Self, cast

from cruxe.hosting.workspaces import ServingOptions, Workspaces
from cruxe.serve.dispatch import Dispatcher
from cruxe.serve.mcp.calls import BatchCall, Call, Client
from cruxe.serve.mcp.messages import Refusal, Subscription, read_message, refusal_of
from cruxe.serve.mcp.protocol import Protocol as McpProtocol
from cruxe.serve.mcp.protocol import ServerOptions
from tests.support.command import command_line, environment

Json = dict[str, object]

STATELESS: Final = "2026-07-28"
PREFIX: Final = "io.modelcontextprotocol/"
META: Final[Json] = {
    f"{PREFIX}protocolVersion": STATELESS,
    f"{PREFIX}clientInfo": {"name": "test", "version": "1"},
    f"{PREFIX}clientCapabilities": {},
}
_BARRIER: Final = "barrier"
_ACCEPTED: Final = "application/json, text/event-stream"
_EXPECTED_STATUSES: Final = (200, 202, 204, 400, 404)


class Wire(Protocol):
    """One client of one server."""

    def ask(self, message: bytes) -> bytes | None:
        """Send a message and give what it is answered with; nothing for what is not answered."""
        ...


def request(method: str, params: Json | None = None, request_id: int | str = 1) -> bytes:
    """A request, as it is sent."""
    message: Json = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return _bytes(message if params is None else message | {"params": params})


def initialize(revision: str = "2025-11-25") -> bytes:
    """The first message of a handshake."""
    client = {"name": "test", "version": "1"}
    return request(
        "initialize", {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}
    )


def stateless(method: str, params: Json | None = None, request_id: int | str = 1) -> bytes:
    """A request of the stateless revision."""
    return request(method, {**(params or {}), "_meta": META}, request_id)


def tool_call(name: str, arguments: object = None, request_id: int | str = 1) -> bytes:
    """A call of a tool, within a handshake."""
    params: Json = {"name": name}
    return request("tools/call", params | {"arguments": arguments or {}}, request_id)


def decoded(answer: bytes | None) -> Json:
    """An answer as an object."""
    assert answer is not None
    value = json.loads(answer)
    assert isinstance(value, dict)
    return value


def result_of(answer: bytes | None) -> Json:
    """The result of an answer that is no error."""
    value = decoded(answer)
    assert "error" not in value, value
    return cast("Json", value["result"])


def error_of(answer: bytes | None) -> tuple[int, str]:
    """Code and message of an answer that is an error."""
    error = cast("Json", decoded(answer)["error"])
    return cast("int", error["code"]), cast("str", error["message"])


def payload_text(answer: bytes | None) -> str:
    """The text that a tool's result holds."""
    content = cast("list[Json]", result_of(answer)["content"])
    assert [each["type"] for each in content] == ["text"]
    return cast("str", content[0]["text"])


def payload_of(answer: bytes | None) -> Json:
    """What a tool answered."""
    return cast("Json", json.loads(payload_text(answer)))


class MemoryWire:
    """The protocol without anything that carries it."""

    def __init__(self, root: str, options: ServerOptions | None = None) -> None:
        """Serve one folder."""
        self.workspaces = Workspaces(ServingOptions(root, has_prewarm=False, has_watcher=False))
        dispatcher = Dispatcher(self.workspaces)
        self._protocol = McpProtocol(options or ServerOptions(), lambda: dispatcher)
        self._client = Client()
        self.notified: list[Json] = []

    def ask(self, message: bytes) -> bytes | None:
        """Take the message and run what it asks for."""
        outcome = self._protocol.receive(read_message(message), self._client)
        match outcome:
            case Call() | BatchCall():
                return outcome.run(lambda sent: self.notified.append(json.loads(sent)))
            case Subscription():
                return outcome.opening
            case Refusal():
                return refusal_of(outcome)
            case _:
                return outcome


class StdioWire:
    """The real command in a process of its own."""

    def __init__(self, root: str, *options: str, **variables: str) -> None:
        """Start it."""
        self.process = subprocess.Popen(
            command_line("serve-mcp", "--workspace", root, *options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(**variables),
        )
        self.notified: list[Json] = []

    def __enter__(self) -> Self:
        """Use it for a while."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close its input and wait for its end."""
        self.end()

    def ask(self, message: bytes) -> bytes | None:
        """Write one line, and read lines until its answer comes."""
        awaited = _awaited_id(message)
        if awaited is not None:
            self.write(message)
            return self.read(awaited)
        self.write(message, request("ping", request_id=_BARRIER))
        answer = self.read_any()
        if decoded(answer).get("id") == _BARRIER:
            return None
        assert decoded(self.read_any())["id"] == _BARRIER
        return answer

    def write(self, *messages: bytes) -> None:
        """Write lines."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(message + b"\n" for message in messages))
        self.process.stdin.flush()

    def read(self, awaited: object) -> bytes:
        """Read until the response to a request comes; notifications are kept aside."""
        while True:
            line = self.read_any()
            message = json.loads(line)
            if isinstance(message, list) or message.get("id") == awaited:
                return line
            assert "method" in message, message
            self.notified.append(message)

    def read_any(self) -> bytes:
        """Read one line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), self._told()
        return line[:-1]

    def end(self) -> tuple[int, bytes, bytes]:
        """Close the input; gives the exit code and what was still written."""
        stdout, stderr = self.process.communicate()
        return self.process.returncode, stdout, stderr

    def _told(self) -> bytes:
        self.process.kill()
        return self.process.communicate()[1]


class HttpWire:
    """The real command, reached over HTTP."""

    def __init__(self, root: str, *options: str, **variables: str) -> None:
        """Start it on a free port."""
        self.process = subprocess.Popen(
            command_line("serve", "--port", "0", "--workspace", root, *options),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(**variables),
        )
        assert self.process.stderr is not None
        told = self.process.stderr.readline().decode()
        assert told.startswith("serving http"), told + self.process.stderr.read().decode()
        self.url = told.split()[1]
        place = self.url.removeprefix("http://").partition("/")[0]
        self.host, _, port = place.rpartition(":")
        self.connection = HTTPConnection(self.host, int(port), timeout=60)
        self.session: str | None = None

    def __enter__(self) -> Self:
        """Use it for a while."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Tell it to end, and wait."""
        self.end()

    def ask(self, message: bytes) -> bytes | None:
        """Post one message, and read its answer."""
        status, headers, body = self.post(message)
        self.session = headers.get("mcp-session-id", self.session)
        assert status in _EXPECTED_STATUSES, (status, body)
        if headers.get("content-type") == "text/event-stream":
            return body.split(b"data: ", 1)[1].split(b"\n", 1)[0]
        return body or None

    def post(self, message: bytes, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Post one message; headers that the protocol asks for are added."""
        given = {"Content-Type": "application/json", "Accept": _ACCEPTED}
        if self.session is not None:
            given["Mcp-Session-Id"] = self.session
        given |= _mirrored(message)
        return self.send("POST", "/mcp", message, given | headers)

    def send(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Send any request."""
        self.connection.request(method, path, body, headers or {})
        response = self.connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return response.status, found, response.read()

    def beside(self) -> "HttpClientWire":
        """Another client of the same server."""
        return HttpClientWire(self)

    def end(self) -> tuple[int, bytes, bytes]:
        """Tell the server to end; gives the exit code and what was written."""
        self.connection.close()
        self.process.terminate()
        stdout, stderr = self.process.communicate()
        return self.process.returncode, stdout, stderr


class HttpClientWire(HttpWire):
    """A further client of a server, which the first one ends."""

    def __init__(self, first: HttpWire) -> None:
        """Open a connection and a session of its own."""
        self.url, self.host = first.url, first.host
        self.connection = HTTPConnection(first.host, first.connection.port, timeout=60)
        self.session = None

    def end(self) -> tuple[int, bytes, bytes]:
        """Close the connection; the server goes on."""
        self.connection.close()
        return 0, b"", b""


def _mirrored(message: bytes) -> dict[str, str]:
    """The headers that a stateless request repeats its body in."""
    try:
        value = json.loads(message)
        params = value["params"]
        version = params["_meta"][f"{PREFIX}protocolVersion"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": value.get("method")}
    if params.get("name") is not None:
        headers["Mcp-Name"] = params["name"]
    return {name: _header_value(str(value)) for name, value in headers.items()}


def _header_value(text: str) -> str:
    """A value as a header can carry it; what is not plain ASCII is wrapped."""
    if text.isascii() and text.isprintable():
        return text.strip()
    return f"=?base64?{b64encode(text.encode('utf-8', 'replace')).decode()}?="


def _awaited_id(message: bytes) -> object:
    """The id under which an answer comes; nothing where none does, or it has no id."""
    try:
        value = json.loads(message.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        return "batch" if any(isinstance(each, dict) and "id" in each for each in value) else None
    request_id = value.get("id") if isinstance(value, dict) else None
    if isinstance(request_id, bool) or not isinstance(request_id, int | str):
        return None
    return request_id if "method" in value or "result" not in value else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _bytes(message: Mapping[str, object]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()
