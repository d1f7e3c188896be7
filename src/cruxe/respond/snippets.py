"""Which lines of a hit are worth showing: those that say what was asked, or how it starts."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cruxe.model.clock_cache import Kept
from cruxe.text.identifiers import terms_of_text
from cruxe.text.stems import start_of_stem

_MAX_LINE_CHARACTERS: Final = 200
_MAX_CONTEXT_LINES: Final = 3
# Together they show nine results of ten whole, at less than 500 tokens a result on average
# (FR-104, by the suite `tokens`): `docs/decisions/0024-what-a-result-says.md`.
PREVIEW_LINES: Final = 40
PREVIEW_CHARACTERS: Final = 1_500
_ELLIPSIS: Final = " …"
# That are remembered of one text.
_MOST_TERMS: Final = 100


def best_lines(lines: list[str], weights: dict[str, float], count: int) -> list[int]:
    """The places of the lines that hold most of the query, in file order."""
    own = term_lines("\n".join(lines))
    held: dict[int, list[float]] = {}
    for term, weight in weights.items():
        for place in own.holding(term):
            held.setdefault(place, []).append(weight)
    scored = [(sum(each), -place) for place, each in held.items()]
    best = sorted((pair for pair in scored if pair[0] > 0), reverse=True)[:count]
    return sorted(-place for _, place in best)


def _letters_of(text: str) -> str:
    """A text as words start in it.

    A name's words stand together in one term too, without the underscores between them.
    """
    return text.lower().replace("_", "")


def _lines_with(text: str, part: str) -> Iterator[int]:
    """The places of the lines that hold something, in order."""
    line = end = 0
    found = text.find(part)
    while found >= 0:
        line += text.count("\n", end, found)
        yield line
        end = text.find("\n", found)
        found = text.find(part, end) if end >= 0 else -1


def sum_of_lines(lines: list[str], weights: dict[str, float]) -> float:
    """What the terms of all lines together count for, each once."""
    letters = _letters_of("\n".join(lines))

    def is_held(term: str) -> bool:
        places = _lines_with(letters, start_of_stem(term))
        return any(f" {term} " in _spaced_terms(lines[place]) for place in places)

    # In the query's order: a sum of floats depends on it.
    return sum([weight for term, weight in weights.items() if is_held(term)])


class TermLines:
    """Which lines of a text hold which terms, as far as someone asked."""

    def __init__(self, text: str) -> None:
        """Look for nothing yet."""
        self._lines = text.split("\n")
        self._letters = _letters_of(text)
        self._held: dict[str, list[int]] = {}

    def holding(self, term: str) -> list[int]:
        """The places of the lines that hold a term, in order."""
        held = self._held.get(term)
        if held is None:
            held = self._look_for(term)
            if len(self._held) >= _MOST_TERMS:
                self._held = {}
            self._held[term] = held
        return held

    def _look_for(self, term: str) -> list[int]:
        start = start_of_stem(term)
        if start not in self._letters:  # as most
            return []
        spaced, lines = f" {term} ", self._lines
        places = _lines_with(self._letters, start)
        return [place for place in places if spaced in _spaced_terms(lines[place])]


def term_lines(text: str) -> TermLines:
    """The same as for the last question that was shown the text."""
    found = _kept_lines.get(text)
    if found is None:
        found = TermLines(text)
        _kept_lines.keep(text, found, _TEXTS_OF_ONE * len(text))
    return found


# The same regions are found again and again, by questions that share words.
_kept_lines: Final[Kept[str, TermLines]] = Kept(3_000_000)
# Itself, its letters, and its lines, which take as much as two.
_TEXTS_OF_ONE: Final = 4


def holds_term(name: str, term: str) -> bool:
    """Whether a short text holds a term."""
    return f" {term} " in _spaced_terms(name)


def _spaced_terms(line: str) -> str:
    """The terms of a line between spaces."""
    is_short = len(line) <= _MAX_LINE_CHARACTERS
    return _recent_terms(line) if is_short else _terms_of_line(line)


def _terms_of_line(line: str) -> str:
    return f" {terms_of_text(line)} "


# A line is looked at several times for one answer, and the next answer often shows it again. Some
# 2 MB with the lines themselves.
_recent_terms: Final = lru_cache(maxsize=6_000)(_terms_of_line)


def one_line(lines: list[str], weights: dict[str, float]) -> str:
    """The line that says most, else the first that says anything."""
    places = best_lines(lines, weights, 1)
    if places:
        return cut(lines[places[0]].strip())
    return next((cut(line.strip()) for line in lines if line.strip()), "")


def matching_lines(lines: list[str], weights: dict[str, float]) -> str:
    """The few lines that say most, as they stand in the file."""
    places = best_lines(lines, weights, _MAX_CONTEXT_LINES)
    return "\n".join(cut(lines[place]) for place in places)


def preview(lines: list[str]) -> str:
    """How a region starts: as many whole lines as are shown of one, marked where more follow."""
    shown: list[str] = []
    room = PREVIEW_CHARACTERS
    for line in map(cut, lines[:PREVIEW_LINES]):
        room -= len(line) + 1
        if room < 0 and shown:
            break
        shown.append(line)
    if len(shown) < len(lines):
        shown.append(_ELLIPSIS.strip())
    return "\n".join(shown)


def cut(line: str) -> str:
    """A line of bearable length."""
    return shorten(line, _MAX_LINE_CHARACTERS)


def shorten(text: str, characters: int) -> str:
    """The start of a text, marked where something was left off."""
    return text if len(text) <= characters else text[:characters] + _ELLIPSIS
