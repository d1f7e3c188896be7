"""A JSON file as an outline."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import
from cruxe.parse.languages.json.comments import (
    find_comments,
    without_comments,
    without_last_commas,
)
from cruxe.parse.languages.json.documents import draft_documents
from cruxe.parse.languages.json.reading import KeyReader
from cruxe.parse.languages.json.soundness import SOUND, broken_offset
from cruxe.parse.text_places import Outline, broken_at

if TYPE_CHECKING:
    from cruxe.model.symbols import Span
    from cruxe.parse.languages.json.keys import Key
    from cruxe.parse.source_text import SourceText

_EXTENDS: Final = '"extends"'
_STRING: Final = re.compile(r'"([^"\\\n]+)"')


def outline_of_keys(source: "SourceText") -> Outline:
    """Keys, objects, and the settings that others build on."""
    text, broken = source.characters, broken_offset(source.characters)
    comments: list[Span] = []
    if broken != SOUND:  # JSON itself has no comments, and no comma behind a last entry
        comments = find_comments(text)
        text = without_last_commas(without_comments(text, comments))
        broken = broken_offset(text)
    documents = KeyReader(text, source.line_starts).documents()
    return Outline(
        draft_documents(documents, source),
        comments,
        () if broken == SOUND else broken_at(_line_of(broken, source)),
        _imports(documents, source) if _EXTENDS in text else (),
    )


def _line_of(offset: int, source: "SourceText") -> int:
    # What is missed at the very end stands behind the last line.
    return max(1, min(bisect_right(source.line_starts, offset), source.line_count))


def _imports(documents: "list[Key]", source: "SourceText") -> tuple[Import, ...]:
    """`"extends": "./base.json"`, or a list of such."""
    found = [
        Import(base[1], "*", "", bisect_right(source.line_starts, key.start))
        for document in documents
        for key in document.entries
        if source.characters.startswith(_EXTENDS, key.name_start)
        for base in _STRING.finditer(source.text_between(key.name_end, key.end))
    ]
    return tuple(sorted(found, key=lambda each: (each.line, each.module)))
