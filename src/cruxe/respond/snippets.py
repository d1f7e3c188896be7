"""Which lines of a hit are worth showing: those that say what was asked, or how it starts."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from cruxe.text.identifiers import terms_of_text
from cruxe.text.stems import start_of_stem

_MAX_LINE_CHARACTERS: Final = 200
_MAX_CONTEXT_LINES: Final = 3
PREVIEW_LINES: Final = 10
_PREVIEW_CHARACTERS: Final = 1_600
_ELLIPSIS: Final = " …"


def best_lines(lines: list[str], weights: dict[str, float], count: int) -> list[int]:
    """The places of the lines that hold most of the query, in file order."""
    places = _worth_it(lines, weights)
    scored = [(sum_of_terms((lines[place],), weights), -place) for place in places]
    best = sorted((pair for pair in scored if pair[0] > 0), reverse=True)[:count]
    return sorted(-place for _, place in best)


def _worth_it(lines: list[str], weights: dict[str, float]) -> list[int]:
    """The places of lines that may hold a term: to see that most do not takes no stemming."""
    starts = {start_of_stem(term) for term in weights}
    # A name's words stand together in one term too, without the underscores between them.
    letters = (line.lower().replace("_", "") for line in lines)
    return [place for place, text in enumerate(letters) if any(start in text for start in starts)]


def sum_of_lines(lines: list[str], weights: dict[str, float]) -> float:
    """What the terms of all lines together count for, each once."""
    places = _worth_it(lines, weights)
    return sum_of_terms([lines[place] for place in places], weights)


def sum_of_terms(lines: Iterable[str], weights: dict[str, float]) -> float:
    """What the terms of some lines count for, each once."""
    held = "".join(map(_spaced_terms, lines))
    # In the query's order: a sum of floats depends on it.
    return sum([weight for term, weight in weights.items() if f" {term} " in held])


def terms_held(lines: Iterable[str], weights: dict[str, float]) -> list[int]:
    """The terms of the query that each line holds: a bit for each, the first term's the lowest."""
    bits = [(f" {term} ", 1 << place) for place, term in enumerate(weights)]
    return [sum([bit for term, bit in bits if term in held]) for held in map(_spaced_terms, lines)]


def sum_of_held(parts: Iterable[int], weights: dict[str, float]) -> float:
    """What the terms that some parts hold count for, each once."""
    held = 0
    for part in parts:
        held |= part
    return sum([weight for place, weight in enumerate(weights.values()) if held >> place & 1])


def _spaced_terms(line: str) -> str:
    return _recent_terms(line) if len(line) <= _MAX_LINE_CHARACTERS else _terms_of_line(line)


def _terms_of_line(line: str) -> str:
    """The terms of a line, each between spaces."""
    return f" {terms_of_text(line)} "


# A line is looked at several times for one answer, and the next answer often shows it again. Some
# 4 MB with what they are made from.
_recent_terms: Final = lru_cache(maxsize=16_384)(_terms_of_line)


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
    """How a region starts."""
    shown = [cut(line) for line in lines[:PREVIEW_LINES]]
    text = "\n".join(shown)[:_PREVIEW_CHARACTERS]
    return text if len(lines) <= PREVIEW_LINES else f"{text}\n{_ELLIPSIS.strip()}"


def cut(line: str) -> str:
    """A line of bearable length."""
    return shorten(line, _MAX_LINE_CHARACTERS)


def shorten(text: str, characters: int) -> str:
    """The start of a text, marked where something was left off."""
    return text if len(text) <= characters else text[:characters] + _ELLIPSIS
