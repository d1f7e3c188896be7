"""How many modules a request enters, and how often it crosses from one package into another.

    python -m benchmarks.harness.trace_path [--source CHECKOUT/src] [--show] ROOT

Traces a warm `search_code` over MCP for each of a few queries, and an edit from its `sync_repo` to
its publication, in a copy of the repository at ROOT. A module counts if one of its functions is
called. A crossing is a call whose caller and callee are modules of Cruxe in different first-level
packages. `--source` traces another checkout of Cruxe, such as the commit before.
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, Final

QUERIES: Final = (
    "how does the router handle errors",
    "Router",
    "lib/router layer",
    "where is the response sent",
)
_WARM_UP_TIMES: Final = 8
_SETTLE_SECONDS: Final = 2.5  # the stamps of files written just before are not trusted
_PAUSE_SECONDS: Final = 0.3  # by then a watcher has seen that nothing changes


class Trace:
    """What was entered between `start` and `stop`."""

    def __init__(self) -> None:
        """Count nothing yet."""
        self.modules: set[str] = set()
        self.crossings: Counter[tuple[str, str]] = Counter()

    def run(self, work: Callable[[], object]) -> None:
        """Trace some work in this thread and in those that it starts."""
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        try:
            work()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _see(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        module, caller = _module_of(frame), _module_of(frame.f_back)
        if not module:
            return
        self.modules.add(module)
        if caller and _package_of(caller) != _package_of(module):
            function = f"{module}:{frame.f_code.co_name}"
            self.crossings[caller, function] += 1


def _module_of(frame: FrameType | None) -> str:
    name = "" if frame is None else str(frame.f_globals.get("__name__", ""))
    return name if name.split(".")[0] == "cruxe" else ""


def _package_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def main() -> None:
    """Trace and print one line a request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("--source")
    parser.add_argument("--show", action="store_true", help="name modules and frequent crossings")
    given = parser.parse_args()
    if given.source:  # for the processes that it starts, too
        own = [sys.executable, "-m", "benchmarks.harness.trace_path", given.root]
        environment = {**os.environ, "PYTHONPATH": os.path.abspath(given.source)}
        show = ["--show"] if given.show else []
        subprocess.run([*own, *show], env=environment, check=True)
        return
    with tempfile.TemporaryDirectory(prefix="cruxe-trace-") as folder:
        os.environ["CRUXE_STORAGE_DATA_DIR"] = os.path.join(folder, "data")
        root = os.path.join(folder, "copy")
        subprocess.run(["git", "clone", "--quiet", given.root, root], check=True)
        time.sleep(_SETTLE_SECONDS)
        for name, trace in [*_trace_questions(root).items(), ("edit", _trace_edit(root))]:
            print(f"{name}: {len(trace.modules)} modules, {trace.crossings.total()} crossings")
            if given.show:
                print("   ", " ".join(sorted(trace.modules)))
                for (caller, called), count in trace.crossings.most_common(30):
                    print(f"    {count:4} {caller} -> {called}")


def _trace_questions(root: str) -> dict[str, Trace]:
    import cruxe
    from cruxe.serve.dispatch import Dispatcher
    from cruxe.serve.mcp.calls import Client
    from cruxe.serve.mcp.messages import read_message
    from cruxe.serve.mcp.protocol import Protocol, ServerOptions

    cruxe.open(root).sync_repo()
    hosting = _first_module("cruxe.hosting.workspaces", "cruxe.engine.workspaces")
    workspaces = hosting.Workspaces(hosting.ServingOptions(root, has_prewarm=True))
    dispatcher = Dispatcher(workspaces)
    protocol, client = Protocol(ServerOptions(), lambda: dispatcher), Client()

    def send(method: str, params: dict[str, object]) -> object:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        outcome: Any = protocol.receive(read_message(json.dumps(message).encode()), client)
        return outcome.run(lambda _: None) if hasattr(outcome, "run") else outcome

    def ask(query: str) -> None:
        send("tools/call", {"name": "search_code", "arguments": {"query": query}})

    about = {"name": "trace", "version": "1"}
    send("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about})
    for _ in range(_WARM_UP_TIMES):
        for query in QUERIES:
            ask(query)
        time.sleep(_PAUSE_SECONDS)
    traces = {query: Trace() for query in QUERIES}
    for query, trace in traces.items():
        trace.run(partial(ask, query))
    workspaces.close()
    return traces


def _trace_edit(root: str) -> Trace:
    import cruxe

    repository = cruxe.open(root)
    listed = subprocess.run(
        ["git", "ls-files", "*.js", "*.py"], cwd=root, check=True, capture_output=True, text=True
    )
    path = os.path.join(root, listed.stdout.split("\n")[0])
    trace = Trace()
    for times in range(4):  # the first edits load what the traced one needs
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"\n// edit {times}\n")
        if times < 3:  # noqa: PLR2004
            repository.sync_repo()
    trace.run(repository.sync_repo)
    return trace


def _first_module(*names: str) -> Any:  # noqa: ANN401 - a module of one of two versions
    for name in names:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(names[0])


if __name__ == "__main__":
    main()
