"""Words and identifiers as search terms: the whole and its parts, stemmed.

Index and query use the same functions, so that their terms are equal. The terms of a word are
cached in a `WordMemo`, because a repository repeats the same few words.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.native import kernels

if TYPE_CHECKING:
    from cruxe.native import WordMemo

_WORD: Final = re.compile(r"\w+")
# Four times as fast as a regular expression over the text: non-word ASCII becomes a space.
_SPACED: Final = bytes(
    value if chr(value).isalnum() or not chr(value).isascii() or chr(value) == "_" else ord(" ")
    for value in range(256)
)
_SPACED_LINES: Final = _SPACED[: ord("\n")] + b"\n" + _SPACED[ord("\n") + 1 :]
_CAPITAL: Final = re.compile("[A-Z]")
# The one rule of splitting: `getHTTPResponse2` -> get, HTTP, Response, 2. `native/words.c` receives
# it as a table.
_PART_RULE: Final = "[A-Z]+(?!{lower})|[A-Z]?{lower}+|{digit}+"
# Letters without case count as lower case.
_PART: Final = re.compile(_PART_RULE.format(lower=r"[^\W\d_A-Z]", digit=r"\d"))
# Longer terms are data (hashes, encoded blobs) or whole sentences, which are not searched for.
MAX_TERM_CHARACTERS: Final = 80
# Distinct words of a large repository; beyond it a memo is cleared.
_MOST_WORDS: Final = 250_000
# The parts of a long name are words; those of a hash or a blob have one or two letters.
_LONG_NAME_PART_LETTERS: Final = 3
# For `part_table`: a byte of each class, and a prefix that leads to each state.
_BYTES_BY_CLASS: Final = (b"_", b"A", b"a", b"0")
_TEXTS_BY_STATE: Final = (b"", b"A", b"AA", b"a", b"0")
# Flags of a step: a part ends before this byte, or before the previous one.
_ENDS: Final = 8
_ENDS_BEFORE_PREVIOUS: Final = 16


class NameRule(NamedTuple):
    """How the value of a new word is composed from the cached values of its parts.

    A part is a run of ASCII digits, or of ASCII letters up to the capital that begins the next
    part.
    """

    parts: "WordMemo"
    # Computes the value of a multi-part name as a whole, which precedes those of its parts.
    whole: Callable[[bytes], bytes] | None
    # Each from 1 to 256.
    most_bytes: int  # the rule does not cover longer words
    most_part_bytes: int  # longer parts are cut
    most_digits: int  # longer runs of digits that follow no letter are cut
    is_ascii: bool  # whether the rule covers only ASCII words
    table: bytes  # `part_table()`


def split_identifier(word: str) -> tuple[str, ...]:
    """Return the parts of an identifier, lower case, in order."""
    return tuple(part.lower() for part in _PART.findall(word))


def split_ascii(word: str) -> list[str]:
    """Return the ASCII parts of an identifier, lower case, in order; other letters separate."""
    return [part.decode().lower() for part in _ascii_part().findall(word.encode())]


@cache
def _ascii_part() -> "re.Pattern[bytes]":
    return re.compile(_PART_RULE.format(lower="[a-z]", digit="[0-9]").encode())


@cache
def part_table() -> bytes:
    """Return the rule of splitting ASCII names as a state table for `native/words.c`.

    First the class of each byte: in no part, upper case, lower case, digit. Then, for each state
    and class, the next state, with a flag if a part ends there. A state is the content of the part
    so far: nothing, one capital, several, lower case, digits. The transitions are derived from
    `_PART_RULE` by splitting the shortest names that lead to them.
    """
    steps = [_step(text, byte) for text, byte in product(_TEXTS_BY_STATE, _BYTES_BY_CLASS)]
    return bytes([*map(_class_of, range(256)), *steps])


def _class_of(value: int) -> int:
    byte = bytes([value])
    if not _ascii_part().match(byte):
        return 0
    return 1 if byte.isupper() else 2 if byte.islower() else 3


def _step(text: bytes, byte: bytes) -> int:
    """Return the next state if a byte follows a text, with a flag if a part ends there."""
    parts = _ascii_part().findall(text + byte)
    if byte == _BYTES_BY_CLASS[0]:
        return _ENDS if text else 0
    last = b"a" if byte == b"a" else parts[-1][:2] if byte == b"A" else byte
    state = _TEXTS_BY_STATE.index(last)
    if not text or parts == [text + byte]:
        return state
    return state | (_ENDS if parts[0] == text else _ENDS_BEFORE_PREVIOUS)


def words_of(data: bytes) -> list[str]:
    """Return the words of a UTF-8 text as written; only ASCII characters separate words."""
    return space_out(data).decode("utf-8", "replace").split()


def space_out(data: bytes) -> bytes:
    """Replace all ASCII outside words by spaces; the length stays the same."""
    return data.translate(_SPACED)


def terms_of_word(word: str) -> str:
    """Return the stem of a word; for several parts the stem of the whole, then of each part."""
    if word.isascii() and len(word) <= MAX_TERM_CHARACTERS:
        return terms_memo().join(word.encode(), 0, len(word), 1).decode()
    if not word.isascii() and (found := _WORD.findall(word)) != [word]:
        # These words contain combining marks. Their runs are few and repeat, so the memo is used.
        spaced = " ".join(found).encode()
        return terms_of_spaced(spaced, 0, len(spaced)).decode()
    parts, whole = split_identifier(word), word.lower().replace("_", "")
    if len(whole) > MAX_TERM_CHARACTERS:
        return _terms_of_long_word(parts)
    stems = [*map(stem_of, parts)]
    return " ".join([stem_of(whole), *stems] if len(stems) > 1 else stems)


def part_terms_of_word(word: str) -> list[str]:
    """Return the stems of a word's parts, without that of the whole if it has several."""
    terms = terms_of_word(word).split()
    return terms[1:] or terms


