"""Near-duplicate detection by MinHash sketches.

A text is the set of its shingles, runs of five tokens. Likeness is the Jaccard index of two such
sets. A sketch is a one-permutation MinHash: each shingle falls into one bucket by its hash, and a
bucket keeps the smallest. The share of equal buckets estimates the likeness. Sketches are cut into
bands, and only texts that share a band are compared.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple
from zlib import crc32

from cruxe.native import kernels

SHINGLE_TOKENS: Final = 5
BUCKETS: Final = 64
# Two texts with likeness 0.85 share one of 16 bands of four buckets with probability 0.99999, two
# with likeness 0.3 with probability 0.12.
_ROWS_PER_BAND: Final = 4
# Of a longer text (about five hundred lines) only the start is used.
MOST_CHARACTERS: Final = 20_000
_HASH_BITS: Final = 32
_BUCKET_SHIFT: Final = _HASH_BITS - (BUCKETS - 1).bit_length()
_MASK: Final = (1 << _HASH_BITS) - 1
# CRC-32 is linear: texts that differ in one token differ by a constant. An odd factor (Knuth's
# multiplicative hashing) spreads it over the high bits, which choose the bucket.
_SPREAD: Final = 2_654_435_761
# Larger than any hash, so that a value borrowed from another bucket never equals an own one.
_BORROWED: Final = 1 << _HASH_BITS
# A collision of band hashes does no harm: texts that share a band are compared exactly.
_BAND_SPREAD: Final = 11_400_714_819_323_198_485
_BAND_MASK: Final = (1 << 64) - 1

# The parameters of `native/likeness.c`.
_SKETCHING: Final = (
    SHINGLE_TOKENS,
    _HASH_BITS - _BUCKET_SHIFT,
    _ROWS_PER_BAND,
    _SPREAD,
    _BAND_SPREAD,
)

Shingles = frozenset[int]
Sketch = tuple[int, ...]


class Fingerprint(NamedTuple):
    """The shingles and bands of a text."""

    shingles: Shingles
    bands: frozenset[int]


def fingerprint_of(text: str) -> Fingerprint:
    """Compute the fingerprint of a text, once for all comparisons."""
    text, in_c = text[:MOST_CHARACTERS], kernels()
    if in_c is not None and text.isascii():
        return Fingerprint._make(in_c.ascii_fingerprint(text.encode(), _SKETCHING))
    shingles = shingles_of(text)
    return Fingerprint(shingles, frozenset(bands_of(sketch_of(shingles))))


def shingles_of(text: str) -> Shingles:
    """Return the hashed shingles of a text; whitespace is ignored, a short text is one shingle."""
    tokens = _tokens_of(text[:MOST_CHARACTERS])
    if len(tokens) <= SHINGLE_TOKENS:
        return frozenset([crc32(b"\0".join(tokens))] if tokens else [])
    shifted = [tokens[start:] for start in range(SHINGLE_TOKENS)]
    return frozenset(map(crc32, map(b"\0".join, zip(*shifted, strict=False))))


def _tokens_of(text: str) -> list[bytes]:
    """Return words, and every other character except whitespace by itself."""
    if text.isascii():
        return _ascii_token().findall(text.encode())
    return [token.encode("utf-8", "replace") for token in _token().findall(text)]


@cache
def _ascii_token() -> re.Pattern[bytes]:
    # `\s` matches the last four in `str` but not in `bytes`.
    return re.compile(rb"\w+|[^\w\s\x1c-\x1f]")


@cache
def _token() -> re.Pattern[str]:
    return re.compile(r"\w+|[^\w\s]")


def sketch_of(shingles: Shingles) -> Sketch:
    """Return the smallest hash of each bucket; empty buckets are filled from the next."""
    falling = sorted([shingle * _SPREAD & _MASK for shingle in shingles], reverse=True)
    smallest = {value >> _BUCKET_SHIFT: value for value in falling}  # the last, smallest wins
    return _filled(smallest) if smallest else ()


def _filled(smallest: dict[int, int]) -> Sketch:
    """Return all buckets; an empty one borrows from the next, marked by `_BORROWED`."""
    first = min(smallest)
    following, distance = smallest[first], first
    filled: list[int] = []
    for bucket in range(BUCKETS - 1, -1, -1):
        found = smallest.get(bucket)
        distance = distance + 1 if found is None else 0
        following = following if found is None else found
        filled.append(following + distance * _BORROWED)
    filled.reverse()
    return tuple(filled)


def bands_of(sketch: Sketch) -> Iterable[int]:
    """Return the hashed bands of a sketch; similar texts nearly always share one."""
    for number, start in enumerate(range(0, len(sketch), _ROWS_PER_BAND)):
        band = number
        for value in sketch[start : start + _ROWS_PER_BAND]:
            band = band * _BAND_SPREAD + value & _BAND_MASK
        yield band


def estimate_likeness(first: Sketch, second: Sketch) -> float:
    """Estimate the likeness of two texts from their sketches; the standard error is 0.06 at 0.5."""
    if not first or not second:
        return float(first == second)
    return sum(map(int.__eq__, first, second)) / BUCKETS


def likeness(first: Shingles, second: Shingles) -> float:
    """Return the Jaccard index of two sets of shingles; 1 if both are empty."""
    if not first and not second:
        return 1.0
    # For similar sets the difference is small, so it is faster than the intersection.
    common = len(first) - len(first - second)
    return common / (len(first) + len(second) - common)


class LikenessIndex:
    """Numbered texts, to be found by similar texts."""

    def __init__(self, least: float) -> None:
        """Start empty; `least` is the likeness from which a text counts as similar."""
        self._least = least
        self._texts: list[Fingerprint] = []
        self._bands: set[int] = set()  # of all texts

    def may_hold(self, text: Fingerprint) -> bool:
        """Return whether any text may be similar; mostly False."""
        return not self._bands.isdisjoint(text.bands)

    def find(self, text: Fingerprint) -> Iterator[int]:
        """Yield the numbers of the similar texts, in the order of addition."""
        return (number for number, each in enumerate(self._texts) if self._are_alike(text, each))

    def add(self, text: Fingerprint) -> int:
        """Add a text and return its number, from zero; a text without tokens is never found."""
        self._texts.append(text)
        self._bands |= text.bands
        return len(self._texts) - 1

    def _are_alike(self, text: Fingerprint, other: Fingerprint) -> bool:
        if text.bands.isdisjoint(other.bands):
            return False
        return likeness(text.shingles, other.shingles) >= self._least
