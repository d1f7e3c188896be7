"""Deadlines and cancellation of calls.

A passed deadline shortens an answer, and the answer says so. A cancelled call ends in the same
way, but its caller no longer waits for the answer.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Final


class CallCancelledError(BaseException):
    """The caller cancelled the call. No handler may swallow this exception."""


def _never() -> bool:
    return False


_IS_CANCELLED: Final[ContextVar[Callable[[], bool]]] = ContextVar("is_cancelled", default=_never)


@contextmanager
def cancellable(is_cancelled: Callable[[], bool]) -> Generator[None]:
    """Let the work of this thread inside the block end early once the call is cancelled."""
    token = _IS_CANCELLED.set(is_cancelled)
    try:
        yield
    finally:
        _IS_CANCELLED.reset(token)


def stop_if_cancelled() -> None:
    """Raise `CallCancelledError` if the call of this thread was cancelled."""
    if _IS_CANCELLED.get()():
        raise CallCancelledError


class Deadline:
    """A point in time after which no further work is started."""

    def __init__(self, budget_ms: int) -> None:
        """Start the clock."""
        self._end = monotonic() + budget_ms / 1000
        self._is_cancelled = _IS_CANCELLED.get()

    @property
    def has_passed(self) -> bool:
        """Whether the time is up, or the call cancelled."""
        return monotonic() >= self._end or self._is_cancelled()
