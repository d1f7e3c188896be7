"""How the C library hands out memory to a server that runs for long. Changes nothing elsewhere.

By default glibc gives each thread a heap of its own and keeps what they free, so the memory of a
server with many calls at once rises to the sum of their peaks and stays there.
"""

import os
import sys
from typing import Final

# Parameters of mallopt(3) with their values. Two heaps are as fast as eight where one thread at a
# time runs Python; blocks of a megabyte and more, and what is free at a heap's end, go back to the
# system. Chosen by benchmarks/soak: the memory that is kept but not used fell to a third.
_ARENA_MAX: Final = (-8, 2)
_MMAP_THRESHOLD: Final = (-3, 1 << 20)
_TRIM_THRESHOLD: Final = (-1, 1 << 20)
_SETTINGS: Final = (_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD)
# Who sets these knows better.
_VARIABLES: Final = ("MALLOC_", "GLIBC_TUNABLES")


def keep_memory_low() -> None:
    """Have freed memory given back; other C libraries than glibc are left as they are."""
    if sys.platform != "linux" or any(name.startswith(_VARIABLES) for name in os.environ):
        return
    import ctypes

    try:
        set_option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    for parameter, value in _SETTINGS:
        set_option(parameter, value)
