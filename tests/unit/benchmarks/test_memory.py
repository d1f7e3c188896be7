"""Memory as the kernel tells it."""

import pytest

from benchmarks.harness.memory import Memory, read_rollup

ROLLUP = """\
55d0c0000000-7ffd00000000 ---p 00000000 00:00 0                          [rollup]
Rss:              120000 kB
Pss:              100000 kB
Anonymous:         80000 kB
LazyFree:              0 kB
"""


def test_what_is_not_anonymous_belongs_to_files() -> None:
    found = read_rollup(ROLLUP.splitlines(keepends=True))

    assert found == pytest.approx(Memory(81.92, 40.96))
