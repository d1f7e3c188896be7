"""Commands that are measured: CPU of the whole process tree, its busiest process, its memory.

CPU comes from the kernel's account of a process and the children it waited for. The share of
single processes and the memory are sampled from `/proc`; where there is none they are absent.
Needs a system that accounts for processes as Unix does.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Self

_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
# A process that ends between two looks loses at most this much of its account.
_LOOK_SECONDS: Final = 0.1
# Adding up a process's pages takes milliseconds: looked at less often.
_LOOKS_PER_MEMORY: Final = 2
_ERROR_CHARACTERS: Final = 2000
# Fields of /proc/PID/stat after the name in brackets.
_PARENT, _USER_TICKS, _SYSTEM_TICKS = 1, 11, 12
_FOREIGN_PREFIXES: Final = ("CRUXE_", "CODECOMPASS_", "GIT_", "PYTHONDONTWRITEBYTECODE")


class Cost(NamedTuple):
    """What a command cost."""

    wall_seconds: float
    cpu_seconds: float
    output: str


class TreeCost(NamedTuple):
    """What a command and the processes that it started cost."""

    wall_seconds: float
    cpu_seconds: float
    output: str
    busiest_cpu_seconds: float | None
    peak_memory_bytes: int | None  # proportional set size, all processes together


class CommandFailedError(Exception):
    """A measured command did not do its work, so its cost means nothing."""


def clean_environment(**variables: str) -> dict[str, str]:
    """The environment without settings for Cruxe, git or Python's cache, with some of its own.

    Git may not refresh an index on its own account: a corpus is only ever read.
    """
    kept = {key: text for key, text in os.environ.items() if not key.startswith(_FOREIGN_PREFIXES)}
    return {**kept, "GIT_OPTIONAL_LOCKS": "0", **variables}


def run(
    command: Sequence[str], environment: Mapping[str, str], *, directory: str | None = None
) -> Cost:
    """Run a command to its end, undisturbed."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            said = errors.read().decode("utf-8", "replace")[-_ERROR_CHARACTERS:]
            shown = " ".join(command)
            raise CommandFailedError(f"{shown}\nended with {process.returncode}\n{said}")
        cpu = usage.ru_utime + usage.ru_stime
        return Cost(wall, cpu, output.read().decode("utf-8", "replace"))


def run_watched(command: Sequence[str], environment: Mapping[str, str]) -> TreeCost:
    """Run a command to its end and look at its processes meanwhile."""
    with _Watch() as watch:
        cost = run(command, environment)
    return TreeCost(*cost, watch.busiest_cpu_seconds, watch.peak_memory_bytes)


class _Watch:
    """Looks at all descendants of this process for as long as its block lasts."""

    def __init__(self) -> None:
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look_again_and_again)
        self._cpu_seconds: dict[int, float] = {}
        self._peak_memory = 0

    def __enter__(self) -> Self:
        if sys.platform == "linux":
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def busiest_cpu_seconds(self) -> float | None:
        return max(self._cpu_seconds.values(), default=None)

    @property
    def peak_memory_bytes(self) -> int | None:
        return self._peak_memory or None

    def _look_again_and_again(self) -> None:
        looks = 0
        while not self._is_over.wait(_LOOK_SECONDS):
            processes = descendants(os.getpid())
            self._cpu_seconds.update(processes)
            if looks % _LOOKS_PER_MEMORY == 0:
                self._peak_memory = max(self._peak_memory, sum(map(memory_bytes, processes)))
            looks += 1


def descendants(root: int) -> dict[int, float]:
    """All processes below one, each with the CPU seconds that it used itself."""
    children: dict[int, list[int]] = {}
    cpu_seconds: dict[int, float] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (fields := _stat_fields(name)):
            children.setdefault(int(fields[_PARENT]), []).append(int(name))
            ticks = int(fields[_USER_TICKS]) + int(fields[_SYSTEM_TICKS])
            cpu_seconds[int(name)] = ticks / _TICKS_PER_SECOND
    found: list[int] = []
    waiting = [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.extend(below)
        waiting.extend(below)
    return {process: cpu_seconds[process] for process in found}


def memory_bytes(process: int) -> int:
    """The proportional set size of a process; nothing once it has ended."""
    try:
        with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
            lines = [line for line in file if line.startswith("Pss:")]
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines) * 1024


def _stat_fields(process: str) -> list[str]:
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []
