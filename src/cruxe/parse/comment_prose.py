"""Comments as prose: the text without comment markers and frames."""

import re
from typing import Final

MAX_DOC_CHARACTERS: Final = 4000
_OPENING: Final = re.compile(r"^\s*(?:/\*[*!]*<?|//[/!]*<?|\#+!?|--+\|?|;+|%+|<!--)")
_CLOSING: Final = re.compile(r"(?:\*+/|-->)\s*$")
_CONTINUATION: Final = re.compile(r"^\s*\*(?!/)")
_CLOSINGS: Final = ("*/", "-->")
_STARS: Final = frozenset({"*"})
_RULE: Final = re.compile(r"^[\s\-=*#~_/]*$")


_MARKERS: Final = frozenset({"//", "///", "//!", "#", "--", "---", ";;"})
_PUNCTUATION: Final = "@<{[(`'\""  # text may start with these, or with a letter or a digit


def strip_comment_markers(comments: list[str]) -> str:
    """Join comments into plain text: no markers, no rules, no blank lines at the ends."""
    lines: list[str] = []
    for comment in comments:
        if "\n" in comment:
            lines.extend(_plain_lines(comment))
        else:
            lines.append(_plain_line(comment, _OPENING, _MARKERS))
    return "\n".join(lines).strip()[:MAX_DOC_CHARACTERS].rstrip()


def _plain_lines(comment: str) -> list[str]:
    first, *others = comment.splitlines()
    is_framed = first.lstrip().startswith("/*")
    opening, markers = (_CONTINUATION, _STARS) if is_framed else (_OPENING, _MARKERS)
    lines = [_plain_line(line, opening, markers) for line in others]
    return [_plain_line(first, _OPENING, _MARKERS), *lines]


def _plain_line(line: str, opening: re.Pattern[str], markers: frozenset[str]) -> str:
    # Fast path: most lines are a marker, a blank and words, and need no regular expression.
    marker, _, text = line.strip().partition(" ")
    if marker in markers and not text.endswith(_CLOSINGS):
        start = text[:1]
        if start.isalnum() or start in _PUNCTUATION:
            return text
    line = _CLOSING.sub("", line)
    if found := opening.match(line):
        line = line[found.end() :]
    text = line.removeprefix(" ").rstrip()
    return "" if _RULE.match(text) else text
