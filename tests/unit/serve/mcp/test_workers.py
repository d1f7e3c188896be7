"""The threads that run calls: several at once, and none is lost."""

import threading

from cruxe.serve.mcp.calls import BatchCall, Call
from cruxe.serve.mcp.workers import Workers


def test_calls_run_beside_each_other() -> None:
    met = threading.Barrier(4, timeout=30)
    done: list[object] = []

    def run(call: Call | BatchCall) -> None:
        met.wait()  # passes only if four are here at once
        done.append(call)

    workers = Workers(run)
    for number in range(4):
        workers.begin(Call(number, lambda _: "{}", None))

    assert workers.wait(30)
    assert len(done) == 4


def test_more_calls_than_threads_are_all_run() -> None:
    done: list[object] = []
    workers = Workers(done.append)
    for number in range(200):
        workers.begin(Call(number, lambda _: "{}", None))

    assert workers.wait(30)
    assert len(done) == 200
    assert workers.wait(0)


def test_waiting_ends_in_time_though_a_call_does_not() -> None:
    release = threading.Event()

    def run(_: Call | BatchCall) -> None:
        release.wait(30)

    workers = Workers(run)
    workers.begin(Call(1, lambda _: "{}", None))

    assert not workers.wait(0.01)
    release.set()
    assert workers.wait(30)