def _terms_of_long_word(parts: Sequence[str]) -> str:
    """Return the stems of the parts if the word is a name, else an empty string."""
    letters = sum(len(part) for part in parts if part.isalpha())
    if letters < _LONG_NAME_PART_LETTERS * len(parts):
        return ""
    return " ".join([stem_of(part) for part in parts if len(part) <= MAX_TERM_CHARACTERS])


def terms_of_text(text: str) -> str:
    """Return all terms of a text in order, joined by spaces."""
    spaced = space_out(text.encode("utf-8", "replace"))
    return terms_of_spaced(spaced, 0, len(spaced)).decode()


def terms_of_spaced(spaced: bytes, start: int, end: int) -> bytes:
    """Return the terms, in UTF-8, of a slice of a text prepared by `space_out`."""
    return terms_memo().join(spaced, start, end, len(spaced))


def terms_of_each(texts: Sequence[str]) -> list[bytes]:
    """Return the terms of each of many short texts, looked up in one call as lines of one text."""
    lines = "\n".join(texts)
    if lines.count("\n") >= len(texts):
        lines = "\n".join([text.replace("\n", " ") for text in texts])
    spaced = lines.encode("utf-8", "replace").translate(_SPACED_LINES)
    return terms_memo().join_lines(spaced) if texts else []


def _terms_of_run(run: bytes) -> bytes:
    """Return the terms of a run between spaces; it may contain non-ASCII whitespace."""
    text = run.decode("utf-8", "replace")
    if text.isalpha():
        lowered = text.lower()
        if len(lowered) <= MAX_TERM_CHARACTERS and not run.isascii():
            if lowered == text:
                return run  # a single part that is not stemmed: the common case here
            if not _CAPITAL.search(text, 1):
                return stem_of(lowered).encode()
    return " ".join(map(terms_of_word, text.split())).encode()


@cache
def terms_memo() -> "WordMemo":
    """Return the memo that maps words to their terms."""
    return word_memo(_terms_of_run, b" ", _names())


def _names() -> NameRule:
    """Return the rule for ASCII words of usual length, which nearly all words are."""
    return NameRule(
        parts=word_memo(ascii_stem, b" "),
        whole=_stem_of_name,
        most_bytes=MAX_TERM_CHARACTERS,
        most_part_bytes=MAX_TERM_CHARACTERS,
        most_digits=MAX_TERM_CHARACTERS,
        is_ascii=True,
        table=part_table(),
    )


def _stem_of_name(name: bytes) -> bytes:
    # Underscores are only spelling: `rate_limit` and `rateLimit` are one name.
    return ascii_stem(name.lower().replace(b"_", b""))


def word_memo(
    make: Callable[[bytes], bytes], separator: bytes, names: NameRule | None = None
) -> "WordMemo":
    """Return a memo of `make`, whose values are joined with a separator.

    Words are separated by spaces. A value may be empty. `make` is not called for words that `names`
    covers.
    """
    in_c = kernels()
    memo = PythonWordMemo if in_c is None else in_c.WordMemo
    return memo(make, separator, _MOST_WORDS, names)


