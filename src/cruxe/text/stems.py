"""Word stems: `writes`, `writer` and `writing` meet in one term.

The Snowball stemmer for English, and a little more taken off: it keeps `writer` apart from
`write`, and `formatter` from `format`, which in code are one thing and what it does.
"""

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

# Shorter words are left alone: what would remain says too little.
_LETTERS_BEFORE_ER: Final = 3
_LETTERS_BEFORE_E: Final = 3
# So many letters at the start of a word are in its stem too.
_CERTAIN_LETTERS: Final = 3
# Their doubling is spelling, as in `formatter` and `runner`; `class` and `call` keep theirs.
_DOUBLED: Final = frozenset(b"bdgmnprt")
_TAKEN_OFF: Final = _DOUBLED | frozenset(b"e")


def stem_of(word: str) -> str:
    """The stem of a word in lower case; one with letters that English lacks is left alone."""
    return ascii_stem(word.encode()).decode() if word.isascii() else word


def ascii_stem(word: bytes) -> bytes:
    """The stem of an English word in lower case."""
    stem = _snowball()(word)
    if len(stem) <= _LETTERS_BEFORE_E or stem[-1] not in _TAKEN_OFF:
        return stem  # as most are
    if stem.endswith(b"er") and len(stem) > _LETTERS_BEFORE_ER + 1:
        stem = stem[:-2]
    if stem.endswith(b"e") and len(stem) > _LETTERS_BEFORE_E:
        stem = stem[:-1]
    if len(stem) > _LETTERS_BEFORE_E and stem[-1] == stem[-2] and stem[-1] in _DOUBLED:
        stem = stem[:-1]
    return stem


def start_of_stem(stem: str) -> str:
    """What every word of a stem starts with: all but what endings take off or write otherwise.

    The last letters of a short stem may have been others: `using` is `use`, `fly` is `fli`,
    `skies` is `sky` and `dying` is `die`.
    """
    if len(stem) > _CERTAIN_LETTERS or not stem.endswith(("e", "i", "y")):
        return stem[:_CERTAIN_LETTERS]
    return stem[:1] if stem.endswith("ie") else stem[: _CERTAIN_LETTERS - 1]


@cache
def _snowball() -> "Callable[[bytes], bytes]":
    from Stemmer import Stemmer

    stemmer = Stemmer("english")
    stemmer.maxCacheSize = 0  # callers remember what they have seen
    stem_word: Callable[[bytes], bytes] = stemmer.stemWord
    return stem_word
