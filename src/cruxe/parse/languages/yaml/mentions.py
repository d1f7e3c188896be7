"""Names that a YAML file gives to other parts of a configuration, read line by line.

Jobs and services name those they wait for or build on, Kubernetes objects those they use. Queries
could tell the same of a tree, at a cost for every file; few files have one of these words.
"""

import re
from collections.abc import Iterator
from typing import Final

Mention = tuple[str, int, int]  # kind of site, offsets of the name

_WORDS: Final = (b"needs:", b"depends_on:", b"extends:")
_RELATION: Final = re.compile(
    rb"^([ \t]*)(needs|depends_on|extends):[ \t]*([^\n#]*)(?:#[^\n]*)?$", re.MULTILINE
)
_ENTRY: Final = re.compile(rb"([ \t]*)(-[ \t]+)?[\"']?([\w./-]+)[\"']?[ \t]*(:?)[^\n]*(?:\n|$)")
_NAME: Final = re.compile(rb"[\w./-]+")
_MAX_ENTRIES: Final = 64

# How all keys end that name an object; a cheap sign before the dear question.
_OBJECT_SIGN: Final = re.compile(rb"(?:Name|Ref|configMap):")
_OBJECT: Final = re.compile(
    rb"[ \t]*(?:-[ \t]+)?(?:(?:serviceAccount|secret|claim|configMap|priorityClass|storageClass"
    rb"|ingressClass)Name:"
    rb"|(?:configMap(?:Key)?Ref|secret(?:Key)?Ref|configMap|roleRef|scaleTargetRef):[ \t]*\n"
    rb"(?:[ \t]+(?!name:)\w+:[ \t][^\n]*\n){0,2}[ \t]+name:)[ \t]*[\"']?([\w.-]+)"
)


def mentions(data: bytes) -> Iterator[Mention]:
    """All mentions, each kind in file order."""
    if any(word in data for word in _WORDS):
        for found in _RELATION.finditer(data):
            yield from _related(data, found)
    if b"apiVersion" in data:
        for sign in _OBJECT_SIGN.finditer(data):
            named = _OBJECT.match(data, data.rfind(b"\n", 0, sign.start()) + 1)
            if named is not None:
                yield "reference", *named.span(1)


def _related(data: bytes, found: re.Match[bytes]) -> Iterator[Mention]:
    """The names of one relation: behind the colon, or in the lines below."""
    kind = "extends" if found[2] == b"extends" else "reference"
    value = found[3].strip()
    if value and value[:1] not in b"|>{&*!":
        for name in _NAME.finditer(data, *found.span(3)):
            yield kind, *name.span()
    elif not value:
        for start, end in _entries_below(data, found.end() + 1, len(found[1])):
            yield kind, start, end


def _entries_below(data: bytes, start: int, indent: int) -> Iterator[tuple[int, int]]:
    """The items of a list or the keys of a mapping under a key."""
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
