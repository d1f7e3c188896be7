"""The progress bar of indexing, shown only on a terminal."""

import os
import sys
import time
from collections.abc import Callable
from typing import Final, TextIO

from cruxe.serve.cli.view import Colour, Palette, is_terminal, wants_colour

_SECONDS_BETWEEN: Final = 0.1
_BAR_COLUMNS: Final = 28
# A rate measured over a shorter time is unreliable.
_SECONDS_TO_FORETELL: Final = 2.0
_CLEAR_LINE: Final = "\r\x1b[2K"


class ProgressBar:
    """A one-line progress bar; call it with the files done and the total."""

    def __init__(
        self, stream: TextIO, palette: Palette, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Draw on `stream`, which must be a terminal."""
        self._stream = stream
        self._palette = palette
        self._clock = clock
        self._started: float | None = None
        self._drawn = float("-inf")

    def __call__(self, done: int, total: int) -> None:
        """Redraw the bar, throttled."""
        now = self._clock()
        if self._started is None:
            self._started = now
        if done == total or now - self._drawn >= _SECONDS_BETWEEN:
            self._drawn = now
            self._write(self._line(done, total, now - self._started))

    def clear(self) -> None:
        """Erase the bar."""
        if self._started is not None:
            self._write("")

    def _line(self, done: int, total: int, passed: float) -> str:
        filled = round(done / total * _BAR_COLUMNS)
        bar = self._palette.paint(Colour.GOOD, "━" * filled) + self._palette.paint(
            Colour.FAINT, "─" * (_BAR_COLUMNS - filled)
        )
        return f"indexing {bar} {done:,} of {total:,} files{_ending(done, total, passed)}"

    def _write(self, line: str) -> None:
        self._stream.write(_CLEAR_LINE + line)
        self._stream.flush()


def progress_on_stderr() -> ProgressBar | None:
    """Return a bar on standard error, or None if that is not a terminal."""
    if not is_terminal(sys.stderr, os.environ):
        return None
    return ProgressBar(sys.stderr, Palette(wants_colour(sys.stderr, os.environ)))


def _ending(done: int, total: int, passed: float) -> str:
    if done == total:
        return ", writing the index"
    if passed < _SECONDS_TO_FORETELL:
        return ""
    return f", {round(passed / done * (total - done))} s left"
