"""Rewrite YAML for the grammar: templates and too deep nesting are removed."""

import re
from typing import Final

# An expression ends before the next begins, so an unclosed one affects only itself.
_EXPRESSION: Final = re.compile(
    rb"\{(?:\{(?:[^{}]++|\{(?!\{)|\}(?!\})|(?!))*+\}\}|%(?:[^{%]++|\{(?!%)|%(?!\})|(?!))*+%\})"
)
_MARK: Final = b"\x01"
# Maps every character but the line feed to a mark.
_MARKS: Final = bytes(byte if byte == ord("\n") else ord(_MARK) for byte in range(256))
# Searching for a line feed first is four times as fast as `^`.
_MARKED_LINE: Final = re.compile(rb"\n[ \t]*\x01[ \t\x01\r]*(?![^\n])")
# The scanner of the grammar aborts the process at some 250 levels. A level takes a column, and two
# may share one.
_DEEP: Final = re.compile(rb"\n[ \t?:-]{100}")
_DEEP_LINE: Final = re.compile(rb"^[ \t?:-]{100}[^\n]*", re.MULTILINE)


def plain_yaml(data: bytes) -> bytes:
    """Return the text without templates and lines indented too deep; keep offsets."""
    data = without_templates(data)
    # Searches for a line feed first, as above.
    is_deep = _DEEP_LINE.match(data) or _DEEP.search(data)
    return _DEEP_LINE.sub(_blank, data) if is_deep else data


def without_templates(data: bytes) -> bytes:
    """Blank lines that are only expressions, and replace other expressions by a word."""
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
