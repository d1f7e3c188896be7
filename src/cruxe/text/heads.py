"""Heads of definitions on one line, as if no line had been broken at a bracket."""

import re
from typing import Final

from cruxe.text.lines import fold_white_space

_WHITE_SPACE: Final = re.compile(r"\s+")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_NO_ELEMENT: Final = frozenset("([{, \n")
# Beside letters and digits; what ends with an angle may take arguments.
_WORD_ENDS: Final = frozenset("_>")
# As in C: deeper brackets keep their commas.
_MAX_DEPTH: Final = 32


def fold_head(text: str) -> str:
    """Join a head into one line, each run of white space as one space.

    Where a line was broken after `(` or `[`, or before `)` or `]`, nothing stands now. A comma that
    ended the last of such lines is left out too, unless it may be what makes a tuple of one.
    """
    if "\n" not in text:
        return fold_white_space(text)
    marked = _WHITE_SPACE.sub(lambda run: "\n" if "\n" in run[0] else " ", text.strip())
    return marked.replace("\n", " ") if not _is_broken(marked) else _join(marked)


class _Bracket:
    """An open bracket, and what was seen in it."""

    def __init__(self, opening: str, before: str) -> None:
        """Open it behind some character."""
        self.opening = opening
        self._is_behind_word = before.isalnum() or before in _WORD_ENDS
        self.commas = 0
        self.has_angle = False  # whose commas are not its own

    def may_lose_comma(self, closing: str) -> bool:
        """Whether the last comma before the closing bracket says nothing."""
        if _CLOSING[self.opening] != closing:
            return False
        # `f(a,)` is a list of one, `(a,)` may be a tuple and `a[b,]` an index that is one.
        if self._is_behind_word == (self.opening == "("):
            return True
        return self.commas > 1 and not self.has_angle


class _Open:
    """The brackets that are open, outermost first."""

    def __init__(self) -> None:
        """Begin outside of all."""
        self._brackets: list[_Bracket] = []
        self._depth = 0  # may be more than are kept

    @property
    def innermost(self) -> _Bracket | None:
        """The last one; nothing where none is open, or too many are."""
        is_known = 0 < self._depth == len(self._brackets)
        return self._brackets[-1] if is_known else None

    def note(self, character: str, before: str) -> None:
        """Take the next character."""
        bracket = self.innermost
        if character in "([{":
            self._depth += 1
            if self._depth <= _MAX_DEPTH:
                self._brackets.append(_Bracket(character, before))
        elif character in ")]}":
            self._depth = max(0, self._depth - 1)
            del self._brackets[self._depth :]
        elif bracket is not None:
            bracket.commas += character == ","
            bracket.has_angle |= character == "<"


def _is_broken(marked: str) -> bool:
    return any(pair in marked for pair in ("(\n", "[\n", "\n)", "\n]"))


def _join(marked: str) -> str:
    """The text on one line; a line feed in it is where one was broken."""
    out: list[str] = []
    brackets = _Open()
    for character in marked:
        before = out[-1] if out else ""
        if character == "\n":
            if before not in ("(", "["):
                out.append("\n")
            continue
        if character in ")]" and before == "\n":
            out.pop()
            own = brackets.innermost
            if own is not None and own.may_lose_comma(character):
                _drop_comma(out)
        brackets.note(character, before)
        out.append(character)
    return "".join(out).replace("\n", " ")


def _drop_comma(out: list[str]) -> None:
    """Leave a comma out that ends a list, if something stands before it."""
    if len(out) > 1 and out[-1] == "," and out[-2] not in _NO_ELEMENT:
        out.pop()
