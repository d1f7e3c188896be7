"""Which lines of a hit are worth showing: those that say what was asked, or how it starts."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
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
    terms = [(f" {term} ", weight) for term, weight in weights.items()]
    scored = [
        (sum([weight for term, weight in terms if term in held]), -place)
        for place, held in zip(places, _spaced_terms([lines[each] for each in places]), strict=True)
    ]
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


def sum_of_terms(lines: Sequence[str], weights: dict[str, float]) -> float:
    """What the terms of some lines count for, each once."""
    held = "".join(_spaced_terms(lines))
    # In the query's order: a sum of floats depends on it.
    return sum([weight for term, weight in weights.items() if f" {term} " in held])


class LineTerms:
    """The terms of some lines, for several questions about parts of them."""

    def __init__(self, lines: Sequence[str]) -> None:
        """Read the lines."""
        parts = _spaced_terms(lines)
        self._ends = [0, *accumulate(map(len, parts))]
        self._terms = "".join(parts)

    def sum(self, first: int, end: int, weights: dict[str, float], beside: Sequence[str]) -> float:
        """What the terms of the lines in a range, and of texts beside them, count for."""
        start, stop, others = self._ends[first], self._ends[end], "".join(_spaced_terms(beside))
        return sum(
            [
                weight
                for term, weight in weights.items()
                if self._terms.find(f" {term} ", start, stop) >= 0 or f" {term} " in others
            ]
        )


def _spaced_terms(lines: Sequence[str]) -> list[str]:
    """The terms of each line between spaces."""
    is_short = max(map(len, lines), default=0) <= _MAX_LINE_CHARACTERS
    return list(map(_recent_terms if is_short else _terms_of_line, lines))


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
