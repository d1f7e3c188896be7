"""Blank conditional blocks that the grammar cannot parse, except for one branch.

A grammar reads `#if` only around whole declarations, statements and members. Where a branch
leaves braces or brackets open, or the block is inside an expression, it loses the rest of the
file. Offsets and lines do not change.
"""

import re
from typing import Final

_DIRECTIVE: Final = re.compile(
    rb"\#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b"
    rb"([^\n\\]*+(?:\\(?:\r?\n|[^\r\n])[^\n\\]*+|(?!))*+)"
)
_NOT_CODE: Final = re.compile(
    rb"/\*[^*]*+(?:\*(?!/)[^*]*+|(?!))*+\*/|//[^\n]*+"
    rb"|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"|'(?:[^'\\\n]++|\\.|(?!))++'",
    re.DOTALL,
)
_BLANKS: Final = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))
_CONTEXT_BYTES: Final = 80
# Braces and parentheses are counted in one number; no branch has this many braces.
_PER_BRACKET: Final = 1_000_000
_INSIDE_EXPRESSION: Final = frozenset(b'=("|&+?<>')


def blank(text: bytes) -> bytes:
    """Replace everything but line feeds with spaces."""
    return text.translate(_BLANKS)


def blank_spans(data: bytes, spans: list[tuple[int, int]]) -> bytes:
    """Return the text with some spans blanked."""
    if not spans:
        return data
    text = bytearray(data)
    for start, end in spans:
        text[start:end] = blank(data[start:end])
    return bytes(text)


def blank_unreadable_branches(data: bytes) -> bytes:
    """Blank the parts of conditional blocks that the grammar cannot parse; keep offsets."""
    return blank_spans(data, _unreadable_spans(data))


class _Conditional:
    """One `#if` … `#endif` with the balance of braces and brackets in each branch."""

    __slots__ = ("branches", "depths", "is_broken", "is_list")

    def __init__(self, directive: re.Match[bytes], before: bytes) -> None:
        self.branches = [directive]
        self.depths = [0]
        # All items of a comma-separated list can stay: only the directives are blanked.
        self.is_list = before.endswith(b",") or (
            before.endswith(b"{") and before[:-1].rstrip().endswith(b"=")
        )
        self.is_broken = bool(before) and (
            before[-1] in _INSIDE_EXPRESSION or before.split()[-1] == b":"
        )

    def add(self, change: int, *, dips: bool) -> None:
        """Add the balance of a piece of the current branch."""
        self.is_broken = self.is_broken or (dips and self.depths[-1] <= 0)
        self.depths[-1] += change

    @property
    def kept_branch(self) -> int:
        """Return the index of the first branch that is not `#if 0`."""
        first = self.branches[0]
        is_dead = first.group(1) == b"if" and first.group(2).strip() == b"0"
        return 1 if is_dead else 0

    @property
    def is_readable(self) -> bool:
        return not (self.kept_branch or self.is_list or self.is_broken or any(self.depths))


def _unreadable_spans(data: bytes) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    around: list[_Conditional] = []
    previous_end = 0
    for directive in _DIRECTIVE.finditer(data):
        start = directive.start()
        if data[data.rfind(b"\n", 0, start) + 1 : start].strip():
            continue  # inside a comment or a string
        if around:
            change, dips = _balance(data[previous_end:start])
            around[-1].add(change, dips=dips)
        previous_end = directive.end()
        word = directive.group(1)
        if word.startswith(b"if"):
            around.append(_Conditional(directive, _code_before(data, start)))
        elif around and word == b"endif":
            closed = around.pop()
            if around:
                around[-1].add(_change_of(closed), dips=_change_of(closed) < 0)
            if _needs_body(data, directive.end()) or not closed.is_readable:
                spans.extend(_blanked_spans(closed, directive))
        elif around:
            around[-1].branches.append(directive)
            around[-1].depths.append(0)
    return spans


def _code_before(data: bytes, start: int) -> bytes:
    """Return the end of the code before a block; another directive is a line of its own."""
    before = data[max(0, start - _CONTEXT_BYTES) : start].rstrip()
    is_directive = before.rpartition(b"\n")[2].lstrip().startswith(b"#")
    return b"" if is_directive else before


def _needs_body(data: bytes, end: int) -> bool:
    """Return whether a body follows the block, so that its branches are alternative heads."""
    return data[end : end + _CONTEXT_BYTES].lstrip().startswith(b"{")


def _change_of(closed: _Conditional) -> int:
    kept = closed.kept_branch
    return closed.depths[kept] if kept < len(closed.depths) else 0


def _blanked_spans(closed: _Conditional, end: re.Match[bytes]) -> list[tuple[int, int]]:
    directives = [*closed.branches, end]
    spans = [end.span()]
    keeps_all = closed.is_list and not any(closed.depths)
    for number, directive in enumerate(closed.branches):
        is_kept = number == closed.kept_branch or keeps_all
        stop = directive.end() if is_kept else directives[number + 1].start()
        spans.append((directive.start(), stop))
    return spans


def _balance(text: bytes) -> tuple[int, bool]:
    """Return the balance of brackets, and whether a brace closes that was not opened here."""
    change, dips = _count(text)
    if change or dips:
        change, dips = _count(_NOT_CODE.sub(b" ", text))
    return change, dips


def _count(text: bytes) -> tuple[int, bool]:
    opening, closing = text.find(b"{"), text.find(b"}")
    dips = closing >= 0 and not 0 <= opening < closing
    brackets = text.count(b"(") - text.count(b")")
    return text.count(b"{") - text.count(b"}") + _PER_BRACKET * brackets, dips
