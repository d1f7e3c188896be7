"""Heads of Python's functions and classes as text, and the docstrings directly after them.

Most heads are plain ASCII without comments or escapes. A regular expression reads those, since
finding the body in the tree takes longer.
"""

import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.language import Definition, trim_signature
from cruxe.parse.text_places import place

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText

_WITH_BODIES: Final = frozenset({"function_definition", "class_definition"})
_MAY_BE_STRING: Final = re.compile(rb"\s*(?:\\|\(|[a-zA-Z]{0,2}[\"'])")
# Deeper brackets are left to the tree.
_BRACKET_DEPTH: Final = 4
# A string on one line that holds neither escapes nor what may be a comment. Two quotes may be the
# start of three.
_SHORT_STRING: Final = rb"""(?:"[^"\n\\#]*+"(?!")|'[^'\n\\#]*+'(?!'))"""
_LONG_STRING: Final = (
    rb'(?:"""[^"\\]*+(?:"(?!"")[^"\\]*+|(?!))*+"""'
    rb"|'''[^'\\]*+(?:'(?!'')[^'\\]*+|(?!))*+''')"
)


def _in_brackets(depth: int) -> bytes:
    """Return a pattern for plain text in brackets, nested up to a depth."""
    inner = rb"|" + _in_brackets(depth - 1) if depth > 1 else b""
    plain = rb"[\t\n !$-&*-Z^-z|~]++"  # printed, but no bracket, quote, `#` or backslash
    return rb"[(\[{](?:" + plain + rb"|" + _SHORT_STRING + inner + rb"|(?!))*+[)\]}]"


_HEAD: Final = re.compile(
    rb"(?>async[ \t]++|)(?:def|class)[ \t]++\w++"
    # Outside brackets a line feed or a colon ends the head.
    rb"(?:[\t !$-&*-9;-Z^-z|~]++|"
    + _SHORT_STRING
    + rb"|"
    + _in_brackets(_BRACKET_DEPTH)
    + rb"|(?!))*+"
    rb"(?P<colon>:)[ \t]*+\n"
    # A comment may precede a docstring, and an unclosed bracket may precede a body.
    rb"[ \t\n]*+(?![#\\(\[{])(?:"
    rb"(?P<doc>[rRuU]?+(?:" + _LONG_STRING + rb"|" + _SHORT_STRING + rb"))(?=[ \t]*+(?:\n|\Z))"
    rb"|(?P<unread>[!-~].{0,1}[\"']|[\"'])"
    rb"|[!-~])",
    re.DOTALL,
)


def read_plain_head(definition: Definition, source: "SourceText") -> str | None:
    """Return the signature where the text is plain, else None; also sets the docstring."""
    if definition.node_type not in _WITH_BODIES or definition.node.has_error:
        return None
    start = definition.node_start
    found = _HEAD.match(source.data, start, definition.end_byte)
    if found is None:
        return None
    definition.is_doc_known = found["unread"] is None
    if found["doc"] is not None:
        definition.inner_doc = place(source, *found.span("doc"))
    return trim_signature(source.text_between(start, found.start("colon")))


def has_nothing_below(source: "SourceText", end: int) -> bool:
    """Return whether the text after an assignment is certainly no string."""
    return _MAY_BE_STRING.match(source.data, end) is None
