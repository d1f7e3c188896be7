"""A long run of many clients on one store while files change and branches are switched.

    python -m benchmarks.suites.speed.soak --minutes 30
    python -m benchmarks.suites.speed.soak --minutes 15 --edits-per-second 7  # as many as in 1 h

Eight clients over HTTP and four servers over stdio ask. Whatever an answer shows of a file must
have stood there at some time between question and answer, and no server may grow without end.
"""

import argparse
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from functools import partial
from typing import Final, NamedTuple

from benchmarks.harness.clones import Clone, temporary_clone
from benchmarks.harness.corpora import Choice, Corpus, load_table
from benchmarks.harness.edits import Contents, EditedTree
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.http_clients import HttpClient, HttpServer
from benchmarks.harness.memory import Memory, steady_memory
from benchmarks.harness.report import render_suite, save_result
from benchmarks.harness.servers import StdioServer
from benchmarks.harness.soaking import Asker, Call, Seen
from benchmarks.harness.stores import Store, temporary_store
from benchmarks.harness.suites import Run, Suite, run_suite

_HTTP_CLIENTS: Final = 8
_STDIO_SERVERS: Final = 4
_BRANCHES: Final = ("soak-1", "soak-2", "soak-3")
_EDITED_FILES: Final = 40
_EDITS_PER_SECOND: Final = 2.0
_LEAST_BYTES: Final = 3_000  # so that all lines are there that are asked for by number
_TOLD: Final = 10  # of each kind of trouble
_QUARTERS: Final = 4
# Asked by each client before the clock starts: what a server keeps within bounds on purpose (texts,
# terms, places of files) is there by then, and what still grows is a leak.
_FIRST_QUESTIONS: Final = 400
# Between two looks at a server that keeps nothing, a quarter of an hour apart, there is noise.
_MAX_GROWTH: Final = 0.05  # of what it had in the middle of the run
_LEAST_NOTICED: Final = 0.99  # lines are alike now and then, blank ones above all


class Arguments(argparse.Namespace):
    """The command line as it was given."""

    minutes: float
    edits_per_second: float
    corpus: str


class Soaked(NamedTuple):
    """How a run went."""

    seen: Seen
    tree: EditedTree
    memory: dict[str, list[Memory]]  # of each server, after each quarter


def main() -> int:
    """Run as long as asked for; fails where a line was wrong, a call failed or a server grew."""
    arguments = _parser().parse_args(namespace=Arguments())
    rate = arguments.edits_per_second
    suite = Suite(
        name="soak" if rate == _EDITS_PER_SECOND else f"soak_{rate:g}_edits",
        about=f"{_HTTP_CLIENTS} clients over HTTP and {_STDIO_SERVERS} servers over stdio on one"
        f" store, while files change {rate:g} times a second and branches are switched: whatever an"
        " answer shows is compared with the files; memory is judged over the second half.",
        repeat=1,
        measure=partial(_measure, arguments),
    )
    result = run_suite(suite, Run(Choice((arguments.corpus,), is_quick=False), None))
    print(render_suite(result), flush=True)
    save_result(result)
    return int(result.has_failed)


def _measure(arguments: Arguments, corpus: Corpus, _repeat: int) -> Measured:
    minutes = arguments.minutes
    with temporary_clone(corpus.root) as clone, temporary_store(clone.root) as store:
        tree = EditedTree(clone, _indexed_branches(clone, store))
        soaked = _run(store, tree, arguments)
    seen = soaked.seen
    for trouble in (*seen.failures[:_TOLD], *seen.wrong[:_TOLD]):
        print(trouble, file=sys.stderr)
    calls = ", ".join(f"{count:,} {tool}" for tool, count in sorted(seen.calls.items()))
    note = (
        f"{minutes:g} minutes after {_FIRST_QUESTIONS} questions of each client; in all {calls};"
        f" {tree.edit_count:,} edits and {tree.switch_count:,} switches of the branch."
    )
    return Measured((*_figures(soaked),), (note,))


