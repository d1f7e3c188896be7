"""An entry in a JSON file, inserted and removed by offset; all other characters stay unchanged.

It becomes the first member of its object. That is a single insertion whatever commas and comments
the object contains, and no existing comment ends up next to the entry.
"""

import json
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from cruxe.setup import json_layout as layout
from cruxe.setup.json_scanner import JsonText, JsonValue, Member, ObjectSpan, canonical, read_json
from cruxe.setup.pieces import (
    BYTE_ORDER_MARK,
    Edit,
    Found,
    UnusableTextError,
    line_break_of,
    with_whole_lines,
)

Fields = Mapping[str, "str | list[str] | Fields"]
Path = tuple[str, ...]

_BLANKS: Final = re.compile(r"[ \t]*")


class JsonEntry(NamedTuple):
    """The entry at `path`; missing objects on the path are created."""

    path: Path
    fields: Fields
    with_comments: bool  # whether the client accepts comments and trailing commas

    @property
    def value(self) -> str:
        """The entry as canonical JSON."""
        return canonical(_pairs(self.fields))

    def find(self, text: str) -> Found | None:
        """Find the entry by its path."""
        read = self._read(text)
        member = _member_at(read, self.path)
        if member is None:
            return None
        value = _value_at(read.value, self.path)
        return Found(start=member.start, end=member.end, value=canonical(value), is_marked=False)

    def insert(self, text: str) -> Edit:
        """Insert the entry, with missing objects, first in the innermost existing object."""
        read = self._read(text)
        if read.is_blank:
            return self._checked(text, self._whole_document(text), _nested(self.path, self.fields))
        objects = _objects_along(read, self.path)
        known = len(objects) - 1
        name, inner = self.path[known], _nested(self.path[known + 1 :], self.fields)
        edit = layout.first_member(read, objects[-1], name, inner)
        expected = _with_first(read.value, self.path[:known], (name, _pairs(inner)))
        return self._checked(text, edit, expected)

    def replace(self, text: str, found: Found) -> Edit:
        """Replace the entry of the same path."""
        read = self._read(text)
        there = text[found.start : found.end]
        member = layout.member_text(
            read, found.start, self.path[-1], self.fields, is_broken="\n" in there
        )
        edit = Edit(found.start, there, member)
        return self._checked(text, edit, _with_value(read.value, self.path, _pairs(self.fields)))

    def remove(self, text: str, found: Found, made: int) -> str:
        """Remove the entry, then the objects that were created for it if they are empty."""
        del found  # looked up by path again, which is unique
        path = self.path
        text = self._without(text, path)
        for _ in range(made):
            path = path[:-1]
            member = _member_at(read := self._read(text), path)
            if member is None or not _is_bare(read, member):
                break
            text = self._without(text, path)
        return text

    def made_in(self, text: str) -> int:
        """Return how many objects on the path to the entry are missing."""
        read = self._read(text)
        known = 1 if read.is_blank else len(_objects_along(read, self.path))
        return len(self.path) - known

    def is_empty(self, text: str) -> bool:
        """Return whether the text is blank or an empty object."""
        read = self._read(text)
        return not read.comments and (read.is_blank or read.value == ())

    def _read(self, text: str) -> JsonText:
        return read_json(text, with_comments=self.with_comments)

    def _whole_document(self, text: str) -> Edit:
        line_break = line_break_of(text)
        starts_line = text in ("", BYTE_ORDER_MARK) or text.endswith("\n")
        document = json.dumps(_nested(self.path, self.fields), indent=2, ensure_ascii=False)
        whole = f"{document}\n".replace("\n", line_break)
        return Edit(len(text), "", whole if starts_line else line_break + whole)

    def _without(self, text: str, path: Path) -> str:
        read = self._read(text)
        rest = text
        for start, end in sorted(_cuts(read, path), reverse=True):
            rest = rest[:start] + rest[end:]
        if self._read(rest).value != _without_value(read.value, path):
            raise UnusableTextError("cannot be edited without touching more than the entry")
        return rest

    def _checked(self, text: str, edit: Edit, expected: "Fields | JsonValue") -> Edit:
        """Return the edit if its result equals `expected`, including member order; else raise."""
        meant = _pairs(expected) if isinstance(expected, Mapping) else expected
        if self._read(edit.apply(text)).value != meant:
            raise UnusableTextError("cannot be edited without touching more than the entry")
        return edit


