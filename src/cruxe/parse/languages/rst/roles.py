"""Mentions of documented objects: the roles that name a label, an object or a setting."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.text_places import matched, place

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

_ROLE: Final = re.compile(rb":(?:\w+:)?([A-Za-z]\w*):`(?![!\s])(?:[^`<]*<)?~?([^`<>\n]+)>?`")
_LABELS: Final = frozenset(
    {b"ref", b"numref", b"term", b"option", b"envvar", b"setting", b"confval", b"token"}
    | {b"djadmin", b"lookup", b"tfilter", b"ttag", b"dir", b"role", b"mod"}
)
_OBJECTS: Final = frozenset(
    {b"class", b"meth", b"func", b"attr", b"exc", b"data", b"const", b"obj", b"type", b"deco"}
    | {b"prop", b"macro", b"member", b"struct", b"union", b"enum", b"enumerator", b"var"}
)
_OBJECT: Final = re.compile(rb"(?:(?P<path>[\w.:]+)(?:\.|::))?(?P<name>\w+)(?:\(\))?$")


def find_references(source: "SourceText") -> "list[Match]":
    """Return a reference for each role that names something, with the path before the name."""
    found: list[Match] = []
    data = source.data
    for role in _ROLE.finditer(data):
        if role[1] in _LABELS:
            found.append(matched("reference", place(source, *role.span(2))))
        elif role[1] in _OBJECTS:
            named = _OBJECT.match(data, *role.span(2))
            if named is not None:
                found.append(_object_reference(named, source))
    return found


def _object_reference(named: re.Match[bytes], source: "SourceText") -> "Match":
    name = place(source, *named.span("name"))
    if named["path"] is None:
        return matched("reference", name)
    return matched("reference", name, qualifier=place(source, *named.span("path")))
