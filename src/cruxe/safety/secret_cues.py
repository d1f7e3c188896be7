"""A quick test whether lines may hold a part of a secret, so that most texts need no closer look.

One linear pass over bytes finds what every secret of `secret_spans` has on its line. It is wider
than these expressions, never narrower; a test compares them. Private keys extend over many lines
and have a test of their own.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

from cruxe.safety.redaction import RedactionRules
from cruxe.safety.secret_formats import FORMATS, KEY_NEEDLE
from cruxe.safety.secret_spans import NAME_PARTS, find_secrets, has_name_part
from cruxe.text.literal_search import LiteralSearch
from cruxe.text.patterns import ByteSearch, byte_search

# What follows a token's prefix at least, by the last character of the prefix.
_AFTER_PREFIX: Final = {
    "A": "[KSBCIGT][ICzEA][AaT-]",
    "S": "K[0-9a-f]{4}",
    "_": "[A-Za-z0-9+/_-]{16}",
    "-": "[A-Za-z0-9_-]{16}",
    ".": "[A-Za-z0-9_-]{20}",
    "=": "[A-Za-z0-9+/]{43}",
    "/": "[A-Z0-9]{8,16}/",
}
# Within a line; bytes above ASCII may be a space of Unicode.
_SPACES: Final = r"[ \t\r\f\x0b\x1c-\x1f\x{80}-\x{10FFFF}]*"
_SCHEME: Final = "(?:[A-Z][a-z]{3,8} )?"
_QUOTED: Final = rf"""[brfuL]{{0,2}}["']{_SCHEME}[^\s"']{{12}}"""
_BARE: Final = rf"{_SCHEME}[A-Za-z0-9+/_.~=-]{{16,}}(?:[\s#\x0b\x1c-\x1f\x{{80}}-\x{{10FFFF}}]|$)"
_VALUE: Final = rf"{_SPACES}(?:{_QUOTED}|{_BARE})"
_HEADED_BY_JSON: Final = r"eyJ[A-Za-z0-9_-]{10,}\.eyJ"
_ADDRESS: Final = r"""://[^\s/@:"'`<>]*:[^\s/@"'`<>]+@"""
_LONG_WITH_DIGIT: Final = rb"""(?=[^\s"']{12})[^\s"'0-9]{0,60}[0-9]"""
# The name of a value stands at most 120 characters before it, which may have four bytes each.
_BYTES_BEFORE: Final = 1_000
# A line that a text repeats more often is looked at with the whole text.
_MOST_PLACES: Final = 8
_KEY_NEEDLE: Final = LiteralSearch(KEY_NEEDLE.encode(), is_folded=False)


class ShownLines(NamedTuple):
    """A text and those of its lines that an answer shows, each with a line feed at its end."""

    text: bytes
    lines: bytes


def suspect_texts(shown: Sequence[ShownLines], rules: RedactionRules) -> set[int]:
    """Return the indexes of the texts of which a shown line may hold a secret or a part of one.

    The others need no redaction; that is certain.
    """
    if not rules.redaction_enabled:
        return set()
    if rules.custom_redaction_rules:
        return {*range(len(shown))}
    found = {index for index, each in enumerate(shown) if _KEY_NEEDLE.places(each.text)}
    ends = [*accumulate(len(each.lines) for each in shown)]
    joined = b"".join([each.lines for each in shown])
    for start, end, is_alone in _cues(joined):
        index, line = bisect_right(ends, start), joined[start:end]
        if index not in found and (
            _is_secret(line) if is_alone else _is_secret_below_name(line, shown[index].text)
        ):
            found.add(index)
    return found


def _cues(lines: bytes) -> Iterator[tuple[int, int, bool]]:
    """Yield the start and end of lines that may hold a secret, and whether they alone tell."""
    for start, end in _lines_with(_token_start(), lines):
        yield start, end, True
    is_likely = _long_with_digit().search
    for find, is_alone in ((_named_start(), True), (_unnamed_start(), False)):
        for start, end in _lines_with(find, lines):
            if is_likely(lines, start, end):
                yield start, end, is_alone


def _is_secret(text: bytes) -> bool:
    return bool(find_secrets(text.decode("utf-8", "replace")))


def _is_secret_below_name(line: bytes, text: bytes) -> bool:
    """Return whether a line holds an assigned secret wherever it stands in a text."""
    place = text.find(line)
    for _ in range(_MOST_PLACES):
        if place < 0:
            return False
        window = text[max(0, place - _BYTES_BEFORE) : place + len(line)]
        # Most values have no name near them, and finding that out is cheap.
        if has_name_part(window.decode("utf-8", "replace")) and (
            _is_secret(line) or _is_secret(window)
        ):
            return True
        place = text.find(line, place + len(line))
    return place >= 0


def _lines_with(find: ByteSearch, lines: bytes) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each line in which something is found."""
    place = find(lines)
    while place >= 0:
        end = lines.index(b"\n", place)
        yield lines.rfind(b"\n", 0, place) + 1, end
        place = find(lines, end + 1)


@cache
def _token_start() -> ByteSearch:
    return byte_search("|".join([*_tokens(), _HEADED_BY_JSON, _ADDRESS]))


@cache
def _named_start() -> ByteSearch:
    """Match an assigned value after its name."""
    return byte_search(rf"(?i:{'|'.join(NAME_PARTS)})[^\n]*[=:]>?{_VALUE}")


@cache
def _unnamed_start() -> ByteSearch:
    """Match an assigned value whose name may be on a line before."""
    return byte_search(rf"(?:^{_SPACES}|(?i:value)[\"']?{_SPACES})(?:[=:]>?)?{_VALUE}")


def _tokens() -> Iterator[str]:
    prefixes = [prefix for each in FORMATS for prefix in each.prefixes.split()]
    for last, following in _AFTER_PREFIX.items():
        own = "|".join(re.escape(each) for each in prefixes if each[-1] == last)
        yield f"(?:{own}){following}"


@cache
def _long_with_digit() -> re.Pattern[bytes]:
    return re.compile(_LONG_WITH_DIGIT)
