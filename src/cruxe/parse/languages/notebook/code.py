"""The code of a notebook in place, with everything else blanked.

Offsets do not change. A form feed precedes each line of code, since Python's grammar
restarts the indentation count there. Form feeds also pad an escape sequence, which is longer
than the character it encodes.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.parse.languages.notebook.cells import (
    Cell,
    find_cells,
    has_source_on_one_line,
    is_python,
)
from cruxe.parse.source_text import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node

_BLANKS: Final = bytes(value if value in b"\r\n" else ord(" ") for value in range(256))
_FORM_FEED: Final = 0x0C
_BACKSLASH: Final = 0x5C
_ESCAPE: Final = re.compile(rb'(?:\\")+|\\u[0-9a-fA-F]{4}|\\.')
_CONTINUED: Final = re.compile(rb"\\ *$")
# IPython syntax: `%magic`, `!command`, `?help`, `help?`.
_MAGIC: Final = re.compile(rb"[ \t]*(?=%{1,2}[A-Za-z]|!|\?|[\w.]+\?{1,2} *$)")
_TIMED: Final = re.compile(rb"%(?:time|timeit|prun) +(?=[^-\s])")
_ASSIGNED: Final = re.compile(
    rb"(?P<target>[ \t]*\w[\w, ]*= *)(?P<magic>(?:!|%[A-Za-z])[^\n]{2,})$"
)
_CELL_MAGIC: Final = re.compile(rb"%%(\w+)")
# Cell magics after which the cell is still Python.
_PYTHON_MAGICS: Final = frozenset(
    {b"time", b"timeit", b"capture", b"prun", b"memit", b"lprun", b"mprun", b"debug", b"python3"}
    | {b"python", b"snakeviz", b"pyinstrument", b"wandb"}
)
_FRAME: Final = re.compile(r" *\n *\f?")


class CodeText(SourceText):
    """The blanked text; its slices return the decoded code."""

    def text_of(self, node: "Node") -> str:
        """Return the code of a node."""
        return self.text_between(node.start_byte, node.end_byte)

    def text_between(self, start: int, end: int) -> str:
        """Return the code between two offsets."""
        text = super().text_between(start, end)
        return _FRAME.sub("\n", text).replace("\f", "") if "\n" in text or "\f" in text else text

    def is_at_margin(self, offset: int) -> bool:
        """Return whether the line of an offset has no indentation."""
        start = self.data.rfind(b"\n", 0, offset) + 1
        first = self.data.rfind(b"\f", start, offset + 1) + 1
        return self.data[first : first + 1] not in (b" ", b"\t")

    def comments_above(self, line: int) -> list[str]:
        """Return the comment lines directly above a line, in order."""
        found: list[str] = []
        end = self.line_starts[line - 1]
        while end > 0:
            start = self.data.rfind(b"\n", 0, end - 1) + 1
            text = self.text_between(start, end).strip()
            if not text.startswith("#"):
                break
            found.append(text)
            end = start
        return found[::-1]


class Notebook(NamedTuple):
    """The content of one notebook."""

    cells: tuple[Cell, ...]
    code: CodeText


@lru_cache(maxsize=2)
def read_notebook(data: bytes) -> Notebook:
    """Find the cells and blank everything but code; cached for the current file."""
    cells = find_cells(data)
    blanked = bytearray(data.translate(_BLANKS))
    if is_python(data):
        for cell in cells:
            if cell.kind == "code" and cell.is_by_line:
                _write_code(blanked, data, cell)
    return Notebook(cells, CodeText("", bytes(blanked)))


def searchable_text(data: bytes) -> bytes:
    """Return the sources of all cells, without the outputs and the JSON around them."""
    cells = read_notebook(data).cells
    if not cells or has_source_on_one_line(data):
        return data  # the format does not allow to separate sources
    blanked = bytearray(data.translate(_BLANKS))
    for cell in cells:
        for start, end in cell.lines:
            blanked[start:end] = _unescaped(data[start:end])
    return bytes(blanked)


def _write_code(blanked: bytearray, data: bytes, cell: Cell) -> None:
    first_start, first_end = cell.lines[0]
    magic = _CELL_MAGIC.match(data, first_start, first_end)
    if magic is not None and magic[1] not in _PYTHON_MAGICS:
        return
    for start, end in cell.lines:
        code = _without_magics(_unescaped(data[start:end]))
        blanked[start - 1] = _FORM_FEED
        blanked[start:end] = code
        if b"\\" in code and (continued := _CONTINUED.search(code)) is not None:
            # The backslash must be the last character of the line, after the string's end.
            blanked[start + continued.start()] = ord(" ")
            blanked[_line_end(data, end) - 1] = _BACKSLASH


def _unescaped(text: bytes) -> bytes:
    """Return the decoded text of a JSON string, padded to the same length."""
    if text.count(b"\\") == text.endswith(b"\\n"):
        return text[:-2] + b"  " if text.endswith(b"\\n") else text
    return _ESCAPE.sub(_unescape, text)


def _unescape(escape: re.Match[bytes]) -> bytes:
    text = escape[0]
    if text[1:2] == b'"':
        # Quotes stay together: three of them open a string.
        count = len(text) // 2
        return b'"' * count + b"\f" * count
    if text == b"\\\\":
        return b"\f\\"
    if text == b"\\t":
        return b"\t "
    if text.startswith(b"\\u") and len(text) == len("\\u0000"):
        character = chr(int(text[2:].decode(), base=16))
        return character.encode("utf-8", "replace").ljust(len(text), b"\f")
    return b"/\f" if text == b"\\/" else b"  "


def _without_magics(code: bytes) -> bytes:
    """Replace magics by comments that document nothing, blanks, or an unknown value."""
    if b"%" not in code and b"!" not in code and b"?" not in code:  # the usual case
        return code
    if (timed := _TIMED.match(code)) is not None:
        return b"\f".rjust(timed.end()) + code[timed.end() :]
    if (magic := _MAGIC.match(code)) is not None:
        return (code[: magic.end()] + b"#!" + code[magic.end() + 2 :])[: len(code)]
    if (assigned := _ASSIGNED.match(code)) is not None:
        return assigned["target"] + b"...".ljust(len(assigned["magic"]))
    return code


def _line_end(data: bytes, offset: int) -> int:
    end = data.find(b"\n", offset)
    end = end if end >= 0 else len(data)
    return end - 1 if data[end - 1 : end] == b"\r" else end
