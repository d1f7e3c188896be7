"""A working tree that is edited while others read it, and what each file said at which time."""

import itertools
import os
import random
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from benchmarks.harness.clones import Clone
from cruxe.workspace.decode import decode_text

_SWITCH_EVERY: Final = 40  # edits
_REMOVE_EVERY: Final = 17
_MARK: Final = b"# edited "
_FOREVER: Final = float("inf")
_MOST_LINES_TAKEN_OUT: Final = 4
_KEPT_VERSIONS: Final = 50

Contents = Mapping[str, bytes]


class Span(NamedTuple):
    """From one moment to another, on the monotonic clock."""

    start: float
    end: float

    def meets(self, other: "Span") -> bool:
        """Whether some moment is in both."""
        return self.start <= other.end and other.start <= self.end


class Version(NamedTuple):
    """What a file may have said for a time; nothing where it was not there."""

    span: Span
    content: bytes | None


class EditedTree:
    """Edits files one by one and switches branches; any thread may ask what there was."""

    def __init__(self, clone: Clone, branches: Mapping[str, Contents]) -> None:
        """Change nothing yet; the branches differ in the files that are given, and only there."""
        self._clone = clone
        self._branches = branches
        self._paths = list(next(iter(branches.values())))
        self._dice = random.Random(0)  # noqa: S311 - edits, not secrets
        self._lock = threading.Lock()
        always = Span(0.0, _FOREVER)
        self._versions = {path: [Version(always, clone.read(path))] for path in self._paths}
        self._checked_out: dict[str, list[Span]] = defaultdict(list)  # or being so
        self._switches: list[Span] = []
        self._unchanged: dict[str, list[str]] = {}
        self.edit_count = 0

    def run(self, stop: threading.Event, edits_per_second: float) -> None:
        """Edit until told to stop."""
        branches = itertools.cycle(self._branches)
        for number in itertools.count():
            if stop.wait(1 / edits_per_second):
                return
            if number % _SWITCH_EVERY == _SWITCH_EVERY - 1:
                self.switch(next(branches))
            else:
                self.edit(self._paths[number % len(self._paths)], number)

    @property
    def paths(self) -> list[str]:
        """The files that change."""
        return self._paths

    @property
    def branches(self) -> list[str]:
        """The branches that are checked out in turn."""
        return list(self._branches)

    @property
    def switch_count(self) -> int:
        """How often another branch was checked out."""
        return len(self._switches)

    def texts(self, path: str, ref: str | None, during: Span) -> list[list[str]]:
        """All that a file of a ref said at some time; nothing for when it was not there.

        The name of a branch that is checked out means the working tree.
        """
        if path not in self._versions:
            return [self._unchanged_lines(path)]
        with self._lock:
            met = [each.content for each in self._versions[path] if each.span.meets(during)]
            spans = [span for span in self._checked_out[ref or ""] if span.meets(during)]
        if ref is None:
            found = met
        else:
            is_out_all_along = any(
                each.start < during.start and during.end < each.end for each in spans
            )
            committed = [] if is_out_all_along else [self._branches[ref][path]]
            found = [*(met if spans else ()), *committed]
        return [_lines_of(content) for content in found if content is not None]

    def was_missing(self, path: str, during: Span) -> bool:
        """Whether a file was not there at some time, or a checkout was replacing it."""
        with self._lock:
            met = [each for each in self._versions.get(path, ()) if each.span.meets(during)]
            is_switched = any(map(during.meets, self._switches))
        return is_switched or any(each.content is None for each in met)

    def _unchanged_lines(self, path: str) -> list[str]:
        if path not in self._unchanged:
            self._unchanged[path] = _lines_of(self._clone.read(path))
        return self._unchanged[path]

    def edit(self, path: str, number: int) -> None:
        """Change a file, or now and then remove it; by whoever runs the tree alone."""
        content = self._versions[path][-1].content
        is_removed = content is not None and number % _REMOVE_EVERY == 0
        edited = None if is_removed else self._edited(path, content, number)
        full, draft = os.path.join(self._clone.root, path), f"{self._clone.root}-draft"
        if edited is not None:
            with open(draft, "wb") as file:
                file.write(edited)
        self._replace(
            {path: edited},
            lambda: os.remove(full) if edited is None else os.replace(draft, full),
        )
        self.edit_count += 1

    def _edited(self, path: str, content: bytes | None, number: int) -> bytes:
        """Put a line on top, so that all others move; now and then take some out."""
        restored = next(iter(self._branches.values()))[path] if content is None else content
        lines = restored.split(b"\n")
        if number % 3 == 0:
            start = self._dice.randrange(len(lines))
            del lines[start : start + self._dice.randint(1, _MOST_LINES_TAKEN_OUT)]
        return b"\n".join([_MARK + str(number).encode(), *lines])

    def switch(self, branch: str) -> None:
        """Check another branch out."""
        with self._lock:
            self._switches.append(Span(time.monotonic(), _FOREVER))
            before = [name for name, spans in self._checked_out.items() if _is_open(spans)]
            _open(self._checked_out[branch])
        self._replace(dict(self._branches[branch]), lambda: self._clone.check_out(branch))
        with self._lock:
            for spans in (self._switches, *(self._checked_out[name] for name in before)):
                spans[-1] = Span(spans[-1].start, time.monotonic())

    def _replace(self, contents: Mapping[str, bytes | None], act: Callable[[], None]) -> None:
        """Do what changes files; meanwhile each may say what it did or what it will."""
        begun = time.monotonic()
        with self._lock:
            for path, content in contents.items():
                self._versions[path].append(Version(Span(begun, _FOREVER), content))
        act()
        ended = time.monotonic()
        with self._lock:
            for path in contents:
                known = self._versions[path]
                known[-2] = Version(Span(known[-2].span.start, ended), known[-2].content)
                del known[:-_KEPT_VERSIONS]


def _is_open(spans: list[Span]) -> bool:
    return bool(spans) and spans[-1].end == _FOREVER


def _open(spans: list[Span]) -> None:
    spans.append(Span(time.monotonic(), _FOREVER))


def _lines_of(content: bytes) -> list[str]:
    return decode_text(content).text.split("\n")
