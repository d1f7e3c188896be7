"""The cells of a notebook: the offsets of their source lines in the JSON.

Read as Jupyter writes it, indented, with the strings of a source below each other.
"""

import re
from typing import Final, NamedTuple

# Starts with a character, not with `^`, to skip the long lines of images faster.
_KEY: Final = re.compile(
    rb'\n(?P<indent>[ \t]*)(?:"cell_type":[ \t]*"(?P<kind>\w+)"'
    rb'|"(?:source|input)":[ \t]*\[[ \t]*(?=\r?\n)|(?P<brace>\}))'
)
_LINE: Final = re.compile(
    rb'\r?\n[ \t]*"(?P<text>[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*)",?[ \t]*(?=\r?\n)'
)
_ON_ONE_LINE: Final = re.compile(rb'\n[ \t]*+"(?:source|input)":[ \t]*+\[?[ \t]*+"')
_INNER_NEWLINE: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\n(?!$)")
_LANGUAGE: Final = re.compile(
    rb'"(?:kernelspec|language_info)":[ \t]*\{(?:[^{}]|\{[^{}]*\})*?'
    rb'(?:"language":[ \t]*"(?P<name>[^"]+)"|"file_extension":[ \t]*"(?P<extension>[^"]+)")'
)
# Before version 4 of the format each cell names its language.
_LANGUAGE_OF_CELL: Final = re.compile(rb'\n[ \t]*"language":[ \t]*"(\w+)"')
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_CONTROLS: Final = {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}


_NO_LINES: Final[tuple[tuple[int, int], ...]] = ()


class Cell(NamedTuple):
    """One cell with the offsets of its lines, inside their quotes."""

    kind: str  # code, markdown or raw
    lines: tuple[tuple[int, int], ...]
    is_by_line: bool  # one string per line, as Jupyter writes it


def find_cells(data: bytes) -> tuple[Cell, ...]:
    """Return all cells that are not empty, in file order."""
    cells: list[Cell] = []
    kind, lines, indent, position = "", _NO_LINES, -1, 0
    while (key := _KEY.search(data, position)) is not None:
        position, depth = key.end(), len(key["indent"])
        if key["brace"] is not None:
            if depth < indent:  # of the cell, not of something in its outputs
                cells += [_cell(kind, lines, data)] if lines else []
                kind, lines = "", _NO_LINES
        elif indent in (-1, depth):
            indent = depth
            if key["kind"] is not None:
                kind = key["kind"].decode()
            elif found := _lines(data, position):
                lines, position = found, found[-1][1]
    if lines:  # the notebook is truncated
        cells.append(_cell(kind, lines, data))
    return tuple(cells)


def has_source_on_one_line(data: bytes) -> bool:
    """Return whether a cell's source starts on the line of its key, so lines cannot be found."""
    return _ON_ONE_LINE.search(data) is not None


def is_python(data: bytes) -> bool:
    """Return whether the kernel is Python's, or unknown."""
    if (kernel := _LANGUAGE.search(data)) is not None:
        return kernel["extension"] == b".py" or _is_python_name(kernel["name"])
    of_cell = _LANGUAGE_OF_CELL.search(data)
    return of_cell is None or _is_python_name(of_cell[1])


def decoded(text: str) -> str:
    """Return the decoded content of a JSON string."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _is_python_name(name: bytes | None) -> bool:
    return name is not None and name.lower() in (b"python", b"ipython")


def _cell(kind: str, lines: tuple[tuple[int, int], ...], data: bytes) -> Cell:
    first, end = lines[0][0], lines[-1][1]
    # If every escaped line feed precedes a closing quote, no line has one inside.
    is_by_line = data.count(b"\\n", first, end) == data.count(b'\\n"', first, end + 1) or not any(
        _breaks_inside(data[start:end]) for start, end in lines
    )
    return Cell(kind, lines, is_by_line)


def _breaks_inside(text: bytes) -> bool:
    is_clear = text.count(b"\\n") == text.endswith(b"\\n")  # the usual case
    return not is_clear and _INNER_NEWLINE.search(text) is not None


def _lines(data: bytes, position: int) -> tuple[tuple[int, int], ...]:
    lines: list[tuple[int, int]] = []
    while (line := _LINE.match(data, position)) is not None:
        lines.append(line.span(1))
        position = line.end()
    return tuple(lines)


def _character(escape: re.Match[str]) -> str:
    if escape[1] is not None:
        return chr(int(escape[1], 16))
    return _CONTROLS.get(escape[2], escape[2])
