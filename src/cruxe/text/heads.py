"""Heads of definitions on one line, as if no line had been broken at a bracket."""

import re
from typing import Final

from cruxe.text.lines import fold_white_space

_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_BRACKET: Final = re.compile(r"[(\[{}]|\n?[)\]]")  # with the line feed that it may take away
_INNERMOST: Final = re.compile(r"[(\[{][^()\[\]{}]*+[)\]}]")
# What stands before the only element of a list, or in place of it.
_NO_ELEMENT: Final = frozenset("([{, \n")
# Beside letters and digits; what ends with an angle may take arguments.
_WORD_ENDS: Final = frozenset("_>")
# Brackets inside more than these keep their commas.
_MAX_DEPTH: Final = 32
# Characters at the end of a folded text that what follows may still take away, and a few more.
_UNSETTLED: Final = 8


def fold_head(text: str) -> str:
    """Join a head into one line, each run of white space as one space.

    Where a line was broken after `(` or `[`, or before `)` or `]`, nothing stands now. A comma that
    ended the last of such lines is left out too, unless it may be what makes a tuple of one.
    """
    if "\n" not in text:
        return fold_white_space(text)
    # Nothing but line feeds at line breaks, and single spaces elsewhere.
    lines = "\n".join([" ".join(words) for line in text.split("\n") if (words := line.split())])
    if ",\n)" in lines or ",\n]" in lines:
        lines = _without_last_commas(lines)
    for broken in ("(\n", "[\n", "\n)", "\n]"):
        lines = lines.replace(broken, broken.strip())
    return lines.replace("\n", " ")


def fold_start(text: str, most: int) -> str:
    """The first characters of `fold_head(text)`; of a long text only the start is read."""
    start = text[: 4 * most]
    folded = fold_head(start)
    if len(folded) < most + _UNSETTLED and len(start) < len(text):
        folded = fold_head(text)
    return folded[:most]


def _without_last_commas(lines: str) -> str:
    """Leave out commas that end the last line of a list and say nothing."""
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
    """Whether an element and a comma stand before an offset."""
    return end > 1 and lines[end - 1] == "," and lines[end - 2] not in _NO_ELEMENT


def _may_lose_comma(lines: str, opening: int, end: int) -> bool:
    """Whether the last comma in a bracket that is closed behind `end` says nothing."""
    sign, before = lines[opening], lines[opening - 1 : opening]
    if _CLOSING[sign] != lines[end + 1]:
        return False
    # `f(a,)` is a list of one, `(a,)` may be a tuple and `a[b,]` an index that is one.
    is_behind_word = before.isalnum() or before in _WORD_ENDS
    if is_behind_word == (sign == "("):
        return True
    inside, count = lines[opening + 1 : end], 1
    while count:
        inside, count = _INNERMOST.subn("", inside)
    # The commas between angles are not the bracket's own.
    return inside.count(",") > 1 and "<" not in inside


def _without(text: str, offsets: list[int]) -> str:
    starts = [0, *(offset + 1 for offset in offsets)]
    ends = [*offsets, len(text)]
    return "".join([text[start:end] for start, end in zip(starts, ends, strict=True)])
