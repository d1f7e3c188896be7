"""Kubernetes objects: a document with a `kind` is one symbol, named after its metadata."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS
from cruxe.parse.languages.json.quotes import literal_part, unquoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cruxe.parse.languages.json.keys import Key
    from cruxe.parse.source_text import SourceText

MARK: Final = b"apiVersion"
_HEAD: Final = frozenset({"apiVersion", "kind", "metadata"})
# Keys whose entries have user-chosen names; `spec` and the like are the same in all objects.
_NAMED_CONTENTS: Final = ("data", "stringData", "binaryData")
_COLON: Final = re.compile(r"\s*:\s*")


def become_manifest(document: "Key", source: "SourceText") -> "list[Key] | None":
    """Turn a document into a symbol if it is an object; return the keys to show inside it."""
    if MARK not in source.data:
        return None
    fields = _by_key(document.entries, source)
    version = _value(fields.get("apiVersion"), source)
    kind = _value(fields.get("kind"), source)
    if version is None or kind is None:
        return None
    document.kind = SymbolKind.MODULE
    described = [version, kind]
    metadata = _by_key(fields.get("metadata", document).entries, source)
    name = _value(metadata.get("name") or metadata.get("generateName"), source)
    if name is not None:
        described.append(name)
    texts = [unquoted(source.text_between(*span)) for span in described]
    document.signature = " ".join(texts)[:MAX_SIGNATURE_CHARACTERS]
    document.name_start = described[-1][0]
    document.name_line = bisect_right(source.line_starts, document.name_start)
    document.name = texts[1]
    if name is None:  # settings of a program, not an object
        return [entry for key, entry in fields.items() if key not in _HEAD]
    if written := literal_part(texts[2]):
        document.name, document.container = written, texts[1]
    named = [fields[key] for key in _NAMED_CONTENTS if key in fields]
    return [entry for field in named for entry in field.entries]


def _by_key(entries: "Iterable[Key]", source: "SourceText") -> "dict[str, Key]":
    return {unquoted(source.text_between(each.name_start, each.name_end)): each for each in entries}


def _value(entry: "Key | None", source: "SourceText") -> tuple[int, int] | None:
    """Return the span of a value on the same line as its key, or None."""
    if entry is None or "\n" in source.characters[entry.start : entry.end]:
        return None
    colon = _COLON.match(source.characters, entry.name_end)
    return None if colon is None or colon.end() >= entry.end else (colon.end(), entry.end)
