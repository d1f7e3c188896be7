"""Classify the lines of a makefile by their first words."""

import re
from typing import Final, NamedTuple

_MODIFIERS: Final = rb"(?:(?:export|override|private)[ \t]+)*"
_NAME: Final = rb"[^\s:#=!?+$(){}]+"
_EQUALS: Final = rb"[ \t]*(?:\+|\?|!|:{1,3})?="
# Hand-written parentheses nest up to three deep.
_INNER: Final = rb"\((?:[^()]|\([^()]*+\)|(?!))*+\)"
_EXPANSION: Final = rb"\$\((?:[^()]|%b|(?!))*+\)|\$\{[^{}]*+\}|\$[^({]" % _INNER

ASSIGNMENT: Final = re.compile(rb"%b(%b)%b" % (_MODIFIERS, _NAME, _EQUALS))
DEFINE: Final = re.compile(rb"%bdefine[ \t]+(%b)" % (_MODIFIERS, _NAME))
ENDEF: Final = re.compile(rb"endef\b")
INCLUDE: Final = re.compile(rb"[-s]?include[ \t]+([^#]*)")
COMMENT: Final = re.compile(rb"#")
OTHER: Final = re.compile(
    rb"(?:ifn?eq|ifn?def|else|endif|endef|vpath|export|unexport|undefine|-?load)\b(?![ \t]*:)"
)
# Targets end at a colon outside of expansions that is no assignment.
RULE: Final = re.compile(
    rb"((?:%b|\\.|\([^()\s]*\)|[^\s:#=$\\()]|\s)+?)&?::?(?![:=])" % _EXPANSION,
    re.DOTALL,
)
TARGET: Final = re.compile(rb"(?:%b|\\[^\n]|[^\s$\\])+" % _EXPANSION)
SPECIAL: Final = re.compile(rb"\.[A-Z_]+\Z")
PREREQUISITE: Final = re.compile(rb"(?<![^\s|:])[^\s|:$%()\\]+(?![^\s|:])")
_MARGIN: Final = re.compile(rb"[ \t]*+")
_RECIPE_OR_COMMENT: Final = re.compile(rb"[;#]")
_CONTINUED: Final = re.compile(rb"(?:[^\n]*\\\n)*[^\n]*")


class Line(NamedTuple):
    """A logical line with its continuations, by offsets, without the last line feed."""

    start: int
    text: int  # after white space
    end: int

    @property
    def span(self) -> tuple[int, int]:
        """The text of the line; may be empty."""
        return self.text, self.end


def logical_lines(data: bytes) -> list[Line]:
    """Return all lines, joined where one ends in a backslash."""
    lines: list[Line] = []
    start = 0
    while start < len(data):
        found = _CONTINUED.match(data, start)
        end = len(data) if found is None else found.end()
        lines.append(Line(start, min(past_white_space(data, start), end), end))
        start = end + 1
    return lines


def past_white_space(data: bytes, start: int) -> int:
    """Return the next offset that is not white space."""
    found = _MARGIN.match(data, start)
    return start if found is None else found.end()


def end_of_prerequisites(data: bytes, start: int, end: int) -> int:
    """Return where a rule's prerequisites end: at a recipe on the same line or a comment."""
    found = _RECIPE_OR_COMMENT.search(data, start, end)
    return end if found is None else found.start()
