"""Comments as prose: markers and frames taken off, what people wrote kept."""

import re
from typing import Final

MAX_DOC_CHARACTERS: Final = 4000
_OPENING: Final = re.compile(r"^\s*(?:/\*[*!]*<?|//[/!]*<?|\#+!?|--+\|?|;+|%+|<!--)")
_CLOSING: Final = re.compile(r"(?:\*+/|-->)\s*$")
_CONTINUATION: Final = re.compile(r"^\s*\*(?!/)")
_RULE: Final = re.compile(r"^[\s\-=*#~_/]*$")


def strip_comment_markers(comments: list[str]) -> str:
    """Join comments into plain text: no markers, no rules, no blank lines at the ends."""
    lines: list[str] = []
    for comment in comments:
        if "\n" in comment:
            lines.extend(_plain_lines(comment))
        else:
            lines.append(_plain_line(comment, _OPENING))
    return "\n".join(lines).strip()[:MAX_DOC_CHARACTERS].rstrip()


def _plain_lines(comment: str) -> list[str]:
    first, *others = comment.splitlines()
    marker = _CONTINUATION if first.lstrip().startswith("/*") else _OPENING
    return [_plain_line(first, _OPENING), *[_plain_line(line, marker) for line in others]]


def _plain_line(line: str, marker: re.Pattern[str]) -> str:
    if "*/" in line or "-->" in line:
        line = _CLOSING.sub("", line)
    if found := marker.match(line):
        line = line[found.end() :]
    text = line.removeprefix(" ").rstrip()
    # Most lines start with a word and need no further look.
    return text if text[:1].isalnum() or not _RULE.match(text) else ""
