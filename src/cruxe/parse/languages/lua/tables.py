"""How a file uses its tables: which is the module, which are classes, which are returned.

Read from the text, as a table's meaning is spread over the whole file. Each search starts at a
literal word, because a pattern for every line would cost as much as parsing.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

_NAME: Final = rb"([^\W\d][\w\x80-\xff]*)"
_RETURN: Final = re.compile(rb"\n?return\b[ \t]*(?:setmetatable[ \t]*\([ \t]*)?")
_RETURNED_NAME: Final = re.compile(_NAME + rb"[ \t]*(?:[,);\r\n]|$)")
_RETURNED_VALUE: Final = re.compile(rb"[={,;]\s*" + _NAME + rb"\s*(?=[,;}])")
_PASSED_ON: Final = re.compile(_NAME + rb"[ \t]*=[ \t]*\1[ \t]*;?\r?(?:\n|$)")
# `function Account:deposit`
_METHOD: Final = re.compile(rb"function[ \t]+([\w.\x80-\xff]+):")
# Words of an assignment that makes its table a class.
_CLASS_MAKERS: Final = (b"__index", b"setmetatable", b"extend", b"derive", b"lass")
_CLASS_LINE: Final = re.compile(
    rb"[ \t]*(?:local[ \t]+)?([\w.\x80-\xff]+?)(?:\.__index[ \t]*=|[ \t]*=[ \t]*"
    rb"(?:setmetatable[ \t]*\(|[\w.]+[:.](?:extend|subclass|derive)[ \t]*[({]"
    rb"|[cC]lass[ \t]*[(\"']))"
)
_CONSTANT_MARK: Final = b"<const>"
_ACCESS_TAGS: Final = (b"@private", b"@protected", b"@package", b"@local")
# `M`, `_M`, `MOD`: names that only mean "this module".
_TELLING_NAME: Final = re.compile(r"[A-Z]\w*[^\W\dA-Z_]")


class TableFacts(NamedTuple):
    """Table names by their use in the file, and which annotations occur in it."""

    module: str  # the table that the file returns; empty if it returns none by name
    returned: frozenset[str]  # exported as a field of the returned table
    passed_on: frozenset[str]  # of these, values of a field of the same name: `M.f = f`
    classes: frozenset[str]
    has_constants: bool  # `local limit <const> = 1`
    has_access_tags: bool  # `---@private` and its like


@lru_cache(maxsize=2)
def table_facts(data: bytes) -> TableFacts:
    """Read the facts from a file's text."""
    module, returned, passed_on = b"", list[bytes](), list[bytes]()
    if found := _RETURN.match(data, max(0, data.rfind(b"\nreturn"))):
        if name := _RETURNED_NAME.match(data, found.end()):
            module = name[1]
            passed_on = list(_passed_on(data, module))
        elif data.startswith(b"{", found.end()):
            returned = _RETURNED_VALUE.findall(data, found.end())
    classes = {_text(name.rpartition(b".")[2]) for name in _classes(data)}
    return TableFacts(
        module=_text(module),
        returned=frozenset(map(_text, (*returned, *passed_on))),
        passed_on=frozenset(map(_text, passed_on)),
        classes=frozenset(filter(_TELLING_NAME.match, classes)),
        has_constants=_CONSTANT_MARK in data,
        has_access_tags=any(tag in data for tag in _ACCESS_TAGS),
    )


def _passed_on(data: bytes, module: bytes) -> Iterator[bytes]:
    lead = b"\n" + module + b"."
    for position in _places(data, lead):
        if found := _PASSED_ON.match(data, position + len(lead)):
            yield found[1]


def _classes(data: bytes) -> Iterator[bytes]:
    yield from _METHOD.findall(data)
    for word in _CLASS_MAKERS:
        for position in _places(data, word):
            line_start = data.rfind(b"\n", 0, position) + 1
            if found := _CLASS_LINE.match(data, line_start):
                yield found[1]


def _places(data: bytes, word: bytes) -> Iterator[int]:
    position = data.find(word)
    while position >= 0:
        yield position
        position = data.find(word, position + len(word))


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
