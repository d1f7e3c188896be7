"""A long run of many clients on one store while files change and branches are switched.

    python -m benchmarks.soak --minutes 30

Eight clients over HTTP and four servers over stdio ask. Every line that an answer shows must have
stood there at some time between question and answer, and no server may grow without end.
"""

import argparse
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from benchmarks.harness.clones import Clone, temporary_clone
from benchmarks.harness.corpora import load_table
from benchmarks.harness.edits import EditedTree
from benchmarks.harness.http_clients import HttpClient, HttpServer
from benchmarks.harness.servers import Answer, StdioServer, resident_megabytes
from benchmarks.harness.stores import Store, temporary_store

_HTTP_CLIENTS: Final = 8
_STDIO_SERVERS: Final = 4
_BRANCHES: Final = ("soak-1", "soak-2", "soak-3")
_EDITED_FILES: Final = 40
_TOLD: Final = 10  # of each kind of trouble
_WORDS: Final = ("open", "close", "read", "write", "cache", "query", "field", "model", "form")
Call = Callable[[str, Answer], Answer]


class Arguments(argparse.Namespace):
    """The command line as it was given."""

    minutes: float
    corpus: str


class Shown(NamedTuple):
    """A text that an answer says stands in some lines of a file."""

    path: str
    lines: slice
    text: str


class Seen:
    """What went on so far; counted by all threads."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._lock = threading.Lock()
        self.calls: Counter[str] = Counter()
        self.failures: list[str] = []
        self.wrong_lines: list[str] = []

    def take(self, tool: str, failures: list[str], wrong_lines: list[str]) -> None:
        """Count a call and what was wrong with it."""
        with self._lock:
            self.calls[tool] += 1
            self.failures += failures
            self.wrong_lines += wrong_lines


def main() -> int:
    """Run as long as asked for; fails where a line was wrong or a call failed."""
    arguments = _parser().parse_args(namespace=Arguments())
    root = next(each.root for each in load_table() if each.folder == arguments.corpus)
    seen = Seen()
    with temporary_clone(root) as clone, temporary_store(clone.root) as store:
        tree = _prepare(clone, store)
        memory = _run(store, tree, arguments.minutes * 60, seen)
    for name, count in sorted(seen.calls.items()):
        print(f"{name:16} {count:8}")
    for name, (first, last) in memory.items():
        print(f"{name:16} {first:6.1f} MB after a quarter, {last:6.1f} MB at the end")
    wrong, failed = len(seen.wrong_lines), len(seen.failures)
    print(f"{tree.edit_count} edits, {failed} failures, {wrong} lines wrong")
    for trouble in (*seen.failures[:_TOLD], *seen.wrong_lines[:_TOLD]):
        print(trouble)
    return int(bool(seen.failures or seen.wrong_lines))


def _prepare(clone: Clone, store: Store) -> EditedTree:
    """Index, and make branches that differ in the files that are edited."""
    store.run("index")
    paths = [path for path in store.indexed_files() if path.endswith(".py")][:_EDITED_FILES]
    for branch in _BRANCHES:
        clone.add_branch(branch, paths)
    return EditedTree(clone, paths, list(_BRANCHES))


def _run(
    store: Store, tree: EditedTree, seconds: float, seen: Seen
) -> dict[str, tuple[float, float]]:
    """Ask and edit until the time is up; gives the memory of each server, early and late."""
    http = HttpServer(store)
    servers = [StdioServer(store) for _ in range(_STDIO_SERVERS)]
    calls: list[Call] = [HttpClient(http.port).call for _ in range(_HTTP_CLIENTS)]
    calls += [_caller(server) for server in servers]
    pids = {"http": http.pid} | {f"stdio {n}": each.pid for n, each in enumerate(servers)}
    stop = threading.Event()
    threads = [
        threading.Thread(target=_ask, args=(number, call, tree, seen, stop))
        for number, call in enumerate(calls)
    ]
    threads.append(threading.Thread(target=tree.run, args=(stop,)))
    for thread in threads:
        thread.start()
    time.sleep(seconds / 4)
    first = {name: resident_megabytes(pid) for name, pid in pids.items()}
    time.sleep(seconds * 3 / 4)
    last = {name: resident_megabytes(pid) for name, pid in pids.items()}
    stop.set()
    for thread in threads:
        thread.join()
    for server in servers:
        server.close()
    http.close()
    return {name: (first[name], last[name]) for name in pids}


def _caller(server: StdioServer) -> Call:
    return lambda tool, given: server.call(tool, **given).answer


def _ask(number: int, call: Call, tree: EditedTree, seen: Seen, stop: threading.Event) -> None:
    dice = random.Random(number)  # noqa: S311 - questions, not secrets
    while not stop.is_set():
        tool, given = _question(dice)
        asked_at = time.monotonic()
        try:
            answer = call(tool, given)
        except (OSError, EOFError, ValueError, KeyError, AssertionError) as error:
            seen.take(tool, [f"client {number}: {tool} {given}: {error!r}"], [])
            return
        failures = [f"{tool} {given}: {answer['error']}"] if "error" in answer else []
        wrong = [] if tree.was_switched(asked_at) else list(_wrong(answer, tree, asked_at))
        seen.take(tool, failures, [f"client {number}: {tool} {each}" for each in wrong])


def _question(dice: random.Random) -> tuple[str, Answer]:
    word = dice.choice(_WORDS)
    questions: list[tuple[str, Answer]] = [
        ("search_code", {"query": f"where is a {word} {dice.choice(_WORDS)} made"}),
        ("search_code", {"query": word, "detail_level": "context", "limit": 3}),
        ("search_text", {"pattern": f"def {word}", "limit": 10}),
        ("locate_symbol", {"name": word}),
        ("index_status", {}),
        ("health_check", {}),
    ]
    return dice.choice(questions)


def _wrong(answer: Answer, tree: EditedTree, asked_at: float) -> Iterator[Shown]:
    """What an answer shows that stood nowhere while it was made."""
    for shown in _texts(answer):
        if not tree.holds(*shown, asked_at):
            yield shown


def _texts(answer: Answer) -> Iterator[Shown]:
    """The lines that results show of themselves; where there are none, their names."""
    results = answer.get("results")
    for each in results if isinstance(results, list) else ():
        first, last = each.get("line_start", each.get("line")), each.get("line_end")
        shown = each.get("text") or each.get("snippet") or each["name"]
        for text in shown.split("\n"):
            if not _is_altered(text):
                yield Shown(each["path"], slice(first - 1, last or first), text.strip())


def _is_altered(text: str) -> bool:
    """Whether a line was cut or a secret taken out."""
    return text.endswith("…") or "REDACTED" in text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--corpus", default="django")
    return parser


if __name__ == "__main__":
    sys.exit(main())
