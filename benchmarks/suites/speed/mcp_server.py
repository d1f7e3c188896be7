"""Suite: the MCP server's start beside its peers', and what a transport adds to a call."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from shutil import copytree
from statistics import median
from subprocess import PIPE, Popen
from typing import Final, cast

import msgspec

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit, how_often, joined
from benchmarks.harness.first_replies import FirstReplies, time_first_replies
from benchmarks.harness.processes import run
from benchmarks.harness.servers import serving
from benchmarks.harness.stores import COMMAND, Store, temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.peers.adapters.mcp_servers import PeerServer, find_peers, missing_peers
from cruxe.contract.catalogue import TOOLS_BY_NAME
from cruxe.hosting.workspaces import ServingOptions, Workspaces
from cruxe.serve.dispatch import ClientSession, Dispatcher, ToolCall

_BARE: Final = (sys.executable, "-c", "pass")
_MAX_TIMES_INITIALIZE: Final = 5.0
_MAX_TIMES_LIST: Final = 7.0
_MAX_MEGABYTES: Final = 40.0
_MAX_ADDED_MS: Final = {"stdio": 3.0, "HTTP": 6.0}
_CALLS: Final = 200

Ask = Callable[[str], str]


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Start servers again and again, then call one tool over each transport in turns."""
    with ExitStack() as stack:
        # One watcher tends a store, and whoever has it answers faster: each way has its own.
        stores = [stack.enter_context(temporary_store(corpus.root)) for _ in range(3)]
        stores[0].run("index")
        for copy in stores[1:]:
            copytree(stores[0].data_folder, copy.data_folder)
        return joined([_measure_start(stores[0], repeat), _measure_calls(stores, corpus.symbol)])


def _measure_start(store: Store, repeat: int) -> Measured:
    ours = PeerServer("Cruxe", (sys.executable, "-c", COMMAND, "serve-mcp", "-C", store.root))
    servers = [ours, *find_peers()]
    environment = store.environment | {"HF_HUB_OFFLINE": "1"}
    for server in servers:
        time_first_replies(server.command, environment, store.home)  # fills the caches
    bare: list[float] = []
    replies: dict[str, list[FirstReplies]] = {server.name: [] for server in servers}
    for _ in range(repeat):
        bare.append(run(_BARE, environment).wall_seconds)
        for server in servers:
            once = time_first_replies(server.command, environment, store.home)
            replies[server.name].append(once)
    figures = [Figure("wall of the bare interpreter", median(bare) * 1000, Unit.MILLISECONDS)]
    for name, found in replies.items():
        figures += _start_figures(name, found, median(bare), is_ours=name == ours.name)
    notes = [f"Starts in turns; {how_often(repeat)}."]
    if missing := missing_peers():
        notes.append(f"Not measured for want of {', '.join(missing)}.")
    return Measured(tuple(figures), tuple(notes))


def _start_figures(
    name: str, replies: list[FirstReplies], bare: float, *, is_ours: bool
) -> Iterator[Figure]:
    initialize = median(each.initialize_seconds for each in replies)
    listed = median(each.list_seconds for each in replies)
    memory = max(each.resident_megabytes for each in replies)
    if is_ours:
        bars = (_MAX_TIMES_INITIALIZE, _MAX_TIMES_LIST, _MAX_MEGABYTES)
        yield Figure("start to initialize / bare", initialize / bare, Unit.TIMES, bars[0])
        yield Figure("start to tools/list / bare", listed / bare, Unit.TIMES, bars[1])
        yield Figure("start to initialize", initialize * 1000, Unit.MILLISECONDS)
        yield Figure("start to tools/list", listed * 1000, Unit.MILLISECONDS)
        yield Figure("memory then", memory, Unit.MEGABYTES, bars[2])
        return
    yield Figure("peer: initialize / bare", initialize / bare, Unit.TIMES, subject=name)
    yield Figure("peer: tools/list / bare", listed / bare, Unit.TIMES, subject=name)
    yield Figure("peer: initialize", initialize * 1000, Unit.MILLISECONDS, subject=name)
    yield Figure("peer: memory then", memory, Unit.MEGABYTES, subject=name)


