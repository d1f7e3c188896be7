"""Turn documents of keys into symbols: the useful keys, and Kubernetes objects by name."""

from typing import TYPE_CHECKING

from cruxe.parse.languages.json.keys import choose_keys, draft_keys, is_data_file
from cruxe.parse.languages.json.manifests import become_manifest
from cruxe.parse.languages.json.naming import MAX_KEYS, prefix_of

if TYPE_CHECKING:
    from cruxe.parse.languages.json.keys import Key
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Draft


def keys_to_show(documents: "list[Key]", source: "SourceText") -> "list[Key]":
    """Return the useful keys; a document that is a named object becomes one symbol."""
    shown: list[Key] = []
    siblings: list[list[Key]] = []
    is_data = is_data_file(source)
    for document in documents[:MAX_KEYS]:
        inside = become_manifest(document, source)
        if inside is not None:
            shown.append(document)
        if not is_data:
            siblings.append(document.entries if inside is None else inside)
    return shown + choose_keys(siblings, MAX_KEYS - len(shown))


def draft_documents(documents: "list[Key]", source: "SourceText") -> "list[Draft]":
    """Return the symbols of a file of documents."""
    return draft_keys(keys_to_show(documents, source), source, prefix_of(source.path))
