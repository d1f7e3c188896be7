"""Texts that are nearly the same, told from small sketches of them.

A text is the set of its shingles, which are runs of five tokens; how alike two texts are is the
share of shingles that they have in common. A sketch is a one-permutation MinHash: every shingle
falls into one bucket by its hash, and a bucket keeps the smallest. Two sketches agree in as many
buckets as the sets are alike. Bands of a sketch are looked up like words, so that only texts that
share a band are ever compared.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple
from zlib import crc32

from cruxe.native import kernels

SHINGLE_TOKENS: Final = 5
BUCKETS: Final = 64
# Two texts that are 0.85 alike share one of 16 bands of four buckets with a probability of
# 0.99999, two that are 0.3 alike with one of 0.12.
_ROWS_PER_BAND: Final = 4
# A longer text, some five hundred lines, is known by how it starts.
MOST_CHARACTERS: Final = 20_000
_HASH_BITS: Final = 32
_BUCKET_SHIFT: Final = _HASH_BITS - (BUCKETS - 1).bit_length()
_MASK: Final = (1 << _HASH_BITS) - 1
# CRC-32 is linear: texts that differ in one token differ by a constant. An odd factor (that of
# Knuth's multiplicative hashing) spreads it over the high bits, which choose the bucket.
_SPREAD: Final = 2_654_435_761
# Further than any hash: a value borrowed from another bucket never equals an own one.
_BORROWED: Final = 1 << _HASH_BITS
# Two bands that only hash alike make no copies: what shares one is compared.
_BAND_SPREAD: Final = 11_400_714_819_323_198_485
_BAND_MASK: Final = (1 << 64) - 1

# What `native/likeness.c` is given.
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
    """What a text is known by."""

    shingles: Shingles
    bands: frozenset[int]


def fingerprint_of(text: str) -> Fingerprint:
    """Read a text once for all comparisons."""
    text, in_c = text[:MOST_CHARACTERS], kernels()
    if in_c is not None and text.isascii():
        return Fingerprint._make(in_c.ascii_fingerprint(text.encode(), _SKETCHING))
    shingles = shingles_of(text)
    return Fingerprint(shingles, frozenset(bands_of(sketch_of(shingles))))


def shingles_of(text: str) -> Shingles:
    """The hashed shingles of a text; white space does not count, a short text is one shingle."""
    tokens = _tokens_of(text[:MOST_CHARACTERS])
    if len(tokens) <= SHINGLE_TOKENS:
        return frozenset([crc32(b"\0".join(tokens))] if tokens else [])
    shifted = [tokens[start:] for start in range(SHINGLE_TOKENS)]
    return frozenset(map(crc32, map(b"\0".join, zip(*shifted, strict=False))))


def _tokens_of(text: str) -> list[bytes]:
    """Words, and all else but white space one by one."""
    if text.isascii():
        return _ascii_token().findall(text.encode())
    return [token.encode("utf-8", "replace") for token in _token().findall(text)]


@cache
def _ascii_token() -> re.Pattern[bytes]:
    # The last four are white space to a string and not to bytes.
    return re.compile(rb"\w+|[^\w\s\x1c-\x1f]")


@cache
def _token() -> re.Pattern[str]:
    return re.compile(r"\w+|[^\w\s]")


def sketch_of(shingles: Shingles) -> Sketch:
    """A sketch of a set: of each bucket the smallest hash, empty ones filled from the next."""
    falling = sorted([shingle * _SPREAD & _MASK for shingle in shingles], reverse=True)
    smallest = {value >> _BUCKET_SHIFT: value for value in falling}  # the last of each bucket
    return _filled(smallest) if smallest else ()


def _filled(smallest: dict[int, int]) -> Sketch:
    """All buckets, from the last to the first: an empty one borrows from the next, marked so."""
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
    """The parts of which alike texts nearly always share one, hashed with their places in it."""
    for number, start in enumerate(range(0, len(sketch), _ROWS_PER_BAND)):
        band = number
        for value in sketch[start : start + _ROWS_PER_BAND]:
            band = band * _BAND_SPREAD + value & _BAND_MASK
        yield band


def estimate_likeness(first: Sketch, second: Sketch) -> float:
    """How alike two texts are, by their sketches: off by 0.06 as a rule, at 0.5."""
    if not first or not second:
        return float(first == second)
    return sum(map(int.__eq__, first, second)) / BUCKETS


def likeness(first: Shingles, second: Shingles) -> float:
    """How alike two texts are: the Jaccard index of their shingles; 1 for two empty ones."""
    if not first and not second:
        return 1.0
    # Of two that are alike few are left, while to gather all that they share takes longer.
    common = len(first) - len(first - second)
    return common / (len(first) + len(second) - common)


class LikenessIndex:
    """Texts by number, found again by others that are at least so much alike."""

    def __init__(self, least: float) -> None:
        """Start empty; `least` is the likeness from which on a text is found."""
        self._least = least
        self._texts: list[Fingerprint] = []
        self._bands: set[int] = set()  # of all texts

    def may_hold(self, text: Fingerprint) -> bool:
        """Whether any may be alike; most are not."""
        return not self._bands.isdisjoint(text.bands)

    def find(self, text: Fingerprint) -> Iterator[int]:
        """The numbers of the texts that are alike, in the order in which they were added."""
        return (number for number, each in enumerate(self._texts) if self._are_alike(text, each))

    def add(self, text: Fingerprint) -> int:
        """Add a text and give its number, counted from zero; one without tokens is never found."""
        self._texts.append(text)
        self._bands |= text.bands
        return len(self._texts) - 1

    def _are_alike(self, text: Fingerprint, other: Fingerprint) -> bool:
        if text.bands.isdisjoint(other.bands):
            return False
        return likeness(text.shingles, other.shingles) >= self._least
