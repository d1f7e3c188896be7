"""Verifies a store beside the calls of a server, and has what is damaged repaired.

Runs in a thread of lowest priority that works a small share of the time. Between two steps it holds
no read transaction and lets calls pass.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cruxe.model.errors import EngineError, IndexIncompatibleError
from cruxe.model.stored import Damage, damage_of

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot, Store

# After the first question; then from the end of one pass to the next.
_FIRST_SECONDS: Final = 5.0
_INTERVAL_SECONDS: Final = 3_600.0
_REST_PER_WORK: Final = 9
_LOWEST_PRIORITY: Final = 19
_ENDING_SECONDS: Final = 2.0
_logger: Final = logging.getLogger(__name__)


class Scrub:
    """The verification of one store, again and again. Thread-safe."""

    def __init__(
        self, store: "Store", stand_aside: Callable[[], None], on_damage: Callable[[], None]
    ) -> None:
        """Take the store, what waits for calls, and what repairs; `start` begins."""
        self._store = store
        self._stand_aside = stand_aside
        self._on_damage = on_damage
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self.has_passed = False  # the last whole pass found nothing

    def start(self) -> None:
        """Start the thread unless it runs."""
        with self._lock:
            if self._thread is None and not self._ending.is_set():
                self._thread = threading.Thread(target=self._run, name="cruxe-scrub", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread between two steps."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(_ENDING_SECONDS)

    def _run(self) -> None:
        _lower_priority()
        pause = _FIRST_SECONDS
        while not self._ending.wait(pause):
            pause = _INTERVAL_SECONDS
            try:
                self.pass_once()
            except EngineError as error:  # there is no store, or another process rebuilds it
                _logger.info("verifying the index was not possible: %s", error.code)

    def pass_once(self) -> None:
        """Verify everything once; note what is damaged, and ask for its repair."""
        with self._store.snapshot(even_damaged=True) as snapshot:
            found = self._examined(snapshot)
            if found is None:
                return
            self.has_passed = not found
            snapshot.tell_examined(found)
        if found:
            _logger.warning("the index is damaged: %s", "; ".join(each.reason for each in found))
            self._on_damage()

    def _examined(self, snapshot: "Snapshot") -> list[Damage] | None:
        """Return the damage; None if the server ends or the store was replaced meanwhile."""
        found: list[Damage] = []
        started = time.monotonic()
        try:
            for step in snapshot.examine():
                found += [] if step is None else [step]
                snapshot.rest()
                if self._ending.wait(_REST_PER_WORK * (time.monotonic() - started)):
                    return None
                self._stand_aside()
                if not snapshot.is_current():
                    return None
                snapshot.renew()
                started = time.monotonic()
        except IndexIncompatibleError as error:
            known = damage_of(error)
            return found if known is None else [*found, known]
        return found


def _lower_priority() -> None:
    """Lower the priority of this thread, where a system has one for threads."""
    if os.name == "posix" and hasattr(os, "sched_getaffinity"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST_PRIORITY)
