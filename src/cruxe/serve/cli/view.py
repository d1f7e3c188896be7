"""How answers are shown to a person: streams, colours, width, and how paths are named."""

import io
import os
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from cruxe.model.filters import FILTERS_BY_NAME
from cruxe.model.levels import FreshnessStatus

if TYPE_CHECKING:
    from cruxe.contract.result_parts import MetadataBlock


def prepare_streams() -> None:
    r"""Write UTF-8 with plain line ends everywhere; what has no UTF-8 is written as `\udcff`.

    That is also how JSON spells it, so a file name that is not UTF-8 breaks no document.
    """
    output: object = getattr(sys.stdout, "buffer", None)
    if isinstance(output, io.FileIO):
        # PYTHONUNBUFFERED, as many containers have it: what a write leaves over would be lost, so
        # that half an answer on a full disk would count as a whole one.
        sys.stdout = open(output.fileno(), "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


class Palette(NamedTuple):
    """Paints text, or leaves it as it is."""

    is_on: bool

    def paint(self, colour: str, text: str) -> str:
        """Mark text as what it is; nothing stays nothing."""
        return f"\x1b[{colour}m{text}\x1b[0m" if self.is_on and text else text


class Places(NamedTuple):
    """The current folder and the workspace's root, both real paths."""

    here: str
    root: str

    def from_here(self, path: str) -> str:
        """A path of the workspace as it is named from here: one that a click or a copy opens."""
        if self.here == self.root:
            return path
        full = os.path.join(self.root, *path.split("/"))
        is_around_here = _is_in(self.here, self.root) or _is_in(self.root, self.here)
        return os.path.relpath(full, self.here) if is_around_here else full

    def to_workspace(self, path: str) -> str:
        """A path that the user gave: from here if that is in the workspace, else from its root.

        One that exists only from the root is taken so too, since answers in JSON name it so.
        """
        full = os.path.normpath(os.path.join(self.here, path))
        if full != self.root and not _is_in(os.path.realpath(os.path.dirname(full)), self.root):
            return path
        from_root = os.path.join(self.root, path)
        return path if os.path.lexists(from_root) and not os.path.lexists(full) else full


class View(NamedTuple):
    """What a renderer knows of the reader."""

    palette: Palette
    columns: int | None  # of the terminal; none where there is none, and nothing is cut
    places: Places
    now_ns: int

    def paint(self, colour: str, text: str) -> str:
        """Colour text that is safe already."""
        return self.palette.paint(colour, text)

    def path(self, path: str) -> str:
        """A path of the workspace as it is named from here."""
        return harmless(self.places.from_here(path))

    def source(self, text: str) -> str:
        """A line of source: as it is for a program, harmless on a terminal."""
        if self.columns is None:
            return text
        return "\t".join(map(harmless, text.split("\t")))

    def cut(self, text: str, used: int) -> str:
        """Cut text to what is left of the line after `used` columns; very little shows nothing."""
        if self.columns is None or used + len(text) <= self.columns:
            return text
        room = self.columns - used
        return f"{text[: room - 1]}…" if room >= _LEAST_COLUMNS else ""

    def remark(self, text: str) -> str:
        """Something beside the answer."""
        return self.paint(Colour.FAINT, harmless(text))

    def error(self, message: str) -> str:
        """What went wrong."""
        return f"{self.paint(Colour.BAD, 'error:')} {harmless(message)}"

    def remedy(self, remedy: str) -> str:
        """The way out."""
        return f"  {self.paint(Colour.GOOD, 'try:')} {harmless(remedy)}"


def view_of(stream: TextIO, root: str) -> View:
    """How to write for whoever reads a stream."""
    return View(
        palette=Palette(wants_colour(stream, os.environ)),
        columns=columns_of(stream),
        places=places_around(root),
        now_ns=time.time_ns(),
    )


def columns_of(stream: TextIO) -> int | None:
    """The width of the terminal behind a stream, if there is one."""
    if not is_terminal(stream, os.environ):
        return None
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except OSError:
        return None


def discard_output() -> None:
    """Let nothing more be written to a reader that has gone, not even when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


_LEAST_COLUMNS: Final = 12


class Page(NamedTuple):
    """An answer as lines for standard output, and remarks on it for standard error."""

    lines: list[str]
    remarks: list[str] = []  # noqa: RUF012


def staleness_remarks(metadata: "MetadataBlock") -> list[str]:
    """Say that an answer may be out of date; empty if it is not."""
    if metadata["freshness_status"] == FreshnessStatus.FRESH:
        return []
    return ["the index is behind the files; `cruxe sync` brings it up to date"]


def table(rows: Mapping[str, str], view: View) -> list[str]:
    """Facts under each other, each behind its label; empty ones are left out."""
    width = max(map(len, rows))
    return [
        f"  {view.paint(Colour.FAINT, f'{label:{width}}')}  {fact}"
        for label, fact in rows.items()
        if fact
    ]


def by_reason(counts: Mapping[str, int]) -> str:
    """How many files were left out, and why, the most frequent reason first."""
    if not counts:
        return "none"
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    told = ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in ordered)
    return f"{sum(counts.values()):,} ({told})"


def left_out_by(counts: Mapping[str, int]) -> str:
    """How many results each filter left out, by its option."""
    pairs = [(FILTERS_BY_NAME[name].options[0], count) for name, count in counts.items()]
    return ", ".join(f"{option} leaves out {count}" for option, count in pairs)


def counted(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def seconds(duration_ms: int) -> str:
    """A duration; below a second in milliseconds."""
    whole, rest = divmod(duration_ms, 1000)
    return f"{whole}.{rest // 100} s" if whole else f"{rest} ms"


def ago(then_ns: int, now_ns: int) -> str:
    """How long ago something was, in the largest unit that fits."""
    passed = max(0, now_ns - then_ns) // 1_000_000_000
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if passed >= length:
            return f"{counted(passed // length, unit)} ago"
    return f"{counted(passed, 'second')} ago" if passed else "just now"


class Colour:
    """What a piece of text is, as its escape code; an enum would cost half a millisecond."""

    PATH: Final = "35"
    LINE: Final = "32"
    KIND: Final = "36"
    NAME: Final = "1"
    FAINT: Final = "2"
    GOOD: Final = "32"
    DOUBTFUL: Final = "33"
    BAD: Final = "1;31"


def wants_colour(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether a stream is to be coloured; `NO_COLOR` goes before `CLICOLOR_FORCE`."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return is_terminal(stream, environ) and _shows_escapes(stream)


def is_terminal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether someone watches the stream on a terminal that can move its cursor."""
    return stream.isatty() and environ.get("TERM") != "dumb"


def harmless(text: str) -> str:
    """Escape what a terminal would act upon: control characters, and those that turn text round."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _shows_escapes(stream: TextIO) -> bool:
    """Older Windows consoles must be told to obey escape codes; all others do."""
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
    """The places, seen from the current folder."""
    try:
        return Places(os.getcwd(), root)
    except OSError:  # the current folder was removed
        return Places(os.path.sep, root)


def _is_in(path: str, folder: str) -> bool:
    return os.path.join(path, "").startswith(os.path.join(folder, ""))
