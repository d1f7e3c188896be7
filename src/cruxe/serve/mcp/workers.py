"""The threads that run tool calls. Their number grows with the calls that wait, up to a limit."""

import threading
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

from cruxe.serve.mcp.calls import BatchCall, Call

_MOST: Final = 8

Work = Call | BatchCall


class Workers:
    """Runs calls in the order in which they came, several at once."""

    def __init__(self, run: Callable[[Work], None]) -> None:
        """Start no thread yet; `run` must not raise."""
        self._run = run
        self._waiting: deque[Work] = deque()
        self._changed = threading.Condition()
        self._threads = 0
        self._idle = 0
        self._open = 0  # calls that wait or run

    def begin(self, work: Work) -> None:
        """Take a call and come back at once."""
        with self._changed:
            self._waiting.append(work)
            self._open += 1
            needs_thread = self._idle < len(self._waiting) and self._threads < _MOST
            self._threads += needs_thread
            self._changed.notify()
        if needs_thread:
            threading.Thread(target=self._work, daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is under way; tells whether that came to be in time."""
        end = monotonic() + seconds
        with self._changed:
            while self._open and (left := end - monotonic()) > 0:
                self._changed.wait(left)
            return not self._open

    def _work(self) -> None:
        while True:
            with self._changed:
                self._idle += 1
                while not self._waiting:
                    self._changed.wait()
                self._idle -= 1
                work = self._waiting.popleft()
            try:
                self._run(work)
            finally:
                with self._changed:
                    self._open -= 1
                    self._changed.notify_all()
