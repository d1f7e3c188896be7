"""What words are turned into, remembered: a repository says the same few words again and again."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cruxe.native import kernels

if TYPE_CHECKING:
    from cruxe.native import WordMemo

# Distinct words of a large repository; beyond it a memo starts afresh.
_MOST_WORDS: Final = 250_000
# `getHTTPResponse2` -> get, HTTP, Response, 2
_PART: Final = rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"


def word_memo(make: Callable[[bytes], bytes], separator: bytes) -> "WordMemo":
    """A memo of what `make` turns words into, put together with a separator.

    A word is what stands between spaces; its value may be empty.
    """
    in_c = kernels()
    memo = PythonWordMemo if in_c is None else in_c.WordMemo
    return memo(make, separator, _MOST_WORDS)


class PythonWordMemo:
    """What `native/words.c` does."""

    def __init__(self, make: Callable[[bytes], bytes], separator: bytes, most_words: int) -> None:
        """Start with nothing known."""
        self._values = _Values(make)
        self._separator = separator
        self._most_words = most_words
        self._find_parts: Callable[[bytes], list[bytes]] = re.compile(_PART).findall

    def join(self, text: bytes, start: int, end: int, most: int, /) -> bytes:
        """What the first words of a part of a text are turned into."""
        if len(self._values) > self._most_words:
            self._values.clear()
        words = text[start:end].split(b" ")
        if b"" in words:
            words = [word for word in words if word]
        return self._separator.join(map(self._values.__getitem__, words[:most]))

    def join_parts(self, word: bytes, most: int, /) -> bytes:
        """What the parts of an ASCII identifier are turned into, each in lower case and cut."""
        if len(self._values) > self._most_words:
            self._values.clear()
        parts = [part.lower()[:most] for part in self._find_parts(word)]
        return self._separator.join(map(self._values.__getitem__, parts))


class _Values(dict[bytes, bytes]):
    def __init__(self, make: Callable[[bytes], bytes]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, word: bytes) -> bytes:
        value = self[word] = self._make(word)
        return value
