"""Words as pieces of a model's vocabulary: whole where it knows them, else the longest it knows."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Final

from cruxe.embed.vocabulary import Vocabulary

_RUN: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9]+")
_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# As the model was trained: longer runs of digits and letters are data.
_MAX_DIGITS: Final = 4
_MAX_LETTERS: Final = 24
# Distinct words of a large repository; beyond it the memo starts afresh.
_MEMO_LIMIT: Final = 250_000


class PieceCounter:
    """Counts the pieces of words; remembers those of words seen before."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Take a model's vocabulary."""
        self._memo = _Memo(vocabulary)

    def count(self, words: Sequence[str]) -> dict[int, int]:
        """How often each piece occurs in some words, by its place in the vocabulary."""
        memo = self._memo
        if len(memo) > _MEMO_LIMIT:
            memo.clear()
        return Counter(chain.from_iterable(map(memo.__getitem__, words)))


class _Memo(dict[str, tuple[int, ...]]):
    """The pieces of words seen before."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, word: str) -> tuple[int, ...]:
        found = self[word] = self._pieces(word)
        return found

    def _pieces(self, word: str) -> tuple[int, ...]:
        found: list[int] = []
        for part in parts_of_word(word):
            whole = self._vocabulary.get(part)
            found += self._longest_matches(part) if whole is None else (whole,)
        return tuple(found)

    def _longest_matches(self, part: str) -> list[int]:
        found: list[int] = []
        place_of, longest = self._vocabulary.get, self._vocabulary.longest
        start = 0
        while start < len(part):
            end = min(len(part), start + longest)
            place = None
            while end > start and (place := place_of(part[start:end])) is None:
                end -= 1
            if place is not None:
                found.append(place)
            start = max(end, start + 1)
        return found


def parts_of_word(word: str) -> list[str]:
    """The parts of a word in lower case, letters and digits apart."""
    if word.isascii() and word.islower():
        spaced = word.replace("_", " ")
        if spaced.replace(" ", "").isalpha():  # a third of the time that the expressions take
            return [part[:_MAX_LETTERS] for part in spaced.split()]
    parts: list[str] = []
    for run in _RUN.findall(word):
        if run[0].isdigit():
            parts.append(run[:_MAX_DIGITS])
        else:
            parts += [part.lower()[:_MAX_LETTERS] for part in _PART.findall(run)]
    return parts
