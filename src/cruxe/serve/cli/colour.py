"""Colours on terminals that show them, and text that cannot act on a terminal."""

import sys
from collections.abc import Mapping
from typing import Final, NamedTuple, TextIO


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


class Palette(NamedTuple):
    """Paints text, or leaves it as it is."""

    is_on: bool

    def paint(self, colour: str, text: str) -> str:
        """Mark text as what it is; nothing stays nothing."""
        return f"\x1b[{colour}m{text}\x1b[0m" if self.is_on and text else text


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
