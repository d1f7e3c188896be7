"""A thread pool for tool calls. It grows with the number of waiting calls, up to a limit."""

import threading
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

from cruxe.serve.mcp.calls import BatchCall, Call

_MOST: Final = 8

Work = Call | BatchCall


class Workers:
    """Runs calls concurrently, started in order of arrival."""

    def __init__(self, run: Callable[[Work], None]) -> None:
        """Start no thread yet; `run` must not raise."""
        self._run = run
        self._waiting: deque[Work] = deque()
        self._changed = threading.Condition()
        self._threads = 0
        self._idle = 0
        self._open = 0  # calls waiting or running

    def begin(self, work: Work) -> None:
        """Queue a call and return at once."""
        with self._changed:
            self._waiting.append(work)
            self._open += 1
            needs_thread = self._idle < len(self._waiting) and self._threads < _MOST
            self._threads += needs_thread
            self._changed.notify()
        if needs_thread:
            threading.Thread(target=self._work, daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait until all calls have ended; return whether they did within `seconds`."""
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
