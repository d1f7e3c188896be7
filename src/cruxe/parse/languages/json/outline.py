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
    """Return keys, Kubernetes objects, and the `extends` of settings as imports."""
    text, broken = source.characters, broken_offset(source.characters)
    comments: list[Span] = []
    if broken != SOUND:  # strict JSON has no comments and no trailing commas
        comments = find_comments(text)
        text = without_last_commas(without_comments(text, comments))
        broken = broken_offset(text)
    documents = KeyReader(text, source.line_starts).documents()
    return Outline(
        drafts=draft_documents(documents, source),
        comments=comments,
        problems=() if broken == SOUND else broken_at(_line_of(broken, source)),
        imports=_imports(documents, source) if _EXTENDS in text else (),
    )


def _line_of(offset: int, source: "SourceText") -> int:
    # A token that is missing at the end of the file is reported after the last line.
    return max(1, min(bisect_right(source.line_starts, offset), source.line_count))


def _imports(documents: "list[Key]", source: "SourceText") -> tuple[Import, ...]:
    """Return the files of `"extends": "./base.json"`, or of a list of such."""
    found = [
        Import(module=base[1], name="*", alias="", line=bisect_right(source.line_starts, key.start))
        for document in documents
        for key in document.entries
        if source.characters.startswith(_EXTENDS, key.name_start)
        for base in _STRING.finditer(source.text_between(key.name_end, key.end))
    ]
    return tuple(sorted(found, key=lambda each: (each.line, each.module)))
