"""How long a call may take: until its time is up, or until nobody waits for it any more.

Time that runs out shortens an answer, and the answer says so. A call that is cancelled ends the
same way, only that nobody reads its answer.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Final


class CallCancelledError(BaseException):
    """An order to stop: whoever called no longer waits. Nothing on the way may swallow it."""


def _never() -> bool:
    return False


_IS_CANCELLED: Final[ContextVar[Callable[[], bool]]] = ContextVar("is_cancelled", default=_never)


@contextmanager
def cancellable(is_cancelled: Callable[[], bool]) -> Generator[None]:
    """Let what is done inside, in this thread, end early once the call is cancelled."""
    token = _IS_CANCELLED.set(is_cancelled)
    try:
        yield
    finally:
        _IS_CANCELLED.reset(token)


def stop_if_cancelled() -> None:
    """Raise where the call that this thread works on was cancelled."""
    if _IS_CANCELLED.get()():
        raise CallCancelledError


class Deadline:
    """A moment after which nothing more is begun."""

    def __init__(self, budget_ms: int) -> None:
        """Let the time run from now on."""
        self._end = monotonic() + budget_ms / 1000
        self._is_cancelled = _IS_CANCELLED.get()

    @property
    def has_passed(self) -> bool:
        """Whether the time is up, or the call cancelled."""
        return monotonic() >= self._end or self._is_cancelled()
