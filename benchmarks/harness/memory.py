"""What memory a process holds: its own, and pages of files, which the system may take back."""

import time
from collections.abc import Iterable, Mapping
from statistics import median
from typing import Final, NamedTuple

_LOOKS: Final = 9
_BETWEEN_SECONDS: Final = 0.5
_KILOBYTE: Final = 1024


class Memory(NamedTuple):
    """Resident megabytes of a process."""

    anonymous: float  # the process's own: what a leak would add to
    of_files: float  # mapped, such as segments of an index


def memory_of(pid: int) -> Memory:
    """Look at a process once."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return read_rollup(file)


def read_rollup(lines: Iterable[str]) -> Memory:
    """Read the kernel's sums over all mappings of a process."""
    said = {line.split(":")[0]: line.split()[1] for line in lines if line.endswith(" kB\n")}
    anonymous = int(said["Anonymous"])
    resident = int(said["Rss"])
    return Memory(*(kb * _KILOBYTE / 1e6 for kb in (anonymous, resident - anonymous)))


def steady_memory(pids: Mapping[str, int]) -> dict[str, Memory]:
    """The middle of several looks at processes: what a single call holds comes and goes."""
    looks: dict[str, list[Memory]] = {name: [] for name in pids}
    for number in range(_LOOKS):
        if number:
            time.sleep(_BETWEEN_SECONDS)
        for name, pid in pids.items():
            looks[name].append(memory_of(pid))
    return {name: Memory(*map(median, zip(*seen, strict=True))) for name, seen in looks.items()}