def _nested(path: Path, fields: Fields) -> Fields:
    for name in reversed(path):
        fields = {name: fields}
    return fields


def _pairs(value: "str | list[str] | Fields") -> JsonValue:
    if isinstance(value, Mapping):
        return tuple((name, _pairs(each)) for name, each in value.items())
    return list(value) if isinstance(value, list) else value


def _objects_along(read: JsonText, path: Path) -> list[ObjectSpan]:
    """Return the existing objects on the path to an entry, the document first."""
    if read.tokens[0].text != "{":
        raise UnusableTextError("does not hold a JSON object")
    objects = [read.object_at(0)]
    for name in path[:-1]:
        member = _named(objects[-1], name)
        if member is None:
            break
        if read.tokens[member.value_index].text != "{":
            raise UnusableTextError(f'has a "{name}" that is not an object')
        objects.append(read.object_at(member.value_index))
    return objects


def _named(span: ObjectSpan, name: str) -> Member | None:
    members = [member for member in span.members if member.name == name]
    if len(members) > 1:
        raise UnusableTextError(f'has "{name}" twice in the same object')
    return members[0] if members else None


def _member_at(read: JsonText, path: Path) -> Member | None:
    if read.is_blank:
        return None
    objects = _objects_along(read, path)
    return _named(objects[-1], path[-1]) if len(objects) == len(path) else None


def _is_bare(read: JsonText, member: Member) -> bool:
    span = read.object_at(member.value_index)
    return not span.members and not read.has_comment_in(member.start, member.end)


def _cuts(read: JsonText, path: Path) -> list[tuple[int, int]]:
    """Return the spans to remove for a member: itself and one comma, but no comment."""
    members = _objects_along(read, path)[-1].members
    place = [member.name for member in members].index(path[-1])
    member = members[place]
    if member.comma is not None and not read.has_comment_in(member.end, member.comma):
        return [_widened(read.text, member.start, member.comma + 1)]
    commas = [member.comma, members[place - 1].comma if place else None]
    comma = next((each for each in commas if each is not None), None)
    around = [] if comma is None else [(comma, comma + 1)]
    return [*around, _widened(read.text, member.start, member.end)]


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span to whole lines if they contain nothing else, else by the blanks after it."""
    lines = with_whole_lines(text, start, end)
    if lines != (start, end):
        return lines
    blanks = _BLANKS.match(text, end)
    assert blanks is not None
    return start, blanks.end()


def _members_of(value: JsonValue) -> tuple[tuple[str, JsonValue], ...]:
    assert isinstance(value, tuple)
    return value


def _value_at(value: JsonValue, path: Path) -> JsonValue:
    for name in path:
        value = dict(_members_of(value))[name]
    return value


def _with_first(value: JsonValue, path: Path, member: tuple[str, JsonValue]) -> JsonValue:
    if not path:
        return (member, *_members_of(value))
    return tuple(
        (name, _with_first(each, path[1:], member) if name == path[0] else each)
        for name, each in _members_of(value)
    )


def _with_value(value: JsonValue, path: Path, new: JsonValue) -> JsonValue:
    if not path:
        return new
    return tuple(
        (name, _with_value(each, path[1:], new) if name == path[0] else each)
        for name, each in _members_of(value)
    )


def _without_value(value: JsonValue, path: Path) -> JsonValue:
    first, *rest = path
    return tuple(
        (name, _without_value(each, tuple(rest)) if name == first else each)
        for name, each in _members_of(value)
        if rest or name != first
    )
