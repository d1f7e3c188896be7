"""Rewrite shell scripts for the grammar; offsets and lines do not change.

Bats test cases become functions, whose titles are read from the file's own text. A pattern with
quotes in it is compared by `==`: after `=` and `=~` the grammar takes the quote for a bare
character, and the rest of the file for a string.
"""

import re
from typing import Final

# As Bats reads it: the last brace of the line that has a blank before it opens the body.
_TEST: Final = re.compile(rb"^([ \t]*)(@test[ \t]+[^\n]*[^\s])(?=[ \t]+\{[^\n{]*$)", re.MULTILINE)
_COMPARISON: Final = re.compile(rb"(\[\[ [^\n=]*?[^\s=!<>])( =|[ \t]=~) (?=[^\s\"'()|\]]+[\"'])")


def legible_text(data: bytes) -> bytes:
    """Return the text with test heads as function heads, and comparisons by `==`."""
    if b"@test" in data:
        data = _TEST.sub(_as_function, data)
    return _COMPARISON.sub(_by_double_sign, data) if b"[[ " in data else data


def title_of(head: str) -> str:
    """A test's title, without quotes."""
    title = head.removeprefix("@test").strip()
    is_quoted = len(title) > 1 and title[0] in "'\"" and title[-1] == title[0]
    return title[1:-1] if is_quoted else title


def _as_function(head: re.Match[bytes]) -> bytes:
    return head[1] + b"_" * (len(head[2]) - 2) + b"()"


def _by_double_sign(comparison: re.Match[bytes]) -> bytes:
    return comparison[1] + comparison[2][:-2] + b"== "
