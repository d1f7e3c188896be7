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
        lines.extend(_plain_lines(comment))
    return "\n".join(lines).strip()[:MAX_DOC_CHARACTERS].rstrip()


def _plain_lines(comment: str) -> list[str]:
    block = comment.lstrip().startswith("/*")
    plain: list[str] = []
    for number, line in enumerate(comment.splitlines()):
        text = _CLOSING.sub("", line)
        if number == 0 or not block:
            text = _OPENING.sub("", text, count=1)
        else:
            text = _CONTINUATION.sub("", text, count=1)
        text = text.removeprefix(" ").rstrip()
        plain.append("" if _RULE.match(text) else text)
    return plain