def _measure_calls(stores: list[Store], symbol: str) -> Measured:
    """One search over each way in turn, so that all meet the same moments of the machine."""
    queries = [symbol, f"where is {symbol} tested", "read the settings", "error handling"]
    with ExitStack() as stack:
        ways = {
            name: stack.enter_context(way(store))
            for (name, way), store in zip(_WAYS.items(), stores, strict=True)
        }
        for query in queries * 3:
            for ask in ways.values():
                ask(query)
        times: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(_CALLS):
            for name, ask in ways.items():
                started = time.perf_counter()
                ask(queries[number % len(queries)])
                times[name].append((time.perf_counter() - started) * 1000)
    middle = {name: median(found) for name, found in times.items()}
    figures = [Figure("warm search_code, p50", middle["in process"], Unit.MILLISECONDS)]
    for name, bar in _MAX_ADDED_MS.items():
        added = middle[name] - middle["in process"]
        figures.append(Figure(f"{name} adds, p50", added, Unit.MILLISECONDS, bar))
    return Measured(tuple(figures), (f"{_CALLS} searches over each way, in turns.",))


@contextmanager
def _in_process(store: Store) -> Iterator[Ask]:
    os.environ["HOME"], home = store.home, os.environ.get("HOME", "")
    workspaces = Workspaces(ServingOptions(store.root))
    dispatcher, tool = Dispatcher(workspaces), TOOLS_BY_NAME["search_code"]

    def ask(query: str) -> str:
        return dispatcher.answer(ToolCall(tool, {"query": query}, ClientSession())).payload

    try:
        yield ask
    finally:
        workspaces.close()
        os.environ["HOME"] = home


@contextmanager
def _over_stdio(store: Store) -> Iterator[Ask]:
    with serving(store) as server:
        yield lambda query: str(server.call("search_code", query=query).answer)


@contextmanager
def _over_http(store: Store) -> Iterator[Ask]:
    command = (sys.executable, "-c", COMMAND, "serve", "--port", "0", "-C", store.root)
    with Popen(command, stderr=PIPE, env=store.environment) as process, _terminating(process):
        assert process.stderr is not None
        place = process.stderr.readline().split()[1].decode().split("/")[2]
        with closing(HTTPConnection(place)) as connection:
            session = _opened_session(connection)

            def ask(query: str) -> str:
                params = {"name": "search_code", "arguments": {"query": query}}
                return _post(connection, "tools/call", params, session)[0]

            yield ask


@contextmanager
def _terminating(process: "Popen[bytes]") -> Iterator[None]:
    try:
        yield
    finally:
        process.terminate()


def _opened_session(connection: HTTPConnection) -> str:
    client = {"name": "benchmark", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    session = _post(connection, "initialize", hello)[1]
    assert session is not None
    return session


def _post(
    connection: HTTPConnection, method: str, params: object, session: str | None = None
) -> tuple[str, str | None]:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if session is not None:
        headers["Mcp-Session-Id"] = session
    connection.request("POST", "/mcp", msgspec.json.encode(message), headers)
    response = connection.getresponse()
    reply = cast("dict[str, object]", msgspec.json.decode(response.read()))
    assert "result" in reply, reply
    return str(reply["result"]), response.getheader("Mcp-Session-Id")


_WAYS: Final = {"in process": _in_process, "stdio": _over_stdio, "HTTP": _over_http}

SUITE: Final = Suite(
    name="mcp",
    about=(
        "`cruxe serve-mcp` from its start to the first replies, beside `python -c pass`, semble and"
        " a plain server of the official SDK; and what stdio and HTTP add to a warm search."
    ),
    repeat=15,
    measure=measure,
)
