"""Formats a new JSON member in the style of the members around it."""

import json
import re
from collections.abc import Mapping
from typing import Final

from cruxe.setup.json_scanner import JsonText, ObjectSpan
from cruxe.setup.pieces import Edit, line_break_of, line_start

_USUAL_INDENT: Final = "  "
# The rest of the line after a brace, if it contains only blanks and comments.
_REST_OF_LINE: Final = re.compile(r"(?:[ \t]|/\*(?:(?!\*/)[^\r\n])*\*/)*(?://[^\r\n]*)?\r?\n")
_INDENT: Final = re.compile(r"[ \t]*")


def first_member(read: JsonText, span: ObjectSpan, name: str, value: Mapping[str, object]) -> Edit:
    """Return the edit that inserts a member as the first of an object."""
    text, inside = read.text, span.start + 1
    rest = _REST_OF_LINE.match(text, inside)
    comma = "," if span.members else ""
    if rest is not None:
        indent = _indent_inside(read, span)
        member = _broken_text(read, indent, name, value)
        return Edit(rest.end(), "", f"{indent}{member}{comma}{line_break_of(text)}")
    if span.members or not _is_broken(read):
        return Edit(inside, "", _flat_text(name, value) + (", " if comma else ""))
    outer = _indent_at(text, span.start)
    indent = outer + _unit(read)
    line_break = line_break_of(text)
    member = _broken_text(read, indent, name, value)
    return Edit(inside, "", f"{line_break}{indent}{member}{line_break}{outer}")


def member_text(
    read: JsonText, offset: int, name: str, value: Mapping[str, object], *, is_broken: bool
) -> str:
    """Format a member that starts at `offset`, on several lines or on one."""
    if not is_broken:
        return _flat_text(name, value)
    return _broken_text(read, _indent_at(read.text, offset), name, value)


def _flat_text(name: str, value: Mapping[str, object]) -> str:
    return f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"


def _broken_text(read: JsonText, indent: str, name: str, value: Mapping[str, object]) -> str:
    lines = json.dumps(value, indent=_unit(read), ensure_ascii=False)
    return f"{json.dumps(name)}: {lines}".replace("\n", line_break_of(read.text) + indent)


def _indent_inside(read: JsonText, span: ObjectSpan) -> str:
    """Return the first member's indent if it starts its line, else the object's plus one step."""
    if span.members:
        first = span.members[0].start
        before = read.text[line_start(read.text, first) : first]
        if not before.strip():
            return before
    return _indent_at(read.text, span.start) + _unit(read)


def _indent_at(text: str, offset: int) -> str:
    indent = _INDENT.match(text, line_start(text, offset))
    assert indent is not None
    return indent[0]


def _unit(read: JsonText) -> str:
    """Return one step of indentation: that of the outermost members."""
    members = read.object_at(0).members
    indent = _indent_at(read.text, members[0].start) if members else ""
    return indent or _USUAL_INDENT


def _is_broken(read: JsonText) -> bool:
    """Return whether the document has several lines, or is empty."""
    span = read.object_at(0)
    return not span.members or "\n" in read.text[span.start : span.end]
