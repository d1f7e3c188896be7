"""What the grammar of YAML cannot bear, made plain: templates, and nesting without end."""

import re
from typing import Final

# An expression ends before the next begins, so that one left open costs no more than itself.
_EXPRESSION: Final = re.compile(
    rb"\{(?:\{(?:[^{}]++|\{(?!\{)|\}(?!\}))*+\}\}|%(?:[^{%]++|\{(?!%)|%(?!\}))*+%\})"
)
_MARK: Final = b"\x01"
# Makes a mark of every character but the line feed.
_MARKS: Final = bytes(byte if byte == ord("\n") else ord(_MARK) for byte in range(256))
# Looking for a line feed first is four times as fast as asking at each line.
_MARKED_LINE: Final = re.compile(rb"\n[ \t]*\x01[ \t\x01\r]*(?![^\n])")
# The scanner of the grammar ends the process at some 250 levels. A level takes a column, and two
# may share one.
_DEEP: Final = re.compile(rb"\n[ \t?:-]{100}")
_DEEP_LINE: Final = re.compile(rb"^[ \t?:-]{100}[^\n]*", re.MULTILINE)


def plain_yaml(data: bytes) -> bytes:
    """The text without templates and without lines that stand too far in; offsets stay."""
    data = without_templates(data)
    # Here too it pays to look for a line feed first.
    is_deep = _DEEP_LINE.match(data) or _DEEP.search(data)
    return _DEEP_LINE.sub(_blank, data) if is_deep else data


def without_templates(data: bytes) -> bytes:
    """Blank lines for lines of expressions alone, a word in place of any other."""
    if b"{{" not in data and b"{%" not in data:
        return data
    marked = _EXPRESSION.sub(lambda found: found[0].translate(_MARKS), data)
    if _MARK not in marked:
        return marked
    return _MARKED_LINE.sub(_blank_line, b"\n" + marked)[1:].replace(_MARK, b"x")


def _blank_line(found: re.Match[bytes]) -> bytes:
    return b"\n" + b" " * (len(found[0]) - 1)


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])
