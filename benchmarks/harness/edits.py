"""A working tree that is edited while others read it, and what each file said at which time."""

import itertools
import os
import subprocess
import threading
import time
from collections import defaultdict
from typing import Final, NamedTuple

from benchmarks.harness.clones import Clone
from benchmarks.harness.processes import clean_environment

_EDIT_SECONDS: Final = 0.5
_SWITCH_EVERY: Final = 40  # edits
_MARK: Final = b"# edited "
_FOREVER: Final = float("inf")


class Version(NamedTuple):
    """What a file may have said, from one moment to another."""

    start: float
    end: float
    lines: list[str]


class EditedTree:
    """Edits files one by one and switches branches; any thread may ask what there was."""

    def __init__(self, clone: Clone, paths: list[str], branches: list[str]) -> None:
        """Change nothing yet."""
        self._clone = clone
        self._paths = paths
        self._branches = itertools.cycle(branches)
        self._lock = threading.Lock()
        self._versions: dict[str, list[Version]] = defaultdict(list)
        self._switches: list[tuple[float, float]] = [(0.0, 0.0)]
        self.edit_count = 0

    def run(self, stop: threading.Event) -> None:
        """Edit until told to stop."""
        for number in itertools.count():
            if stop.wait(_EDIT_SECONDS):
                return
            if number % _SWITCH_EVERY == _SWITCH_EVERY - 1:
                self._switch(next(self._branches))
            else:
                self._edit(self._paths[number % len(self._paths)], number)
            self.edit_count += 1

    def was_switched(self, since: float) -> bool:
        """Whether a branch was being switched at some time since then: all files may be mixed."""
        with self._lock:
            return self._switches[-1][1] >= since

    def holds(self, path: str, lines: slice, text: str, since: float) -> bool:
        """Whether a file had a text in some lines at some time since then."""
        with self._lock:
            versions = [each for each in self._versions[path] if each.end >= since]
        known = [each.lines for each in versions] or [self._read(path)]
        return any(text in "\n".join(each[lines]) for each in known)

    def _edit(self, path: str, number: int) -> None:
        """Put a line on top, so that all others move; the file is replaced in one step."""
        full = os.path.join(self._clone.root, path)
        before = self._clone.read(path)
        lines = before.split(b"\n")
        content = b"\n".join([_MARK + str(number).encode(), *lines[number % 3 == 0 :]])
        draft = f"{self._clone.root}-draft"
        with open(draft, "wb") as file:
            file.write(content)
        begun = time.monotonic()
        os.replace(draft, full)
        ended = time.monotonic()
        with self._lock:
            known = self._versions[path]
            start = known[-1].start if known else 0.0
            known[-1:] = [
                Version(start, ended, _lines_of(before)),
                Version(begun, _FOREVER, _lines_of(content)),
            ]
            del known[:-50]

    def _switch(self, branch: str) -> None:
        begun = time.monotonic()
        with self._lock:
            self._switches.append((begun, _FOREVER))
        subprocess.run(
            ["git", "checkout", "--quiet", "--force", branch],
            cwd=self._clone.root,
            env=clean_environment(),
            check=True,
        )
        with self._lock:
            self._switches[-1] = (begun, time.monotonic())
            self._versions.clear()

    def _read(self, path: str) -> list[str]:
        try:
            return _lines_of(self._clone.read(path))
        except OSError:
            return []


def _lines_of(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
