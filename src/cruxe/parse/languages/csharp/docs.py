"""XML doc comments as readable text: tags are replaced by the words they stand for."""

import re
from typing import Final

from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS, strip_comment_markers

_MAX_RAW_CHARACTERS: Final = 2 * MAX_DOC_CHARACTERS
_TAG: Final = re.compile(r"<(/?)([A-Za-z]\w*)((?:\s+[\w:]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>")
_NAMED: Final = re.compile(r"\b(?:cref|name|langword|href)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_KIND_PREFIX: Final = re.compile(r"^[A-Z]:(?!:)")
# The name in their attribute is put before their text.
_LABELLED: Final = frozenset({"param", "typeparam", "exception", "permission"})
_LABELS: Final = {"returns": "Returns: ", "value": "Value: ", "seealso": "See also: "}
_LINES: Final = frozenset(
    {"summary", "remarks", "para", "example", "code", "item", "list", "term", "br"}
)
_ENTITIES: Final = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


def readable_doc(comments: list[str]) -> str:
    """Return doc comments without markers, tags and entities; names in tags are kept."""
    text = "\n".join([_plain(comment) for comment in comments])[:_MAX_RAW_CHARACTERS]
    if "<" in text:
        text = _TAG.sub(_words_of, text)
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join([line for line in lines if line])[:MAX_DOC_CHARACTERS]


def _plain(comment: str) -> str:
    return comment[3:] if comment.startswith("///") else strip_comment_markers([comment])


def _words_of(tag: re.Match[str]) -> str:
    closing, name, attributes, alone = tag.groups()
    if closing or name in _LINES:
        return "\n" if name in _LINES or name in _LABELLED or name in _LABELS else ""
    named = _NAMED.search(attributes)
    subject = _KIND_PREFIX.sub("", named[1] or named[2] or "") if named else ""
    if name in _LABELLED:
        return f"\n{subject}: "
    if name in _LABELS:
        return f"\n{_LABELS[name]}{subject if alone else ''}"
    return subject if alone else ""
