"""Lines and whitespace: offsets of lines, terms by line, texts and heads folded to one line."""

import re
import sys
from array import array
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, count
from typing import Final, NamedTuple

from cruxe.model.clock_cache import ClockCache
from cruxe.native import kernels
from cruxe.text.identifiers import start_of_stem, terms_of_text


def fold_white_space(text: str) -> str:
    """Join a text into one line, with each run of whitespace as one space."""
    return " ".join(text.split())


def line_starts(data: bytes) -> list[int]:
    """Return the offsets at which lines start; an empty text has one line.

    Only a line feed ends a line; decoding has normalised the others.
    """
    starts = list(accumulate(map(len, data.splitlines(keepends=True)), initial=0))
    # A final newline ends the last line and does not start another.
    return starts[:-1] if len(starts) > 1 else starts


class PlacedLines(NamedTuple):
    """The lines around some places of a text, which may be a hundred thousand."""

    numbers: list[int]  # 1-based
    columns: list[int]  # of the places, 1-based, in characters
    joined: bytes  # the lines, each with a line feed at its end

    @property
    def texts(self) -> list[str]:
        """The lines without their line feeds."""
        return self.joined.decode().split("\n")[:-1]


def lines_at(text: bytes, places: list[int]) -> PlacedLines:
    """Return the lines of a UTF-8 text around some offsets of characters, which ascend."""
    in_c = kernels()
    if in_c is None:
        return _lines_at(text, places)
    return PlacedLines._make(in_c.lines_at(text, places))


def _lines_at(text: bytes, places: list[int]) -> PlacedLines:
    numbers, columns, lines = list[int](), list[int](), list[bytes]()
    number, counted = 1, 0
    for place in places:
        number += text.count(b"\n", counted, place)
        counted = place
        start = text.rfind(b"\n", 0, place) + 1
        end = text.find(b"\n", place)
        numbers.append(number)
        columns.append(len(text[start:place].decode()) + 1)
        lines.append(text[start:] if end < 0 else text[start:end])
    return PlacedLines(numbers, columns, b"\n".join([*lines, b""]))


_START_BYTES: Final = 4
_cache_keys: Final = count()


class LinedText:
    """A text split into lines."""

    def __init__(self, text: str) -> None:
        """Split a text; a final line feed does not start a line."""
        self.cache_key = next(_cache_keys)  # unique per object, for callers' caches of lines
        self._lines = text.split("\n")
        self._folded: tuple[str, array[int]] | None = None  # the text and the offsets of its lines
        self.line_count = len(self._lines) - (len(self._lines) > 1 and not self._lines[-1])
        self.size_bytes = sys.getsizeof(text) + _START_BYTES * len(self._lines)  # when folded

    def fold(self) -> None:
        """Join the lines into one string, which needs a third of the memory."""
        if self._folded is None:
            lengths = map(len, self._lines)
            starts = array("I", accumulate(map((1).__add__, lengths), initial=0))
            self._folded = "\n".join(self._lines), starts
            self._lines = []

    def between(self, first: int, last: int) -> list[str]:
        """Return the lines from `first` to `last`, 1-based and inclusive, as far as they exist."""
        lines, folded = self._lines, self._folded  # read in this order: another thread may fold it
        if folded is None:
            return lines[first - 1 : last]
        text, starts = folded
        last = min(last, len(starts) - 1)
        return text[starts[first - 1] : starts[last] - 1].split("\n") if first <= last else []

    @property
    def whole(self) -> str:
        """The whole text."""
        lines, folded = self._lines, self._folded  # in this order, as in `between`
        return "\n".join(lines) if folded is None else folded[0]


# Terms whose lines are cached for one text.
_MAX_CACHED_TERMS: Final = 100
# Longer lines are data; their terms are not cached.
_MAX_CACHED_LINE_CHARACTERS: Final = 200


class TermLines:
    """An index of a text's lines by term, computed per term on demand."""

    def __init__(self, text: str) -> None:
        """Split a text; no term is searched yet."""
        self._lines = text.split("\n")
        self._letters = _letters_of(text)
        self._held: dict[str, list[int]] = {}

    def holding(self, term: str) -> list[int]:
        """Return the indices of the lines that contain a term, ascending."""
        held = self._held.get(term)
        if held is None:
            held = self._look_for(term)
            if len(self._held) >= _MAX_CACHED_TERMS:
                self._held = {}
            self._held[term] = held
        return held

    def weights_by_line(self, weights: dict[str, float]) -> dict[int, list[float]]:
        """Return the weights of the terms on each line; lines without any are omitted."""
        held: dict[int, list[float]] = {}
        for term, weight in weights.items():
            for index in self.holding(term):
                held.setdefault(index, []).append(weight)
        return held

    def _look_for(self, term: str) -> list[int]:
        start = start_of_stem(term)
        if start not in self._letters:  # the common case
            return []
        spaced, lines = f" {term} ", self._lines
        indexes = _lines_with(self._letters, start)
        return [index for index in indexes if spaced in _spaced_terms(lines[index])]


def weights_by_line(text: str, weights: dict[str, float]) -> dict[int, list[float]]:
    """Return the weights of the terms on each line; the text's index is cached between queries."""
    found = _cached_lines.get(text)
    if found is None:
        found = TermLines(text)
        _cached_lines.put(text, found, _COPIES_OF_TEXT * len(text))
    return found.weights_by_line(weights)


# Queries with common words find the same regions.
_cached_lines: Final[ClockCache[str, TermLines]] = ClockCache(3_000_000)
# The text, its normalised form, and its lines, which take as much as two.
_COPIES_OF_TEXT: Final = 4


def sum_of_lines(lines: list[str], weights: dict[str, float]) -> float:
    """Return the sum of the weights of all terms that occur on some line."""
    letters = _letters_of("\n".join(lines))

    def is_held(term: str) -> bool:
        indexes = _lines_with(letters, start_of_stem(term))
        return any(f" {term} " in _spaced_terms(lines[index]) for index in indexes)

    # In the order of the query, because a float sum depends on the order.
    return sum([weight for term, weight in weights.items() if is_held(term)])


def weight_held(name: str, weights: dict[str, float]) -> float:
    """Return the sum of the weights of all terms that occur in a short text."""
    terms = _spaced_terms(name)
    return sum([weight for term, weight in weights.items() if f" {term} " in terms])


def _letters_of(text: str) -> str:
    """Return the text in a form where every word starts with the start of its stem.

    Underscores are removed, because the words of a name together are also one term.
    """
    return text.lower().replace("_", "")


def _lines_with(text: str, part: str) -> Iterator[int]:
    """Return the indices of the lines that contain a substring, ascending."""
    line = end = 0
    found = text.find(part)
    while found >= 0:
        line += text.count("\n", end, found)
        yield line
        end = text.find("\n", found)
        found = text.find(part, end) if end >= 0 else -1


def _spaced_terms(line: str) -> str:
    """Return the terms of a line, each between spaces."""
    is_short = len(line) <= _MAX_CACHED_LINE_CHARACTERS
    return _recent_terms(line) if is_short else _terms_of_line(line)


def _terms_of_line(line: str) -> str:
    return f" {terms_of_text(line)} "


# A line is read several times for one answer, and often again for the next. About 2 MB including
# the lines themselves.
_recent_terms: Final = lru_cache(maxsize=6_000)(_terms_of_line)


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
