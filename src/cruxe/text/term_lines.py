"""Which lines of a text hold which query terms; terms are stems, so text is stemmed to compare."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cruxe.model.clock_cache import ClockCache
from cruxe.text.identifiers import terms_of_text
from cruxe.text.stems import start_of_stem

# Terms whose lines are cached for one text.
_MAX_CACHED_TERMS: Final = 100
# Longer lines are data; their terms are not cached.
_MAX_CACHED_LINE_CHARACTERS: Final = 200


class TermLines:
    """The lines of a text by the terms that they hold, computed per term on demand."""

    def __init__(self, text: str) -> None:
        """Split a text; no term is looked for yet."""
        self._lines = text.split("\n")
        self._letters = _letters_of(text)
        self._held: dict[str, list[int]] = {}

    def holding(self, term: str) -> list[int]:
        """The indexes of the lines that hold a term, rising."""
        held = self._held.get(term)
        if held is None:
            held = self._look_for(term)
            if len(self._held) >= _MAX_CACHED_TERMS:
                self._held = {}
            self._held[term] = held
        return held

    def _look_for(self, term: str) -> list[int]:
        start = start_of_stem(term)
        if start not in self._letters:  # as for most terms
            return []
        spaced, lines = f" {term} ", self._lines
        indexes = _lines_with(self._letters, start)
        return [index for index in indexes if spaced in _spaced_terms(lines[index])]


def term_lines(text: str) -> TermLines:
    """The `TermLines` of a text, cached between questions."""
    found = _cached_lines.get(text)
    if found is None:
        found = TermLines(text)
        _cached_lines.put(text, found, _COPIES_OF_TEXT * len(text))
    return found


# Questions that share words find the same regions.
_cached_lines: Final[ClockCache[str, TermLines]] = ClockCache(3_000_000)
# The text, its letters, and its lines, which take as much as two.
_COPIES_OF_TEXT: Final = 4


def sum_of_lines(lines: list[str], weights: dict[str, float]) -> float:
    """The sum of the weights of all terms that some line holds."""
    letters = _letters_of("\n".join(lines))

    def is_held(term: str) -> bool:
        indexes = _lines_with(letters, start_of_stem(term))
        return any(f" {term} " in _spaced_terms(lines[index]) for index in indexes)

    # In the query's order: a sum of floats depends on it.
    return sum([weight for term, weight in weights.items() if is_held(term)])


def holds_term(name: str, term: str) -> bool:
    """Whether a short text holds a term."""
    return f" {term} " in _spaced_terms(name)


def _letters_of(text: str) -> str:
    """A text in which every word starts as its stem does.

    The words of a name are also one term together, without the underscores between them.
    """
    return text.lower().replace("_", "")


def _lines_with(text: str, part: str) -> Iterator[int]:
    """The indexes of the lines that hold a part, rising."""
    line = end = 0
    found = text.find(part)
    while found >= 0:
        line += text.count("\n", end, found)
        yield line
        end = text.find("\n", found)
        found = text.find(part, end) if end >= 0 else -1


def _spaced_terms(line: str) -> str:
    """The terms of a line, each between spaces."""
    is_short = len(line) <= _MAX_CACHED_LINE_CHARACTERS
    return _recent_terms(line) if is_short else _terms_of_line(line)


def _terms_of_line(line: str) -> str:
    return f" {terms_of_text(line)} "


# A line is read several times for one answer, and the next answer often shows it again. Some
# 2 MB with the lines themselves.
_recent_terms: Final = lru_cache(maxsize=6_000)(_terms_of_line)
