"""The process that indexes for a server: takes orders on standard input, tells how they went.

Orders and reports are lines of JSON. The process ends when its input does, in the middle of a
file if need be: its parent is gone then, and what was published before stays as it was.
"""

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Final

from cruxe.model.errors import EngineError, IndexInProgressError, InternalError
from cruxe.model.named import NamedTuple

if TYPE_CHECKING:
    from cruxe.engine.sync import Progress, SyncOutcome

# Of the usual range from 0 to 19: behind whoever asks, and for a whole index behind all else.
_NICENESS: Final = 5
_NICENESS_OF_LARGE: Final = 10
# How often a store that another process writes is looked at again, and for how long.
_LOOK_SECONDS: Final = 0.25
_PATIENCE_SECONDS: Final = 60.0
_REPORTS_PER_SECOND: Final = 10

Report = Callable[[dict[str, object]], None]


class SyncOrder(NamedTuple):
    """What to bring up to date."""

    root: str
    ref: str | None = None
    config_path: str | None = None
    retry_failed: bool = False
    force: bool = False

    @property
    def is_large(self) -> bool:
        """Whether every file may have to be read."""
        return self.force or self.retry_failed


def main() -> None:
    """Serve until the input ends."""
    reports = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints must not break the lines
    # Ctrl-C reaches the whole group; the parent decides, by closing our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders: queue.Queue[SyncOrder] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin, orders), daemon=True).start()

    def report(line: dict[str, object]) -> None:
        _write_line(reports, line)

    while True:
        order = orders.get()
        _stand_back(_NICENESS_OF_LARGE if order.is_large else _NICENESS)
        _carry_out(order, report)


def _listen(lines: IO[str], orders: "queue.Queue[SyncOrder]") -> None:
    from json import loads

    for line in lines:
        orders.put(SyncOrder(**loads(line)))
    # Nobody waits for the rest. The kernel gives back the lock and ends the workers' input.
    os._exit(0)


def _stand_back(niceness: int) -> None:
    """Lower the priority of this process; it is never raised again."""
    if hasattr(os, "nice"):
        os.nice(max(0, niceness - os.nice(0)))


def _carry_out(order: SyncOrder, report: Report) -> None:
    try:
        outcome = _sync_in_turn(order, report)
    except EngineError as error:
        report({"error": _told(error)})
    except Exception as error:
        import logging

        logging.getLogger(__name__).exception("background indexing failed")
        report({"error": _told(InternalError(f"unexpected {type(error).__name__}"))})
    else:
        report({"outcome": list(outcome)})


def _sync_in_turn(order: SyncOrder, report: Report) -> "SyncOutcome":
    """Sync once nobody else writes; often there is nothing left to do then."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    progress = _throttled(report)
    while True:
        try:
            return _sync(order, progress)
        except IndexInProgressError:
            if time.monotonic() > deadline:
                raise
            report({"waiting": True})
            time.sleep(_LOOK_SECONDS)


def _sync(order: SyncOrder, progress: "Progress") -> "SyncOutcome":
    from cruxe.engine.context import open_context
    from cruxe.engine.settle import rebuild
    from cruxe.engine.sync import SyncOptions, sync
    from cruxe.engine.targets import resolve_target

    context = open_context(order.root, order.config_path)
    target = resolve_target(context.workspace, order.ref)
    options = SyncOptions(order.force, order.retry_failed, 0, progress)
    return (rebuild if order.force else sync)(context, target, options)


def _throttled(report: Report) -> "Progress":
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= 1 / _REPORTS_PER_SECOND or done == total:
            last = now
            report({"progress": [done, total]})

    return progress


def _told(error: EngineError) -> dict[str, object]:
    return {
        "code": error.code.value,
        "message": error.message,
        "remedy": error.remedy,
        "data": dict(error.data),
    }


def _write_line(stream: IO[str], line: dict[str, object]) -> None:
    from json import dumps

    stream.write(dumps(line) + "\n")
    stream.flush()
