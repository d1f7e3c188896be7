"""Ends the server with its parent process, even if another process keeps the streams open."""

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Final

_LOOK_SECONDS: Final = 2.0


def end_with_parent(end: Callable[[], None]) -> None:
    """Watch the parent process in the background and call `end` when it has exited."""
    threading.Thread(target=_watch, args=(os.getppid(), end), daemon=True).start()


def _watch(parent: int, end: Callable[[], None]) -> None:
    if sys.platform == "win32":
        _wait_on_windows(parent)
    else:
        # An orphan gets another parent; which one depends on the system.
        while os.getppid() == parent:
            time.sleep(_LOOK_SECONDS)
    end()


if sys.platform == "win32":

    def _wait_on_windows(parent: int) -> None:
        """Wait for the parent itself: on Windows the parent id does not change when it exits."""
        import ctypes

        synchronize, forever = 0x00100000, 0xFFFFFFFF
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = kernel.OpenProcess(synchronize, 0, parent)
        if not handle:
            threading.Event().wait()  # it cannot be watched; rely on the end of the input
        kernel.WaitForSingleObject(handle, forever)
        kernel.CloseHandle(handle)
