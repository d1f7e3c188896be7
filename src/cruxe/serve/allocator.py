"""Tunes glibc's malloc for a long-running server. Other commands do not use this.

By default glibc gives each thread its own heap (arena) and keeps freed memory in it. The memory of
a server with many concurrent calls then rises to the sum of their peaks and stays there.
"""

import os
import sys
from typing import Final

# Parameters of mallopt(3) with their values. Two arenas are as fast as eight, since one thread at
# a time runs Python. Blocks of 1 MiB and more, and free memory at the end of a heap, go back to
# the system. Chosen by benchmarks/soak: unused memory that stays allocated fell to a third.
_ARENA_MAX: Final = (-8, 2)
_MMAP_THRESHOLD: Final = (-3, 1 << 20)
_TRIM_THRESHOLD: Final = (-1, 1 << 20)
_SETTINGS: Final = (_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD)
# If the user sets one of these, the allocator is left alone.
_VARIABLES: Final = ("MALLOC_", "GLIBC_TUNABLES")


def keep_memory_low() -> None:
    """Make glibc return freed memory to the system; do nothing for other C libraries."""
    if sys.platform != "linux" or any(name.startswith(_VARIABLES) for name in os.environ):
        return
    import ctypes

    try:
        set_option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    for parameter, value in _SETTINGS:
        set_option(parameter, value)
