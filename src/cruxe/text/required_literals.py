"""Literals that every match of a regular expression contains, to prefilter files.

Parses RE2 syntax as far as it is certain. An unknown construct requires nothing, so that a file
that may match is never excluded.
"""

import re
from typing import Final

Alternatives = list[list[str]]  # of at least one of these, all texts must occur

NOTHING: Final[Alternatives] = [[]]
_MAX_ALTERNATIVES: Final = 32
_MAX_DEPTH: Final = 50
_GROUP: Final = re.compile(r"\((?:\?(?:P?<\w+>|[imsU-]*:))?")
_FLAGS: Final = re.compile(r"\(\?[imsU-]+\)")
_CLASS: Final = re.compile(r"\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]", re.DOTALL)
_REPETITION: Final = re.compile(r"(?:[*+?]|\{(\d+)(?:,\d*)?\})\??")
# Escapes that match no fixed character and are one letter long.
_ONE_LETTER_ESCAPES: Final = frozenset("dDwWsSbBAzntrfvaC")


def required_literals(expression: str) -> Alternatives:
    """Return the literals that matches of a valid expression contain, ignoring case."""
    reader = _Reader(expression)
    try:
        alternatives = reader.alternatives(0)
    except _UncertainError:
        return NOTHING
    return alternatives if reader.is_at_end else NOTHING


class _UncertainError(Exception):
    """A construct that is not understood."""


class _Sequence:
    """The literals required so far by consecutive atoms."""

    def __init__(self) -> None:
        self.alternatives: Alternatives = [[]]
        self._run = ""

    def add_character(self, character: str) -> None:
        self._run += character

    def end_run(self) -> None:
        if self._run:
            self.alternatives = [[*each, self._run] for each in self.alternatives]
            self._run = ""

    def add_group(self, inner: Alternatives) -> None:
        self.end_run()
        if len(self.alternatives) * len(inner) <= _MAX_ALTERNATIVES:
            self.alternatives = [[*one, *two] for one in self.alternatives for two in inner]


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    @property
    def is_at_end(self) -> bool:
        return self._place >= len(self._text)

    def alternatives(self, depth: int) -> Alternatives:
        if depth > _MAX_DEPTH:
            raise _UncertainError
        found = self._sequence(depth)
        while self._next() == "|":
            self._place += 1
            more = self._sequence(depth)
            if len(found) <= _MAX_ALTERNATIVES:
                found = found + more
        return found if len(found) <= _MAX_ALTERNATIVES else NOTHING

    def _sequence(self, depth: int) -> Alternatives:
        sequence = _Sequence()
        while self._next() not in ("", "|", ")"):
            self._atom(sequence, depth)
        sequence.end_run()
        return sequence.alternatives

    def _atom(self, sequence: _Sequence, depth: int) -> None:
        character = self._next()
        if character == "(":
            self._group(sequence, depth)
        elif character == "[":
            self._skip(_CLASS)
            self._least_repetition()
            sequence.end_run()
        else:
            self._place += 1
            self._character(sequence, character)

    def _group(self, sequence: _Sequence, depth: int) -> None:
        if _FLAGS.match(self._text, self._place):
            self._skip(_FLAGS)
            # A repetition after flags applies to what precedes them.
            if _REPETITION.match(self._text, self._place):
                raise _UncertainError
            return
        self._skip(_GROUP)
        # Any other character after the question mark begins an unknown kind of group.
        if self._next() == "?":
            raise _UncertainError
        inner = self.alternatives(depth + 1)
        if self._next() != ")":
            raise _UncertainError
        self._place += 1
        is_certain = self._least_repetition() > 0
        sequence.add_group(inner if is_certain else NOTHING)

    def _character(self, sequence: _Sequence, character: str) -> None:
        literal = character not in ".^$"
        if character == "\\":
            character = self._next()
            self._place += 1
            literal = not character.isalnum()
            if not character or (not literal and character not in _ONE_LETTER_ESCAPES):
                raise _UncertainError
        before = self._place
        times = self._least_repetition()
        if literal and times:
            sequence.add_character(character)
        if not literal or self._place > before:
            sequence.end_run()

    def _least_repetition(self) -> int:
        """Return the least number of occurrences of the preceding atom, at most 1."""
        least = 1
        while found := _REPETITION.match(self._text, self._place):
            self._place = found.end()
            count = found[1]
            least *= int(count) if count else int(found[0].startswith("+"))
        return min(least, 1)

    def _skip(self, expression: re.Pattern[str]) -> None:
        found = expression.match(self._text, self._place)
        if found is None:
            raise _UncertainError
        self._place = found.end()

    def _next(self) -> str:
        return self._text[self._place : self._place + 1]
