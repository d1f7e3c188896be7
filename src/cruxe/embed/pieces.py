"""Words as pieces of a model's vocabulary: whole where it knows them, else the longest it knows."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable
from typing import Final

from cruxe.embed.vocabulary import Vocabulary
from cruxe.text.word_memo import word_memo

_RUN: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9]+")
_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# As the model was trained: longer runs of digits and letters are data.
_MAX_DIGITS: Final = 4
_MAX_LETTERS: Final = 24
_MANY_DIGITS: Final = re.compile(r"[0-9]{5}")
# How a place is packed: as C's int, of 32 bits wherever Python runs.
PLACE_CODE: Final = "i"
# Distinct parts in a large repository; beyond it the memo starts afresh.
_MOST_PARTS: Final = 100_000


class PieceCounter:
    """Tells the pieces of words; remembers those of words seen before."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Take a model's vocabulary."""
        self._parts = _PartMemo(vocabulary)
        self._memo = word_memo(self._pieces_of_run, b"")

    def pack(self, spaced: bytes, start: int, end: int, most_words: int) -> bytes:
        """The pieces of a text's first words by their places in the vocabulary: see `unpack`.

        The text is one that `text.identifiers.space_out` made ready.
        """
        return self._memo.join(spaced, start, end, most_words)

    def count(self, words: Iterable[str]) -> dict[int, int]:
        """How often each piece occurs in some words, by its place in the vocabulary."""
        return Counter(unpack(b"".join(map(self._pieces_of_word, words))))

    def _pieces_of_run(self, run: bytes) -> bytes:
        """Of what stands between spaces; other white space than ASCII's may be in it."""
        words = run.decode("utf-8", "replace").split()
        return b"".join(map(self._pieces_of_word, words))

    def _pieces_of_word(self, word: str) -> bytes:
        if len(self._parts) > _MOST_PARTS:
            self._parts.clear()
        return b"".join(map(self._parts.__getitem__, parts_of_word(word)))


def unpack(pieces: bytes) -> "array[int]":
    """The places of packed pieces, one for each time that one occurs."""
    return array(PLACE_CODE, pieces)


class _PartMemo(dict[str, bytes]):
    """The packed pieces of parts: words are new, but nearly always made of parts seen before."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, part: str) -> bytes:
        whole = self._vocabulary.get(part)
        places = self._longest_matches(part) if whole is None else (whole,)
        found = self[part] = array(PLACE_CODE, places).tobytes()
        return found

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
    if word.isascii() and word.islower():  # most are; a third of the expressions' time
        if word.isalpha():
            return [word[:_MAX_LETTERS]]
        spaced = word.replace("_", " ")
        if spaced.replace(" ", "").isalpha():
            return [part[:_MAX_LETTERS] for part in spaced.split()]
    if not _MANY_DIGITS.search(word):
        return [part.lower()[:_MAX_LETTERS] for part in _PART.findall(word)]
    parts: list[str] = []
    for run in _RUN.findall(word):
        if run[0].isdigit():
            parts.append(run[:_MAX_DIGITS])
        else:
            parts += [part.lower()[:_MAX_LETTERS] for part in _PART.findall(run)]
    return parts
