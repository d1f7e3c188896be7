"""Fold the head of a definition into one line, as if it had not been wrapped at brackets."""

import re
from typing import Final

from cruxe.text.lines import fold_white_space

_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_BRACKET: Final = re.compile(r"[(\[{}]|\n?[)\]]")  # with the line feed that may be removed
_INNERMOST: Final = re.compile(r"[(\[{][^()\[\]{}]*+[)\]}]")
# What precedes the comma if there is no element before it.
_NO_ELEMENT: Final = frozenset("([{, \n")
# Besides letters and digits. A closing angle bracket may precede arguments.
_WORD_ENDS: Final = frozenset("_>")
# Brackets nested deeper keep their trailing commas.
_MAX_DEPTH: Final = 32
# Characters at the end of a folded text that later text may still change, plus a margin.
_UNSETTLED: Final = 8


def fold_head(text: str) -> str:
    """Join a head into one line, with each run of whitespace as one space.

    Line breaks after `(` or `[` and before `)` or `]` are removed. So is a trailing comma before
    such a break, unless it may make a one-element tuple.
    """
    if "\n" not in text:
        return fold_white_space(text)
    # Now there are only line feeds at line breaks, and single spaces elsewhere.
    lines = "\n".join([" ".join(words) for line in text.split("\n") if (words := line.split())])
    if ",\n)" in lines or ",\n]" in lines:
        lines = _without_last_commas(lines)
    for broken in ("(\n", "[\n", "\n)", "\n]"):
        lines = lines.replace(broken, broken.strip())
    return lines.replace("\n", " ")


def fold_start(text: str, most: int) -> str:
    """Return the start of `fold_head(text)`; of a long text only the start is read."""
    start = text[: 4 * most]
    folded = fold_head(start)
    if len(folded) < most + _UNSETTLED and len(start) < len(text):
        folded = fold_head(text)
    return folded[:most]


def _without_last_commas(lines: str) -> str:
    """Remove redundant trailing commas of wrapped lists."""
    dropped: list[int] = []
    opened: list[int] = []
    for found in _BRACKET.finditer(lines):
        sign, start = found[0], found.start()
        if sign in _CLOSING:
            opened.append(start)
        elif opened:
            opening = opened.pop()
            is_broken = sign[0] == "\n" and len(opened) < _MAX_DEPTH
            if is_broken and _ends_list(lines, start) and _may_lose_comma(lines, opening, start):
                dropped.append(start - 1)
    return _without(lines, dropped)


def _ends_list(lines: str, end: int) -> bool:
    """Return whether an element and a comma precede an offset."""
    return end > 1 and lines[end - 1] == "," and lines[end - 2] not in _NO_ELEMENT


def _may_lose_comma(lines: str, opening: int, end: int) -> bool:
    """Return whether the trailing comma in a bracket that is closed after `end` is redundant."""
    sign, before = lines[opening], lines[opening - 1 : opening]
    if _CLOSING[sign] != lines[end + 1]:
        return False
    # `f(a,)` has one argument, but `(a,)` may be a tuple and `a[b,]` an index that is one.
    is_behind_word = before.isalnum() or before in _WORD_ENDS
    if is_behind_word == (sign == "("):
        return True
    inside, count = lines[opening + 1 : end], 1
    while count:
        inside, count = _INNERMOST.subn("", inside)
    # Commas between angle brackets do not belong to the bracket.
    return inside.count(",") > 1 and "<" not in inside


def _without(text: str, offsets: list[int]) -> str:
    starts = [0, *(offset + 1 for offset in offsets)]
    ends = [*offsets, len(text)]
    return "".join([text[start:end] for start, end in zip(starts, ends, strict=True)])
