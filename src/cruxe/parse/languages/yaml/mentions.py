"""Mentions of other parts of a configuration in YAML, read line by line.

Jobs and services name their dependencies, Kubernetes objects what they use. Queries
could find the same, but would cost time in every file; few files have these keys.
"""

import re
from collections.abc import Iterator
from typing import Final

Mention = tuple[str, int, int]  # kind of site, offsets of the name

# The first key of a line that ends like a mentioning key, with the rest of the line.
# Checking the four letters before each colon costs a tenth of searching for the keys.
_SIGN: Final = re.compile(rb":(?<=(?:Name|[^\n]Ref|gMap|eeds|s_on|ends):)[^\n]*")
_RELATION: Final = re.compile(
    rb"^([ \t]*)(needs|depends_on|extends):[ \t]*([^\n#]*)(?:#[^\n]*)?$", re.MULTILINE
)
_ENTRY: Final = re.compile(rb"([ \t]*)(-[ \t]+)?[\"']?([\w./-]+)[\"']?[ \t]*(:?)[^\n]*(?:\n|$)")
_NAME: Final = re.compile(rb"[\w./-]+")
_MAX_ENTRIES: Final = 64

_OBJECT: Final = re.compile(
    rb"[ \t]*(?:-[ \t]+)?(?:(?:serviceAccount|secret|claim|configMap|priorityClass|storageClass"
    rb"|ingressClass)Name:"
    rb"|(?:configMap(?:Key)?Ref|secret(?:Key)?Ref|configMap|roleRef|scaleTargetRef):[ \t]*\n"
    rb"(?:[ \t]+(?!name:)\w+:[ \t][^\n]*\n){0,2}[ \t]+name:)[ \t]*[\"']?([\w.-]+)"
)


def mentions(data: bytes) -> Iterator[Mention]:
    """Yield all mentions, in file order."""
    has_objects = b"apiVersion" in data
    for sign in _SIGN.finditer(data):
        line = data.rfind(b"\n", 0, sign.start()) + 1
        if related := _RELATION.match(data, line):
            yield from _related(data, related)
        elif has_objects and (named := _OBJECT.match(data, line)):
            yield "reference", *named.span(1)


def _related(data: bytes, found: re.Match[bytes]) -> Iterator[Mention]:
    """Yield the names of one relation: after the colon, or in the lines below."""
    kind = "extends" if found[2] == b"extends" else "reference"
    value = found[3].strip()
    if value and value[:1] not in b"|>{&*!":
        for name in _NAME.finditer(data, *found.span(3)):
            yield kind, *name.span()
    elif not value:
        for start, end in _entries_below(data, found.end() + 1, len(found[1])):
            yield kind, start, end


def _entries_below(data: bytes, start: int, indent: int) -> Iterator[tuple[int, int]]:
    """Yield the items of a list or the keys of a mapping under a key."""
    inner = -1
    for _ in range(_MAX_ENTRIES):
        entry = _ENTRY.match(data, start)
        if entry is None:
            return
        depth, is_item = len(entry[1]), entry[2] is not None
        if depth < indent or (depth == indent and not is_item):
            return
        inner = depth if inner < 0 else inner
        if depth == inner and is_item != bool(entry[4]):
            yield entry.span(3)
        start = entry.end()
