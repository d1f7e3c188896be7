"""Choose and name the keys of configuration files that become symbols.

Shared by JSON and YAML. A data file has many keys that nobody searches by name, so whole levels
are taken from the top until a limit is reached.
"""

import re
from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import NO_SYMBOL, SymbolKind
from cruxe.parse.language import (
    MAX_SIGNATURE_CHARACTERS,
    fold_value,
    trim_signature,
)
from cruxe.parse.languages.json.naming import MAX_PLAIN_ENTRIES, kind_of_value
from cruxe.parse.languages.json.quotes import unquoted

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Draft

# Folders whose files by convention repeat the same keys, so a key identifies nothing.
_DATA_FOLDER: Final = re.compile(
    r"(?:^|/)(?:locales?|i18n|l10n|langs?|languages|translations|_?_?fixtures(?:__)?|testdata"
    r"|test[-_]data|_?_?snapshots(?:__)?|_?_?mocks(?:__)?)/|(?:^|[/._-])[a-z]{2}[-_][A-Z]{2}\.\w+$"
)
_MAX_NAME_CHARACTERS: Final = 120
_LETTER: Final = re.compile(r"[^\W\d]")
_TEMPLATE: Final = "{{"
_COMMENT: Final = " #"
_SEPARATOR: Final = "."
_MODULE: Final = SymbolKind.MODULE
_VARIABLE: Final = SymbolKind.VARIABLE


class Key:
    """A key with its entries, before it becomes a symbol; or a document, which has no name."""

    # Class defaults save time: a file may have thousands of keys, of which few are shown.
    holds_keys = False  # whether the value is a mapping
    kind = _VARIABLE
    line_start = line_end = name_line = 0  # until `find_lines`
    name = container = signature = ""
    prefix = ""  # prefix of the qualified names inside
    ordinal = NO_SYMBOL

    def __init__(self, start: int, end: int, name_start: int, name_end: int) -> None:
        """Take the offsets of a key with its value, and those of its name."""
        self.start = start
        self.end = end
        self.name_start = name_start
        self.name_end = name_end
        self.entries: list[Key] = []  # down to the third level

    def find_lines(self, line_starts: list[int]) -> None:
        """Set the lines; done late, since most keys are not shown."""
        self.line_start = line = bisect_right(line_starts, self.start)
        self.line_end = max(line, bisect_right(line_starts, self.end - 1, line - 1))
        self.name_line = self.name_line or line


def is_data_file(source: "SourceText") -> bool:
    """Return whether the file is data, whose keys are not indexed."""
    return source.line_count == 1 or _DATA_FOLDER.search(source.path) is not None


def choose_keys(siblings: list[list[Key]], room: int) -> list[Key]:
    """Return the keys of each level, mappings before plain values, up to `room` keys.

    Stops at the first level that does not fit; only the top level is cut instead.
    """
    chosen: list[Key] = []
    while siblings:
        mappings: list[Key] = []
        values: list[Key] = []
        for entries in siblings:
            plain: list[Key] = []
            for entry in entries:
                # A mapping on one line counts as a plain value.
                if entry.holds_keys and entry.line_start < entry.line_end:
                    entry.kind = _MODULE
                    mappings.append(entry)
                else:
                    plain.append(entry)
            if len(plain) <= MAX_PLAIN_ENTRIES:
                values += plain
        for group in (mappings, values):
            if chosen and len(group) > room - len(chosen):
                return chosen
            chosen += group[:room]
        siblings = [each.entries for each in mappings if each.entries]
    return chosen


def draft_keys(
    keys: list[Key], source: "SourceText", prefix: str, nameless: str | tuple[()] = ()
) -> "list[Draft]":
    """Name the keys, outer ones first, and return those with a name as symbols; sorts `keys`.

    A key that begins with `nameless` has no name.
    """
    keys.sort(key=_END, reverse=True)
    keys.sort(key=_START)
    drafts: list[Draft] = []
    around: list[Key] = []
    for key in keys:
        while around and around[-1].end < key.end:
            around.pop()
        outer = around[-1] if around else None
        around.append(key)
        key.prefix, key.ordinal = (outer.prefix, outer.ordinal) if outer else (prefix, NO_SYMBOL)
        key.name = name = key.name or _name_of(key, outer, source)
        if name and not name.startswith(nameless):
            if not key.line_start:
                key.find_lines(source.line_starts)
            drafts.append(_draft(key, outer, source, len(drafts)))
    return drafts


def _name_of(key: Key, outer: Key | None, source: "SourceText") -> str:
    """Return the key without quotes; numbers, punctuation and templates give no name.

    Nor do the methods of a path in an API description.
    """
    if outer is not None and outer.name.startswith("/"):
        return ""
    text = source.text_between(key.name_start, key.name_end)
    if text.isidentifier():  # the usual case
        return text[:_MAX_NAME_CHARACTERS]
    name = unquoted(text)
    has_letters = name[:1].isalpha() or _LETTER.search(name) is not None
    is_nameless = not has_letters or _TEMPLATE in name
    return "" if is_nameless else name[:_MAX_NAME_CHARACTERS].strip()


def _draft(key: Key, outer: Key | None, source: "SourceText", ordinal: int) -> "Draft":
    name, kind, parent = key.name, key.kind, key.ordinal
    prefix = f"{key.prefix}{key.container}{_SEPARATOR}" if key.container else key.prefix
    key.prefix, key.ordinal = f"{prefix}{name}{_SEPARATOR}", ordinal
    if outer is not None and kind is _VARIABLE:
        kind = kind_of_value(outer.name)
    signature = key.signature or _signature(key, source)
    lines = key.line_start, key.line_end, key.name_line
    return (name, prefix, kind, parent, *lines, signature)


def _signature(key: Key, source: "SourceText") -> str:
    """Return the key with its value; only the key if the value is a mapping."""
    start = key.start
    if key.kind is not _MODULE:
        text = source.text_between(start, min(key.end, start + MAX_SIGNATURE_CHARACTERS))
        return fold_value(text)
    head = source.text_between(start, source.data.find(b"\n", start))
    if head[:-1] == key.name and head[-1] == ":" and head[-2].isalnum():
        return key.name
    return trim_signature(head.partition(_COMMENT)[0])


_START: Final = attrgetter("start")
_END: Final = attrgetter("end")
