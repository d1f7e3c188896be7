"""Pairs to a vocabulary: whole words as identifiers hold them, and short pieces for all others."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, product
from string import ascii_lowercase, digits
from typing import Final

from cruxe.embed.table import parts_of_word
from cruxe.text.identifiers import words_of
from training.mine import Pair

SIZE: Final = 32_000
_WHOLE_WORDS: Final = 28_000
_FEWEST_USES: Final = 3
# What is asked is shorter than what answers it, and its words matter as much.
_QUESTION_WEIGHT: Final = 3
_PIECE_LETTERS: Final = range(2, 7)
_LONGEST_WORD: Final = 24


def build_vocabulary(pairs: Iterable[Pair]) -> list[str]:
    """The pieces: letters and numbers, the words used most, then what rarer words are made of."""
    uses = _count_parts(pairs)
    ranked = [word for word, count in uses.most_common() if count >= _FEWEST_USES]
    whole, rare = ranked[:_WHOLE_WORDS], ranked[_WHOLE_WORDS:]
    numbers = ["".join(pair) for pair in product(digits, digits)]
    pieces = _most_held(rare)
    return list(dict.fromkeys([*ascii_lowercase, *digits, *numbers, *whole, *pieces]))[:SIZE]


def _count_parts(pairs: Iterable[Pair]) -> Counter[str]:
    words: Counter[str] = Counter()
    for pair in pairs:
        words.update(words_of(pair.code.encode()))
        asked = words_of(f"{pair.question} {pair.name} {pair.path}".encode())
        words.update(asked * _QUESTION_WEIGHT)
    parts: Counter[str] = Counter()
    for word, count in words.items():
        for part in parts_of_word(word):
            if part.isalpha() and len(part) < _LONGEST_WORD:
                parts[part] += count
    return parts


def _most_held(words: Iterable[str]) -> list[str]:
    """The runs of letters that most words hold, long ones counted more; alike ones by letter."""
    counts = Counter(chain.from_iterable(map(_runs, words)))
    ranked = sorted(counts, key=lambda piece: (-counts[piece] * len(piece), piece))
    return ranked[:SIZE]


def _runs(word: str) -> set[str]:
    return {
        word[start : start + length]
        for length in _PIECE_LETTERS
        for start in range(len(word) - length + 1)
    }
