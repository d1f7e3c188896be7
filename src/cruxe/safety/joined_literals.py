"""Find tokens that are written as several literals: `"ghp_..." + "..."`.

Long words at both sides of the seam between two literals are rare in code. Only these are put
together and searched for tokens.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

from cruxe.safety.secret_formats import (
    find_shaped_tokens,
    find_tokens,
    find_web_tokens,
)
from cruxe.text.patterns import ByteSpans, byte_spans

_LEAST_CHARACTERS: Final = 9
_MOST_CHARACTERS: Final = 1_500
_WORD: Final = "[A-Za-z0-9+/_.=~%:@-]"
# What joins two literals: an operator, nothing, or a line end.
_SIGN: Final = r"(?:\+\+|\.\.|<>|\|\||[+.&~])?"
_SPACE: Final = r"[ \t\\]{0,8}\n?[ \t]{0,80}"
# A file of literals that are joined without a token must not be searched word by word.
_MOST_SEAMS: Final = 2_000


class JoinedToken(NamedTuple):
    """A token: its kind, and the spans of its pieces."""

    kind: str
    pieces: tuple[tuple[int, int], ...]


def find_joined_tokens(data: bytes) -> Iterator[JoinedToken]:
    """Yield the tokens that have a seam in them."""
    searched = 0
    for count, (start, _) in enumerate(_seam_between_words()(data)):
        if count >= _MOST_SEAMS:
            return
        if start < searched:
            continue
        words = _words_from(data, start)
        searched = words[-1][1]
        yield from _tokens_across(data, words)


def _words_from(data: bytes, start: int) -> list[tuple[int, int]]:
    """Return the spans of words that the source joins, from the one that a place is in."""
    before = data[max(0, start - _MOST_CHARACTERS) : start]
    first = start - len(before) + len(before.rstrip(_word_bytes()))
    word = _word().match(data, start)
    assert word is not None
    words = [(first, word.end())]
    while following := _next_word().match(data, words[-1][1]):
        words.append(following.span("word"))
        if words[-1][1] - first > _MOST_CHARACTERS:
            break
    return words


def _tokens_across(data: bytes, words: list[tuple[int, int]]) -> Iterator[JoinedToken]:
    joined = b"".join(data[first:last] for first, last in words)
    ends = [*accumulate(last - first for first, last in words)]
    for token in (*find_tokens(joined), *find_shaped_tokens(joined), *find_web_tokens(joined)):
        first, last = bisect_right(ends, token.start), bisect_right(ends, token.end - 1)
        if first == last:
            continue
        pieces = [*words[first : last + 1]]
        pieces[0] = (words[first][1] - (ends[first] - token.start), words[first][1])
        pieces[-1] = (words[last][0], words[last][1] - (ends[last] - token.end))
        yield JoinedToken(token.kind, tuple(pieces))


def seam_cue() -> str:
    """Return an expression of RE2 for a seam between two words."""
    words = rf"{_WORD}{{{_LEAST_CHARACTERS}}}"
    seams = "|".join(f"{quote}{_SPACE}{_SIGN}{_SPACE}[bfrLu]?{quote}" for quote in ('"', "'", "`"))
    return rf"{words}(?:{seams}|\\\n[ \t]{{0,80}}){words}"


@cache
def _seam_between_words() -> ByteSpans:
    return byte_spans(seam_cue())


@cache
def _next_word() -> re.Pattern[bytes]:
    quoted = rf"""(?P<quote>["'`]){_SPACE}{_SIGN}{_SPACE}[bfrLu]?(?P=quote)"""
    return re.compile(rf"(?:{quoted}|\\\n[ \t]{{0,80}})(?P<word>{_WORD}+)".encode())


@cache
def _word() -> re.Pattern[bytes]:
    return re.compile(f"{_WORD}+".encode())


@cache
def _word_bytes() -> bytes:
    return bytes(each for each in range(128) if re.fullmatch(_WORD, chr(each)))
