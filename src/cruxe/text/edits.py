"""Edit distance between two words: letters deleted, inserted, substituted or transposed."""

from typing import Final

# In a shorter name a typing error leaves too little to identify it.
_LETTERS_FOR_ONE: Final = 4
_LETTERS_FOR_TWO: Final = 8


def allowed_edits(word: str) -> int:
    """Return how many typing errors a word of its length may have."""
    return (len(word) >= _LETTERS_FOR_ONE) + (len(word) >= _LETTERS_FOR_TWO)


def edit_distance(first: str, second: str, most: int) -> int | None:
    """Return the number of edits between two words, or None if it exceeds `most`.

    A transposition of neighbours is one edit (optimal string alignment).
    """
    if abs(len(first) - len(second)) > most:
        return None
    first, second = _unlike(first, second)
    before: list[int] = []
    row = list(range(len(second) + 1))
    for place, letter in enumerate(first):
        earlier, before, row = before, row, [place + 1]
        for other, wanted in enumerate(second):
            cost = min(before[other] + (letter != wanted), before[other + 1] + 1, row[other] + 1)
            if place and other and letter == second[other - 1] and first[place - 1] == wanted:
                cost = min(cost, earlier[other - 1] + 1)
            row.append(cost)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _unlike(first: str, second: str) -> tuple[str, str]:
    """Return two words without their common start and end, which need no edits."""
    start = _alike(first, second)
    first, second = first[start:], second[start:]
    end = _alike(first[::-1], second[::-1])
    return first[: len(first) - end], second[: len(second) - end]


def _alike(first: str, second: str) -> int:
    """Return how many letters two words have in common at their start."""
    pairs = zip(first, second, strict=False)
    unlike = (place for place, (one, other) in enumerate(pairs) if one != other)
    return next(unlike, min(len(first), len(second)))
