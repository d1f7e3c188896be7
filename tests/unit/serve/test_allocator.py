"""The memory of a server with many threads: few heaps, unless whoever starts it knows better."""

import platform
import sys

import pytest

from tests.requirements import requirement
from tests.support.programs import run_program

IS_GLIBC = sys.platform == "linux" and platform.libc_ver()[0] == "glibc"
# Keeps a dozen threads busy with memory of their own, and counts the heaps beside the first one:
# each is the start of an address range of 64 MB, of which the rest is not yet in use.
PROGRAM = """
    import sys, threading
    from cruxe.serve.allocator import keep_memory_low

    if sys.argv[1] == "low":
        keep_memory_low()
    held, done = [], threading.Barrier(13)

    def work():
        for _ in range(200):
            held.append(bytearray(3_000))
        done.wait()
        done.wait()

    for _ in range(12):
        threading.Thread(target=work, daemon=True).start()
    done.wait()
    edges = [line.split()[0].split("-") for line in open("/proc/self/maps")]
    spans = [(int(start, 16), int(end, 16)) for start, end in edges]
    pairs = zip(spans, spans[1:])
    print(sum(a[1] == b[0] and b[1] - a[0] == 1 << 26 for a, b in pairs), flush=True)
    done.wait()
"""


def count_heaps(way: str) -> int:
    return int(run_program(PROGRAM, way))


@requirement("SERVER-MEMORY")
@pytest.mark.skipif(not IS_GLIBC, reason="other C libraries have no heaps by thread")
def test_the_threads_of_a_server_share_their_heaps() -> None:
    assert count_heaps("low") <= 1 < count_heaps("as it is")


@requirement("SERVER-MEMORY")
@pytest.mark.skipif(not IS_GLIBC, reason="other C libraries have no heaps by thread")
def test_what_the_environment_says_about_memory_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MALLOC_ARENA_MAX", "4")

    assert count_heaps("low") > 1
