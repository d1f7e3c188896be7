"""The process that indexes for a server: reads orders from standard input, writes reports.

Orders and reports are lines of JSON. The process exits as soon as its input ends, even in the
middle of a file: its parent is gone then, and what was published before is not affected.
"""

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Final

from cruxe.freshness.change_journal import ChangeJournal
from cruxe.ingest.background_messages import (
    STOP,
    Report,
    SyncOrder,
    UnreadableMessageError,
    failure_of,
    from_line,
    to_line,
)
from cruxe.ingest.sync_options import Progress, SlowVectors, SyncOptions, SyncOutcome
from cruxe.ingest.sync_ref import sync
from cruxe.model.deadlines import CallCancelledError, cancellable, stop_if_cancelled
from cruxe.model.errors import EngineError, IndexInProgressError, InternalError

# Below the server's own priority, and for a whole index below everything else. Range: 0 to 19.
_NICENESS: Final = 5
_NICENESS_OF_LARGE: Final = 10
# Interval and limit of retries while another process writes the store.
_LOOK_SECONDS: Final = 0.25
_PATIENCE_SECONDS: Final = 60.0
_REPORTS_PER_SECOND: Final = 10

Tell = Callable[[Report], None]
_journals: Final[dict[str, ChangeJournal]] = {}  # by root of the working tree


def main() -> None:
    """Serve until the input ends."""
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of a library must not break the lines
    # Ctrl-C reaches the whole process group; the parent ends us by closing our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders: queue.Queue[SyncOrder] = queue.Queue()
    stop = threading.Event()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, orders, stop), daemon=True).start()

    def report(told: Report) -> None:
        reports.write(to_line(told))
        reports.flush()

    while True:
        order = orders.get()
        _stand_back(_NICENESS_OF_LARGE if order.is_large else _NICENESS)
        with cancellable(stop.is_set):
            _carry_out(order, report)


def _listen(lines: IO[bytes], orders: "queue.Queue[SyncOrder]", stop: threading.Event) -> None:
    for line in lines:
        if line == STOP:
            stop.set()
            continue
        stop.clear()  # it was meant for the order before, which has ended
        try:
            orders.put(from_line(line, SyncOrder))
        except UnreadableMessageError:
            os._exit(1)  # the parent sees the end, and fails what it has ordered
    # Nobody waits for a result. The kernel releases the lock and closes the workers' input.
    os._exit(0)


def _stand_back(niceness: int) -> None:
    """Lower the priority of this process; it is never raised again."""
    if hasattr(os, "nice"):
        os.nice(max(0, niceness - os.nice(0)))


def _carry_out(order: SyncOrder, report: Tell) -> None:
    try:
        outcome = _sync_in_turn(order, report)
    except CallCancelledError:
        report(Report(failure=failure_of(InternalError("the job was cancelled"))))
    except EngineError as error:
        report(Report(failure=failure_of(error)))
    except Exception as error:
        import logging

        logging.getLogger(__name__).exception("background indexing failed")
        report(Report(failure=failure_of(InternalError(f"unexpected {type(error).__name__}"))))
    else:
        report(Report(outcome=outcome))


def _sync_in_turn(order: SyncOrder, report: Tell) -> SyncOutcome:
    """Sync once no other process writes; often nothing is left to do then."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    progress = _throttled(report)
    while True:
        try:
            return _sync(order, progress)
        except IndexInProgressError:
            if time.monotonic() > deadline:
                raise
            report(Report(is_waiting=True))
            stop_if_cancelled()
            time.sleep(_LOOK_SECONDS)


def _sync(order: SyncOrder, progress: Progress) -> SyncOutcome:
    from cruxe.ingest.refresh_refs import rebuild
    from cruxe.workspace.context import open_context, resolve_target

    context = open_context(order.root, order.config_path)
    target = resolve_target(context.workspace, order.ref)
    # Kept between orders: saves come in bursts, and this process stays alive for the next one.
    journal = _journals.setdefault(context.workspace.root, ChangeJournal(context.workspace.root))
    options = SyncOptions(
        force=order.force,
        retry_failed=order.retry_failed,
        wait_ms=0,
        progress=progress,
        slow_vectors=SlowVectors.SLICE,
        journal=journal,
    )
    return (rebuild if order.force else sync)(context, target, options)


def _throttled(report: Tell) -> Progress:
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        stop_if_cancelled()
        now = time.monotonic()
        if now - last >= 1 / _REPORTS_PER_SECOND or done == total:
            last = now
            report(Report(files_done=done, files_total=total))

    return progress
