"""Renders answers for a person: streams, colours, terminal width, and displayed paths."""

import io
import os
import sys
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from cruxe.model.levels import FreshnessStatus
from cruxe.model.specs import FILTERS_BY_NAME

if TYPE_CHECKING:
    from cruxe.contract.result_parts import MetadataBlock


def prepare_streams() -> None:
    r"""Write UTF-8 with `\n` line ends on every system; escape lone surrogates, as `\udcff`.

    JSON uses the same escape, so a file name that is not UTF-8 leaves the document valid.
    """
    output: object = getattr(sys.stdout, "buffer", None)
    if isinstance(output, io.FileIO):
        # PYTHONUNBUFFERED is set, as in many containers. An unbuffered stream drops what a short
        # write leaves over, so half an answer on a full disk would count as success.
        sys.stdout = open(output.fileno(), "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


class Palette(NamedTuple):
    """Colours text, or leaves it unchanged if colours are off."""

    is_on: bool

    def paint(self, colour: str, text: str) -> str:
        """Wrap text in a colour's escape codes; empty text stays empty."""
        return f"\x1b[{colour}m{text}\x1b[0m" if self.is_on and text else text


class Places(NamedTuple):
    """The current folder and the workspace's root, both real paths."""

    here: str
    root: str

    def from_here(self, path: str) -> str:
        """Return a workspace path as it opens from the current folder; absolute if outside it."""
        if self.here == self.root:
            return path
        full = _in_folder(self.root) + path.replace("/", os.path.sep)
        return os.path.relpath(full, self.here) if _are_nested(self.here, self.root) else full

    def to_workspace(self, path: str) -> str:
        """Resolve a user's path: from the current folder if in the workspace, else from its root.

        A path that exists only from the root is taken from there, since JSON answers name it so.
        """
        full = os.path.normpath(os.path.join(self.here, path))
        if full != self.root and not _is_in(os.path.realpath(os.path.dirname(full)), self.root):
            return path
        from_root = os.path.join(self.root, path)
        return path if os.path.lexists(from_root) and not os.path.lexists(full) else full


class View(NamedTuple):
    """The properties of the output that a renderer needs."""

    palette: Palette
    columns: int | None  # None if not a terminal: then no text is cut
    places: Places
    now_ns: int

    def paint(self, colour: str, text: str) -> str:
        """Colour text that is already escaped."""
        return self.palette.paint(colour, text)

    def path(self, path: str) -> str:
        """Return a workspace path as it opens from the current folder, escaped for the terminal."""
        return harmless(self.places.from_here(path))

    def source(self, text: str) -> str:
        """Return a line of source, escaped on a terminal and unchanged in a pipe or file."""
        if self.columns is None:
            return text
        return "\t".join(map(harmless, text.split("\t")))

    def cut(self, text: str, used: int) -> str:
        """Cut text to the columns left after `used`; return "" if they are too few."""
        if self.columns is None or used + len(text) <= self.columns:
            return text
        room = self.columns - used
        return f"{text[: room - 1]}…" if room >= _LEAST_COLUMNS else ""

    def remark(self, text: str) -> str:
        """Format a remark on the answer."""
        return self.paint(Colour.FAINT, harmless(text))

    def error(self, message: str) -> str:
        """Format an error message."""
        return f"{self.paint(Colour.BAD, 'error:')} {harmless(message)}"

    def remedy(self, remedy: str) -> str:
        """Format the remedy for an error."""
        return f"  {self.paint(Colour.GOOD, 'try:')} {harmless(remedy)}"


def view_of(stream: TextIO, root: str) -> View:
    """Return the view for a stream: colours and width of its terminal, if it is one."""
    return View(
        palette=Palette(wants_colour(stream, os.environ)),
        columns=columns_of(stream),
        places=places_around(root),
        now_ns=time.time_ns(),
    )


def columns_of(stream: TextIO) -> int | None:
    """Return the width of a stream's terminal, or None if it is not one."""
    if not is_terminal(stream, os.environ):
        return None
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except OSError:
        return None


def discard_output() -> None:
    """Send further output to the null device, so that the flush at exit cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


_LEAST_COLUMNS: Final = 12


class Page(NamedTuple):
    """An answer as lines for standard output, and remarks on it for standard error."""

    lines: list[str]
    remarks: list[str] = []  # noqa: RUF012


def staleness_remarks(metadata: "MetadataBlock") -> list[str]:
    """Return a remark that the answer may be out of date, or nothing if it is fresh."""
    if metadata["freshness_status"] == FreshnessStatus.FRESH:
        return []
    return ["the index is behind the files; `cruxe sync` brings it up to date"]


def table(rows: Mapping[str, str], view: View) -> list[str]:
    """Return one line per label and value; leave out empty values."""
    width = max(map(len, rows))
    return [
        f"  {view.paint(Colour.FAINT, f'{label:{width}}')}  {fact}"
        for label, fact in rows.items()
        if fact
    ]


def by_reason(counts: Mapping[str, int]) -> str:
    """Return the number of skipped files by reason, most frequent first."""
    if not counts:
        return "none"
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    told = ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in ordered)
    return f"{sum(counts.values()):,} ({told})"


def left_out_by(counts: Mapping[str, int]) -> str:
    """Return the number of results that each filter removed, by its option."""
    pairs = [(FILTERS_BY_NAME[name].options[0], count) for name, count in counts.items()]
    return ", ".join(f"{option} leaves out {count}" for option, count in pairs)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in singular or plural."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def seconds(duration_ms: int) -> str:
    """Format a duration in seconds, or in milliseconds below one second."""
    whole, rest = divmod(duration_ms, 1000)
    return f"{whole}.{rest // 100} s" if whole else f"{rest} ms"


def ago(then_ns: int, now_ns: int) -> str:
    """Format a time as "... ago" in the largest unit that fits."""
    passed = max(0, now_ns - then_ns) // 1_000_000_000
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if passed >= length:
            return f"{counted(passed // length, unit)} ago"
    return f"{counted(passed, 'second')} ago" if passed else "just now"


class Colour:
    """Escape codes by kind of text. Not an enum: that would cost half a millisecond."""

    PATH: Final = "35"
    LINE: Final = "32"
    KIND: Final = "36"
    NAME: Final = "1"
    FAINT: Final = "2"
    GOOD: Final = "32"
    DOUBTFUL: Final = "33"
    BAD: Final = "1;31"


def wants_colour(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether to colour a stream; `NO_COLOR` takes precedence over `CLICOLOR_FORCE`."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return is_terminal(stream, environ) and _shows_escapes(stream)


def is_terminal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether the stream is a terminal that can move its cursor."""
    return stream.isatty() and environ.get("TERM") != "dumb"


def harmless(text: str) -> str:
    """Escape characters that a terminal acts upon: control and bidirectional characters."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _shows_escapes(stream: TextIO) -> bool:
    """Return whether escape codes work; enable them first on a Windows console."""
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        obey_escapes = 4
        console = msvcrt.get_osfhandle(stream.fileno())
        mode = ctypes.c_ulong()
        kernel = ctypes.windll.kernel32
        if not kernel.GetConsoleMode(console, ctypes.byref(mode)):
            return False
        return bool(kernel.SetConsoleMode(console, mode.value | obey_escapes))
    return True


def places_around(root: str) -> Places:
    """Return the current folder with the workspace's root."""
    try:
        return Places(os.getcwd(), root)
    except OSError:  # the current folder was removed
        return Places(os.path.sep, root)


# An answer may name thousands of paths, all below the same folder.
@lru_cache(maxsize=2)
def _are_nested(one: str, other: str) -> bool:
    return _is_in(one, other) or _is_in(other, one)


def _is_in(path: str, folder: str) -> bool:
    return _in_folder(path).startswith(_in_folder(folder))


@lru_cache(maxsize=4)
def _in_folder(folder: str) -> str:
    """Return what the paths of files in a folder begin with."""
    return os.path.join(folder, "")
