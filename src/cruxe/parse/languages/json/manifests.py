"""Kubernetes objects: a document that says its kind is one symbol, by its name where it has one."""

from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.languages.json.quotes import literal_part, unquoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from cruxe.parse.language import Definition
    from cruxe.parse.source import SourceText

    Entries = dict[Definition | None, list[Definition]]

_MARK: Final = b"apiVersion"
_HEAD: Final = frozenset({"apiVersion", "kind", "metadata"})
# What people name in an object themselves; `spec` and its like are the same in all of them.
_NAMED_CONTENTS: Final = ("data", "stringData", "binaryData")


def become_manifest(
    document: "Definition", entries: "Entries", source: "SourceText"
) -> "list[Definition] | None":
    """Turn a document into a symbol if it is an object; return the keys to show inside it."""
    if _MARK not in source.data:
        return None
    fields = _by_key(entries.get(document, ()), source)
    version, kind = _value(fields.get("apiVersion")), _value(fields.get("kind"))
    if version is None or kind is None:
        return None
    document.kind = SymbolKind.MODULE
    document.captures = {"version": [version], "name": [kind]}
    document.name = unquoted(source.text_of(kind))
    metadata = _by_key(entries.get(fields.get("metadata", document), ()), source)
    name = _value(metadata.get("name") or metadata.get("generateName"))
    if name is None:  # settings of a program rather than an object
        return [entry for key, entry in fields.items() if key not in _HEAD]
    document.captures |= {"type": [kind], "name": [name]}
    if written := literal_part(unquoted(source.text_of(name))):
        document.name, document.container = written, document.name
    named = [fields[key] for key in _NAMED_CONTENTS if key in fields]
    return [entry for field in named for entry in entries.get(field, ())]


def _by_key(entries: "Iterable[Definition]", source: "SourceText") -> "dict[str, Definition]":
    return {unquoted(source.text_of(each.captures["name"][0])): each for each in entries}


def _value(entry: "Definition | None") -> "Node | None":
    """The value of a key that stands on one line with it."""
    if entry is None or entry.line_start < entry.line_end:
        return None
    return entry.node.child_by_field_name("value")
