"""Words and identifiers as search terms: kept whole and split into their parts, as stems.

Index and query use the same functions, so what one writes the other finds.
"""

import re
from functools import lru_cache
from typing import Final

from cruxe.text.stems import stem_of

_WORD: Final = re.compile(r"\w+")
# Four times as fast as a regular expression over the text: non-word ASCII becomes a space.
_SPACED: Final = bytes(
    value if chr(value).isalnum() or not chr(value).isascii() or chr(value) == "_" else ord(" ")
    for value in range(256)
)
# `getHTTPResponse2` -> get, HTTP, Response, 2. Letters without case count as lower case.
_PART: Final = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")
# Longer terms are data (hashes, encoded blobs) or whole sentences; nobody types them.
MAX_TERM_CHARACTERS: Final = 80
# The parts of a long name are words; those of a hash or a blob have one or two letters.
_LONG_NAME_PART_LETTERS: Final = 3
# Names are new, but nearly always made of parts that were seen before.
_stem_of_part: Final = lru_cache(maxsize=32_768)(stem_of)


def split_identifier(word: str) -> tuple[str, ...]:
    """The parts of an identifier, lower case, in order."""
    return tuple(part.lower() for part in _PART.findall(word))


def words_of(data: bytes) -> list[str]:
    """The words of a text in UTF-8, as written; only ASCII decides where a word ends."""
    return words_of_spaced(space_out(data))


def space_out(data: bytes) -> bytes:
    """A text in UTF-8 of the same length with spaces for all ASCII that is in no word."""
    return data.translate(_SPACED)


def words_of_spaced(spaced: bytes) -> list[str]:
    """The words of a text, or of a part of one, that `space_out` made ready."""
    return spaced.decode("utf-8", "replace").split()


def terms_of_word(word: str) -> str:
    """The stem of a word or, where it has several parts, of each and of the whole."""
    if word.isalpha() and ((tail := word[1:]).islower() or tail == tail.lower()):
        lowered = word.lower()
        return stem_of(lowered) if len(lowered) <= MAX_TERM_CHARACTERS else ""
    if not word.isascii() and (found := _WORD.findall(word)) != [word]:
        return " ".join(map(terms_of_word, found))
    lowered = word.lower()
    # The underscores of a snake-case name are spelling: `rate_limit` and `rateLimit` are one word.
    whole = lowered.replace("_", "")
    if whole.isalpha() and word.islower():  # a third of the time that the expression takes
        parts = lowered.replace("_", " ").split()
    else:
        parts = [part.lower() for part in _PART.findall(word)]
    if len(whole) > MAX_TERM_CHARACTERS:
        return _terms_of_long_word(parts)
    if len(parts) == 1:
        return stem_of(parts[0])
    return " ".join([stem_of(whole), *map(_stem_of_part, parts)]) if parts else ""


def part_terms_of_word(word: str) -> list[str]:
    """The stems of a word's parts, without that of the whole where it has several."""
    terms = terms_of_word(word).split()
    return terms[1:] or terms


def _terms_of_long_word(parts: list[str]) -> str:
    """The parts alone, if it is a name."""
    letters = sum(len(part) for part in parts if part.isalpha())
    if letters < _LONG_NAME_PART_LETTERS * len(parts):
        return ""
    return " ".join([stem_of(part) for part in parts if len(part) <= MAX_TERM_CHARACTERS])


def terms_of_text(text: str) -> str:
    """All terms of a text in order, joined by spaces."""
    return terms_of_words(words_of(text.encode("utf-8", "replace")))


def terms_of_words(words: list[str]) -> str:
    """All terms of some words in order, joined by spaces."""
    if len(_memo) > _MEMO_LIMIT:
        _memo.clear()
    return " ".join(map(_memo.__getitem__, words))


def terms_of_names(names: list[str]) -> list[str]:
    """The terms of each of some names; most are one word, which needs no looking for others."""
    return [_memo[name] if name.isidentifier() else terms_of_text(name) for name in names]


class _Memo(dict[str, str]):
    """Terms of words seen before: a repository says the same few words again and again."""

    def __missing__(self, word: str) -> str:
        terms = self[word] = terms_of_word(word)
        return terms


# Distinct words of a large repository; beyond it the memo starts afresh.
_MEMO_LIMIT: Final = 250_000
_memo: Final = _Memo()
