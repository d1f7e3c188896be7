"""What words are turned into, remembered: a repository says the same few words again and again."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.native import kernels

if TYPE_CHECKING:
    from cruxe.native import WordMemo, WordPairs

# Distinct words of a large repository; beyond it a memo starts afresh.
_MOST_WORDS: Final = 250_000
# `getHTTPResponse2` -> get, HTTP, Response, 2
_PART: Final = rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"


class NameRule(NamedTuple):
    """How the value of a new word is put together from those of its parts, mostly seen before.

    A part is a run of ASCII digits, or of ASCII letters up to where a capital begins the next.
    """

    parts: "WordMemo"
    whole: Callable[[bytes], bytes] | None  # of several parts, without underscores; comes first
    # Each from 1 to 256.
    most_bytes: int  # longer words are none of these
    most_part_bytes: int  # parts are cut there
    most_digits: int  # digits that follow no letter are cut there
    is_ascii: bool  # whether words with other letters are none of these


def word_memo(
    make: Callable[[bytes], bytes], separator: bytes, names: NameRule | None = None
) -> "WordMemo":
    """A memo of what `make` turns words into, put together with a separator.

    A word is what stands between spaces; its value may be empty. Those that a rule covers are not
    asked for.
    """
    in_c = kernels()
    memo = PythonWordMemo if in_c is None else in_c.WordMemo
    return memo(make, separator, _MOST_WORDS, names)


def word_pairs(first: "WordMemo", second: "WordMemo") -> "WordPairs":
    """Two memos that are asked for the same words, each of which is then looked up once."""
    in_c = kernels()
    if in_c is None:
        return PythonWordPairs(first, second)
    return in_c.WordPairs(first, second, _MOST_WORDS)


class PythonWordMemo:
    """What `native/words.c` does."""

    def __init__(
        self,
        make: Callable[[bytes], bytes],
        separator: bytes,
        most_words: int,
        names: NameRule | None,
        /,
    ) -> None:
        """Start with nothing known."""
        self._values = _Values(make if names is None else _by_rule(make, separator, names))
        self._separator = separator
        self._most_words = most_words

    def join(self, text: bytes, start: int, end: int, most: int, /) -> bytes:
        """What the first words of a part of a text are turned into."""
        if len(self._values) > self._most_words:
            self._values.clear()
        words = text[max(start, 0) : max(end, 0)].split(b" ")  # nothing counts from the end
        if b"" in words:
            words = [word for word in words if word]
        return self._separator.join(map(self._values.__getitem__, words[: max(most, 0)]))

    def join_lines(self, text: bytes, /) -> list[bytes]:
        """What the words of each line of a text are turned into."""
        return [self.join(line, 0, len(line), len(line)) for line in text.split(b"\n")]


class PythonWordPairs:
    """What `native/word_pairs.c` does."""

    def __init__(self, first: "WordMemo", second: "WordMemo") -> None:
        """Take the memos."""
        self._first = first
        self._second = second

    def join_each(
        self, text: bytes, spans: list[tuple[int, int]], most: int, /
    ) -> tuple[list[bytes], list[bytes]]:
        """What all words of each span are turned into by one, and the first by the other."""
        first = [self._first.join(text, start, end, len(text)) for start, end in spans]
        return first, [self._second.join(text, start, end, most) for start, end in spans]


class _Values(dict[bytes, bytes]):
    def __init__(self, make: Callable[[bytes], bytes]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, word: bytes) -> bytes:
        value = self[word] = self._make(word)
        return value


def _by_rule(
    make: Callable[[bytes], bytes], separator: bytes, names: NameRule
) -> Callable[[bytes], bytes]:
    """What makes the values of names by their rule, and asks for all others."""

    def value_of(word: bytes) -> bytes:
        if not _is_name(names, word):
            return make(word)
        parts = [_cut_part(names, part) for part in re.finditer(_PART, word)]
        spaced = b" ".join(parts)
        values = [names.parts.join(spaced, 0, len(spaced), len(parts))]
        if names.whole is not None and len(parts) > 1:
            values.insert(0, names.whole(word.lower().replace(b"_", b"")))
        return separator.join(values)

    return value_of


def _is_name(names: NameRule, word: bytes) -> bool:
    return len(word) <= names.most_bytes and (word.isascii() or not names.is_ascii)


def _cut_part(names: NameRule, found: "re.Match[bytes]") -> bytes:
    part, before = found[0].lower(), found.string[: found.start()]
    is_number = part.isdigit() and not before[-1:].isalpha()
    return part[: names.most_digits if is_number else names.most_part_bytes]
