"""The keys of a JSON text down to the third level.

Does not validate the text: see `soundness`. Anything that is no pair is skipped.
"""

import re
from typing import Final

from cruxe.parse.languages.json.keys import Key

_LEVELS: Final = 3  # deeper keys are data
STRING: Final = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_PLAIN_VALUE: Final = rf'(?:{STRING}|[^\s"\[\]{{}},:]++)'
_PAIR: Final = re.compile(rf"\s*+({STRING})\s*+:\s*+(?:{_PLAIN_VALUE}()|(?=[\[{{]))")
_PLAIN_PAIRS: Final = re.compile(rf"(?:\s*+{STRING}\s*+:\s*+{_PLAIN_VALUE}\s*+,|(?!))*+")
_BETWEEN: Final = re.compile(r"[\s,]*+(?>(\})|)")
_ODD: Final = re.compile(rf'(?:{STRING}|[^\n,\[\]{{}}"]|(?!))*+(?>[\n,]|"[^\n]*+|)')
# Everything up to the next bracket, skipping strings; an unclosed string ends with its line.
_BRACKET: Final = re.compile(rf'(?:[^"\[\]{{}}]++|{STRING}|"[^\n]*+|(?!))*+([\[{{\]}}])')


class KeyReader:
    """Reads the keys of one text without comments."""

    def __init__(self, text: str, line_starts: list[int]) -> None:
        """Take the text, and the offsets of its lines."""
        self._text = text
        self._line_starts = line_starts

    def documents(self) -> list[Key]:
        """Return the top-level objects, each with its keys."""
        found: list[Key] = []
        position = 0
        while bracket := _BRACKET.match(self._text, position):
            start, position = bracket.start(1), bracket.end()
            if bracket[1] == "{":
                entries: list[Key] = []
                position = self._read_object(position, entries, 1)
                document = Key(start, position, start, start)
                document.entries = entries
                found.append(document)
            elif bracket[1] == "[":
                position = self._end_of_value(start)
        return found

    def _read_object(self, position: int, entries: list[Key], level: int) -> int:
        """Collect the keys of an object, starting after its bracket; return where it ends."""
        text = self._text
        while position < len(text):
            if level == _LEVELS and (plain := _PLAIN_PAIRS.match(text, position)):
                position = plain.end()
            if pair := _PAIR.match(text, position):
                position = self._read_pair(pair, entries, level)
            between = _BETWEEN.match(text, position)
            assert between is not None
            if between.lastindex:
                return between.end()
            is_stuck = pair is None and between.end() == position
            position = self._after_odd(position) if is_stuck else between.end()
        return len(text)

    def _read_pair(self, pair: re.Match[str], entries: list[Key], level: int) -> int:
        """Add a key, on the last level only if it holds others; return where the pair ends."""
        start, name_end = pair.span(1)
        end = pair.end()
        inner: list[Key] = []
        holds_keys = pair.lastindex == 1 and self._text[end] == "{"
        if holds_keys and level < _LEVELS:
            end = self._read_object(end + 1, inner, level + 1)
        elif pair.lastindex == 1:
            end = self._end_of_value(end)
        if holds_keys or level < _LEVELS:
            key = Key(start, end, start, name_end)
            if holds_keys:
                key.holds_keys, key.entries = True, inner
                key.find_lines(self._line_starts)
            entries.append(key)
        return end

    def _end_of_value(self, position: int) -> int:
        """Return the end of the object or list that starts here, or the end of the text."""
        depth = 0
        for bracket in _BRACKET.finditer(self._text, position):
            depth += 1 if bracket[1] in "[{" else -1
            if not depth:
                return bracket.end()
        return len(self._text)

    def _after_odd(self, position: int) -> int:
        """Return the offset after something that is no pair; brackets are skipped as a whole."""
        odd = _ODD.match(self._text, position)
        assert odd is not None
        if odd.end() > position or position == len(self._text):
            return odd.end()
        return position + 1 if self._text[position] == "]" else self._end_of_value(position)
