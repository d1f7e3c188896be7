"""Waiting in tests for what other threads and processes do: by looking again, up to a limit."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

_Found = TypeVar("_Found")
# Far beyond what a busy machine needs; only a test that fails waits so long.
_PATIENCE_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 0.02


def wait_for(look: Callable[[], _Found], what: str) -> _Found:
    """Look until there is something to be found, and give it."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not (found := look()):
        assert time.monotonic() < deadline, f"never saw {what}"
        time.sleep(_LOOK_SECONDS)
    return found
