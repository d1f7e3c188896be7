"""The `cruxe` script: what happens before the first and after the last line of a command."""

import gc
import io
import os
import sys
import time
from contextlib import suppress
from typing import TextIO

from cruxe.serve.cli.view import Palette, View, is_terminal, places_around, wants_colour


def run() -> None:
    """Run the command that the process was started with, and leave at once.

    Taking an interpreter apart costs a third of starting one, and everything has been written.
    """
    # Modules are made of cycles that stay: to look for garbage among them finds none.
    gc.disable()
    from cruxe.serve.cli.main import main

    gc.freeze()
    gc.enable()
    code = main()
    with suppress(OSError, ValueError):  # a closed stream has nothing left to say
        sys.stderr.flush()
    os._exit(code)


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