class PythonWordMemo:
    """The Python fallback of `native/words.c`."""

    def __init__(
        self,
        make: Callable[[bytes], bytes],
        separator: bytes,
        most_words: int,
        names: NameRule | None,
        /,
    ) -> None:
        """Start empty."""
        self._values = _Values(make if names is None else _by_rule(make, separator, names))
        self._separator = separator
        self._most_words = most_words

    def join(self, text: bytes, start: int, end: int, most: int, /) -> bytes:
        """Return the values of the first `most` words of a slice of a text, joined."""
        if len(self._values) > self._most_words:
            self._values.clear()
        words = text[max(start, 0) : max(end, 0)].split(b" ")  # no negative offsets
        if b"" in words:
            words = [word for word in words if word]
        return self._separator.join(map(self._values.__getitem__, words[: max(most, 0)]))

    def join_lines(self, text: bytes, /) -> list[bytes]:
        """Return the joined values of the words of each line."""
        return [self.join(line, 0, len(line), len(line)) for line in text.split(b"\n")]


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
    """Return a function that applies the rule to names and `make` to all other words."""

    def value_of(word: bytes) -> bytes:
        if not _is_name(names, word):
            return make(word)
        parts = [_cut_part(names, part) for part in _ascii_part().finditer(word)]
        spaced = b" ".join(parts)
        values = [names.parts.join(spaced, 0, len(spaced), len(parts))]
        if names.whole is not None and len(parts) > 1:
            values.insert(0, names.whole(word))
        return separator.join(values)

    return value_of


def _is_name(names: NameRule, word: bytes) -> bool:
    return len(word) <= names.most_bytes and (word.isascii() or not names.is_ascii)


def _cut_part(names: NameRule, found: "re.Match[bytes]") -> bytes:
    part, before = found[0].lower(), found.string[: found.start()]
    is_number = part.isdigit() and not before[-1:].isalpha()
    return part[: names.most_digits if is_number else names.most_part_bytes]


# Shorter words are not stemmed further: the remainder would be too ambiguous.
_LETTERS_BEFORE_ER: Final = 3
_LETTERS_BEFORE_E: Final = 3
# A word and its stem share this many letters at the start.
_CERTAIN_LETTERS: Final = 3
# Doubling these is only spelling, as in `formatter` and `runner`; `class` and `call` keep theirs.
_DOUBLED: Final = frozenset(b"bdgmnprt")
_TAKEN_OFF: Final = _DOUBLED | frozenset(b"e")


def stem_of(word: str) -> str:
    """Return the stem of a lower-case word; a word with non-ASCII letters is returned unchanged."""
    return ascii_stem(word.encode()).decode() if word.isascii() else word


def ascii_stem(word: bytes) -> bytes:
    """Return the stem of a lower-case English word."""
    stem = _snowball()(word)
    if len(stem) <= _LETTERS_BEFORE_E or stem[-1] not in _TAKEN_OFF:
        return stem  # the common case
    if stem.endswith(b"er") and len(stem) > _LETTERS_BEFORE_ER + 1:
        stem = stem[:-2]
    if stem.endswith(b"e") and len(stem) > _LETTERS_BEFORE_E:
        stem = stem[:-1]
    if len(stem) > _LETTERS_BEFORE_E and stem[-1] == stem[-2] and stem[-1] in _DOUBLED:
        stem = stem[:-1]
    return stem


def start_of_stem(stem: str) -> str:
    """Return the prefix that all words of a stem share, without letters that endings change.

    The last letters of a short stem may differ from those of the word: `using` is `use`, `fly` is
    `fli`, `skies` is `sky` and `dying` is `die`.
    """
    if len(stem) > _CERTAIN_LETTERS or not stem.endswith(("e", "i", "y")):
        return stem[:_CERTAIN_LETTERS]
    return stem[:1] if stem.endswith("ie") else stem[: _CERTAIN_LETTERS - 1]


@cache
def _snowball() -> "Callable[[bytes], bytes]":
    from Stemmer import Stemmer

    stemmer = Stemmer("english")
    stemmer.maxCacheSize = 0  # callers have their own cache
    stem_word: Callable[[bytes], bytes] = stemmer.stemWord
    return stem_word
