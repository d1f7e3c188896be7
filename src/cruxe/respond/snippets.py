"""Choose the lines of a hit to show: those that match the query best, or its beginning."""

from typing import Final

from cruxe.text.lines import weights_by_line

_MAX_LINE_CHARACTERS: Final = 200
_MAX_CONTEXT_LINES: Final = 3
# With these limits nine of ten results are shown whole, at less than 500 tokens a result on average
# (FR-104, by the suite `tokens`): `docs/decisions/0024-what-a-result-says.md`.
PREVIEW_LINES: Final = 40
PREVIEW_CHARACTERS: Final = 1_500
_ELLIPSIS: Final = " …"


def best_lines(lines: list[str], weights: dict[str, float], count: int) -> list[int]:
    """Return the indices of the lines with most of the query's weight, in file order."""
    held = weights_by_line("\n".join(lines), weights)
    scored = [(sum(each), -index) for index, each in held.items()]
    best = sorted((pair for pair in scored if pair[0] > 0), reverse=True)[:count]
    return sorted(-index for _, index in best)


def one_line(lines: list[str], weights: dict[str, float]) -> str:
    """Return the line that matches best, else the first that is not blank."""
    best = best_lines(lines, weights, 1)
    if best:
        return cut(lines[best[0]].strip())
    return next((cut(line.strip()) for line in lines if line.strip()), "")


def matching_lines(lines: list[str], weights: dict[str, float]) -> str:
    """Return the few lines that match best, in file order."""
    best = best_lines(lines, weights, _MAX_CONTEXT_LINES)
    return "\n".join(cut(lines[index]) for index in best)


def preview(lines: list[str]) -> str:
    """Return the first whole lines of a region, with an ellipsis if more follow."""
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
    """Shorten a line to the maximum length."""
    return shorten(line, _MAX_LINE_CHARACTERS)


def shorten(text: str, characters: int) -> str:
    """Return the start of a text, with an ellipsis if it was cut."""
    return text if len(text) <= characters else text[:characters] + _ELLIPSIS