def _indexed_branches(clone: Clone, store: Store) -> dict[str, Contents]:
    """Index, with branches that differ in the files that are edited."""
    store.run("index")
    files = store.indexed_files().items()
    paths = [path for path, size in files if path.endswith(".py") and size >= _LEAST_BYTES]
    edited = paths[:: max(1, len(paths) // _EDITED_FILES)][:_EDITED_FILES]
    branches: dict[str, Contents] = {
        branch: clone.add_branch(branch, edited) for branch in _BRANCHES
    }
    for branch in branches:
        store.run("index", "--ref", branch)
    return branches


def _run(store: Store, tree: EditedTree, arguments: Arguments) -> Soaked:
    """Ask and edit until the time is up; looks at the servers after each quarter."""
    seen, stop = Seen(), threading.Event()
    with ExitStack() as stack:
        http = stack.enter_context(closing(HttpServer(store)))
        servers = [stack.enter_context(closing(StdioServer(store))) for _ in range(_STDIO_SERVERS)]
        calls: list[Call] = [HttpClient(http.port).call for _ in range(_HTTP_CLIENTS)]
        calls += [server.answer for server in servers]
        pids = {"HTTP": http.pid} | {f"stdio {n}": each.pid for n, each in enumerate(servers, 1)}
        askers = [Asker(number, call, tree, seen) for number, call in enumerate(calls)]
        _join(_started(partial(asker.run, stop, _FIRST_QUESTIONS) for asker in askers))
        edits = partial(tree.run, stop, arguments.edits_per_second)
        threads = _started([edits, *(partial(asker.run, stop) for asker in askers)])
        try:
            memory = _looks(pids, arguments.minutes * 60)
        finally:
            stop.set()
            _join(threads)
    return Soaked(seen, tree, memory)


def _started(works: Iterable[Callable[[], None]]) -> list[threading.Thread]:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    return threads


def _join(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join()


def _looks(pids: dict[str, int], seconds: float) -> dict[str, list[Memory]]:
    started = time.monotonic()
    found: dict[str, list[Memory]] = {name: [] for name in pids}
    for quarter in range(1, _QUARTERS + 1):
        time.sleep(max(0.0, started + seconds * quarter / _QUARTERS - time.monotonic()))
        for name, memory in steady_memory(pids).items():
            found[name].append(memory)
    return found


def _figures(soaked: Soaked) -> list[Figure]:
    seen = soaked.seen
    figures = [
        Figure("calls", sum(seen.calls.values()), Unit.COUNT, least=1),
        Figure("calls that failed", len(seen.failures), Unit.COUNT, 0),
        Figure("places compared with their file", seen.entry_count, Unit.COUNT),
        Figure("places shown wrong", len(seen.wrong), Unit.COUNT, 0),
        Figure(
            "places noticed if moved by a line",
            seen.noticed_share,
            Unit.SHARE,
            least=_LEAST_NOTICED,
        ),
    ]
    for name, looks in soaked.memory.items():
        for quarter, memory in enumerate(looks, 1):
            when = f"{quarter}/{_QUARTERS}"
            figures += [
                Figure(f"{name}: anonymous at {when}", memory.anonymous, Unit.MEGABYTES),
                Figure(f"{name}: of files at {when}", memory.of_files, Unit.MEGABYTES),
            ]
        growth = looks[-1].anonymous / looks[_QUARTERS // 2 - 1].anonymous - 1
        told = f"{name}: anonymous, growth of the second half"
        figures.append(Figure(told, growth, Unit.SHARE, _MAX_GROWTH))
    return figures


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.suites.speed.soak", description=__doc__
    )
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--edits-per-second", type=float, default=_EDITS_PER_SECOND)
    folders = [corpus.folder for corpus in load_table()]
    parser.add_argument("--corpus", default="django", choices=folders)
    return parser


if __name__ == "__main__":
    sys.exit(main())
