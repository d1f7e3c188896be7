"""Run real `cruxe` commands on a terminal and draw what it shows as an SVG.

    python docs/pictures/make_terminal.py [FOLDER]

FOLDER is the repository to ask, by default this one. The index goes to a temporary folder. The
commands run on a pseudo-terminal, so colours and line widths are those a person sees. The picture
differs between two runs only in times, as long as the repository is the same. POSIX only.
"""

import html
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_HERE: Final = os.path.dirname(os.path.abspath(__file__))
_PROJECT: Final = os.path.dirname(os.path.dirname(_HERE))
PICTURE: Final = os.path.join(_HERE, "terminal.svg")
COMMANDS: Final = (
    "cruxe index",
    'cruxe search --limit 3 "how is the score of a result explained"',
    "cruxe locate EngineError",
    "cruxe outline src/cruxe/model/deadlines.py",
    "cruxe why .venv/bin/python",
)

COLUMNS: Final = 104
_ROWS: Final = 50
_CHARACTER_WIDTH: Final = 7.8  # of a monospaced font of 13 pixels
_LINE_HEIGHT: Final = 19
_MARGIN: Final = 18
_FONT: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"
_BACKGROUND: Final = "#1c1e26"
_FOREGROUND: Final = "#d5d8e0"
_COLOURS: Final = {
    "31": "#f07178",
    "32": "#a5d46a",
    "33": "#ffcb6b",
    "35": "#d49bf0",
    "36": "#6fd0d8",
}
_ESCAPE: Final = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")


class Span(NamedTuple):
    """Text in one style."""

    text: str
    codes: tuple[str, ...] = ()  # of the escape sequence that began it


def main() -> None:
    """Draw the commands' output in FOLDER, or in this repository."""
    picture = make_picture(sys.argv[1] if len(sys.argv) > 1 else _PROJECT, COMMANDS)
    with open(PICTURE, "w", encoding="utf-8", newline="\n") as file:
        file.write(picture)


def make_picture(folder: str, commands: Iterable[str]) -> str:
    """Run commands in a folder, one after the other, and draw them with their output."""
    with tempfile.TemporaryDirectory() as data:
        lines = [line for command in commands for line in _session(command, folder, data)]
    return draw(lines[:-1])


def _session(command: str, folder: str, data: str) -> Iterator[list[Span]]:
    """Give the lines of a command as typed, of its output, and an empty one."""
    yield [Span("$ ", ("2",)), Span(command, ("1",))]
    for line in shown_lines(_run_on_terminal(command, folder, data)):
        yield from _wrapped(spans_of(line))
    yield []


def _run_on_terminal(command: str, folder: str, data: str) -> str:
    """Give all that a command writes to its terminal."""
    ours, theirs = pty.openpty()
    _set_size(theirs)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": data,
        "TERM": "xterm",
        "CRUXE_STORAGE_DATA_DIR": data,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b"".join(_chunks(ours))
    os.close(ours)
    if process.wait() != 0:
        raise SystemExit(f"{command} failed:\n{seen.decode()}")
    return seen.decode()


def _set_size(terminal: int) -> None:
    from fcntl import ioctl
    from termios import TIOCSWINSZ

    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", _ROWS, COLUMNS, 0, 0))


def _chunks(terminal: int) -> Iterator[bytes]:
    """Read until the other side is closed, which Linux reports as an error."""
    while True:
        try:
            read = os.read(terminal, 65_536)
        except OSError:
            return
        if not read:
            return
        yield read


def shown_lines(output: str) -> list[str]:
    """Give the lines that stay on the screen: what a progress bar cleared is gone."""
    lines = output.replace("\r\n", "\n").rstrip("\n").split("\n")
    return [line.rpartition("\x1b[2K")[2].rpartition("\r")[2] for line in lines]


def spans_of(line: str) -> list[Span]:
    """Split a line at its escape sequences; sequences that set no style are left out."""
    spans: list[Span] = []
    codes: tuple[str, ...] = ()
    start = 0
    for match in _ESCAPE.finditer(line):
        spans.append(Span(line[start : match.start()], codes))
        start = match.end()
        if match[2] == "m":
            codes = tuple(code for code in match[1].split(";") if code not in ("", "0"))
    spans.append(Span(line[start:], codes))
    return [span for span in spans if span.text]


def _wrapped(spans: list[Span]) -> Iterator[list[Span]]:
    """Break a line that is too long, as a terminal does."""
    line: list[Span] = []
    room = COLUMNS
    for span in spans:
        text = span.text
        while len(text) > room:
            yield [*line, span._replace(text=text[:room])]
            line, text, room = [], text[room:], COLUMNS
        line.append(span._replace(text=text))
        room -= len(text)
    yield line


def draw(lines: list[list[Span]]) -> str:
    """Write lines of styled text as an SVG picture."""
    width = round(COLUMNS * _CHARACTER_WIDTH) + 2 * _MARGIN
    height = len(lines) * _LINE_HEIGHT + 2 * _MARGIN
    rows = [
        _row(line, _MARGIN + (number + 1) * _LINE_HEIGHT - 5)
        for number, line in enumerate(lines)
        if line
    ]
    size = f'width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size}>'
    title = "<title>Cruxe on its own repository</title>"
    background = f'<rect {size} rx="8" fill="{_BACKGROUND}"/>'
    group = f'<g font-family="{_FONT}" font-size="13" fill="{_FOREGROUND}" xml:space="preserve">'
    return "\n".join([head, title, background, group, *rows, "</g>", "</svg>", ""])


def _row(spans: list[Span], baseline: int) -> str:
    """One line; every span has its own position, so a font of another width still lines up."""
    column = 0
    parts: list[str] = []
    for span in spans:
        x = round(_MARGIN + column * _CHARACTER_WIDTH, 1)
        length = round(len(span.text) * _CHARACTER_WIDTH, 1)
        text = html.escape(span.text, quote=False)
        if text.strip():
            parts.append(f'<tspan x="{x}" textLength="{length}"{_style(span.codes)}>{text}</tspan>')
        column += len(span.text)
    return f'<text y="{baseline}">{"".join(parts)}</text>'


def _style(codes: tuple[str, ...]) -> str:
    colour = next((_COLOURS[code] for code in codes if code in _COLOURS), "")
    return (
        (f' fill="{colour}"' if colour else "")
        + (' font-weight="bold"' if "1" in codes else "")
        + (' opacity="0.6"' if "2" in codes else "")
    )


if __name__ == "__main__":
    main()
