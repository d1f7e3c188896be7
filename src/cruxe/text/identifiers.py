"""Words and identifiers as search terms: kept whole and split into their parts, as stems.

Index and query use the same functions, so what one writes the other finds.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from cruxe.text.stems import ascii_stemmer, stem_of
from cruxe.text.word_memo import NameRule, word_memo

if TYPE_CHECKING:
    from cruxe.native import WordMemo

_WORD: Final = re.compile(r"\w+")
# Four times as fast as a regular expression over the text: non-word ASCII becomes a space.
_SPACED: Final = bytes(
    value if chr(value).isalnum() or not chr(value).isascii() or chr(value) == "_" else ord(" ")
    for value in range(256)
)
_SPACED_LINES: Final = _SPACED[: ord("\n")] + b"\n" + _SPACED[ord("\n") + 1 :]
# `getHTTPResponse2` -> get, HTTP, Response, 2. Letters without case count as lower case.
_CAPITAL: Final = re.compile("[A-Z]")
_PART: Final = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")
# Longer terms are data (hashes, encoded blobs) or whole sentences; nobody types them.
MAX_TERM_CHARACTERS: Final = 80
# The parts of a long name are words; those of a hash or a blob have one or two letters.
_LONG_NAME_PART_LETTERS: Final = 3


def split_identifier(word: str) -> tuple[str, ...]:
    """The parts of an identifier, lower case, in order."""
    return tuple(part.lower() for part in _PART.findall(word))


def words_of(data: bytes) -> list[str]:
    """The words of a text in UTF-8, as written; only ASCII decides where a word ends."""
    return space_out(data).decode("utf-8", "replace").split()


def space_out(data: bytes) -> bytes:
    """A text in UTF-8 of the same length with spaces for all ASCII that is in no word."""
    return data.translate(_SPACED)


def terms_of_word(word: str) -> str:
    """The stem of a word or, where it has several parts, of each and of the whole."""
    if word.isascii() and len(word) <= MAX_TERM_CHARACTERS:
        return terms_memo().join(word.encode(), 0, len(word), 1).decode()
    if not word.isascii() and (found := _WORD.findall(word)) != [word]:
        # Parts of words in letters that marks are put on are few, and come again and again.
        spaced = " ".join(found).encode()
        return terms_of_spaced(spaced, 0, len(spaced)).decode()
    parts, whole = split_identifier(word), word.lower().replace("_", "")
    if len(whole) > MAX_TERM_CHARACTERS:
        return _terms_of_long_word(parts)
    stems = [*map(stem_of, parts)]
    return " ".join([stem_of(whole), *stems] if len(stems) > 1 else stems)


def part_terms_of_word(word: str) -> list[str]:
    """The stems of a word's parts, without that of the whole where it has several."""
    terms = terms_of_word(word).split()
    return terms[1:] or terms


def _terms_of_long_word(parts: Sequence[str]) -> str:
    """The parts alone, if it is a name."""
    letters = sum(len(part) for part in parts if part.isalpha())
    if letters < _LONG_NAME_PART_LETTERS * len(parts):
        return ""
    return " ".join([stem_of(part) for part in parts if len(part) <= MAX_TERM_CHARACTERS])


def terms_of_text(text: str) -> str:
    """All terms of a text in order, joined by spaces."""
    spaced = space_out(text.encode("utf-8", "replace"))
    return terms_of_spaced(spaced, 0, len(spaced)).decode()


def terms_of_spaced(spaced: bytes, start: int, end: int) -> bytes:
    """The same, in UTF-8, for a part of a text that `space_out` made ready."""
    return terms_memo().join(spaced, start, end, len(spaced))


def terms_of_each(texts: Sequence[str]) -> list[bytes]:
    """The same for each of many short texts: they are looked up together, as lines of one."""
    lines = "\n".join(texts)
    if lines.count("\n") >= len(texts):
        lines = "\n".join([text.replace("\n", " ") for text in texts])
    spaced = lines.encode("utf-8", "replace").translate(_SPACED_LINES)
    return terms_memo().join_lines(spaced) if texts else []


def _terms_of_run(run: bytes) -> bytes:
    """The terms of what stands between spaces; other white space than ASCII's may be in it."""
    text = run.decode("utf-8", "replace")
    if text.isalpha():
        lowered = text.lower()
        if len(lowered) <= MAX_TERM_CHARACTERS and not run.isascii():
            if lowered == text:
                return run  # a single part, of which no stem is taken, as most that come here
            if not _CAPITAL.search(text, 1):
                return stem_of(lowered).encode()
    return " ".join(map(terms_of_word, text.split())).encode()


@cache
def terms_memo() -> "WordMemo":
    """What turns words into their terms."""
    return word_memo(_terms_of_run, b" ", _names())


def _names() -> NameRule:
    """The terms of an ASCII word of usual length, as nearly all are: those that `word` has."""
    return NameRule(
        parts=word_memo(ascii_stemmer(), b" "),
        # The underscores of a snake-case name are spelling: `rate_limit` and `rateLimit` are one.
        whole=ascii_stemmer(),
        most_bytes=MAX_TERM_CHARACTERS,
        most_part_bytes=MAX_TERM_CHARACTERS,
        most_digits=MAX_TERM_CHARACTERS,
        is_ascii=True,
    )
