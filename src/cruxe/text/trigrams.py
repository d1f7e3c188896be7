"""Trigrams of a text over 32 byte classes, a prefilter for literal search.

A class merges letters that differ only in case, the digits, and punctuation in groups. Trigrams
across whitespace are omitted: they are a third of all and the least selective. The trigrams of a
text include those of each of its parts, ignoring case. Candidates are verified by reading.
"""

from functools import cache
from typing import Final

from cruxe.native import kernels

_CLASS_BITS: Final = 5
TRIGRAM_BITS: Final = 3 * _CLASS_BITS
_CODE_BYTES: Final = 2
_DIGIT: Final = 26
_UNDERSCORE: Final = 27
_WHITE_SPACE: Final = 28
_PUNCTUATION: Final = (29, 30)
_OTHER: Final = 31

# The first two bytes of letters that grow, shrink or become ASCII when case-folded. Other letters
# keep their classes, so their texts skip folding, which takes half of the time.
_UNEVEN_STARTS: Final = (
    b"\xc3\x9f", b"\xc4\xb0", b"\xc5\x89", b"\xc5\xbf", b"\xc7\xb0", b"\xc8\xba", b"\xc8\xbe",
    b"\xce\x90", b"\xce\xb0", b"\xd6\x87", b"\xe1\xb2", b"\xe1\xba", b"\xe1\xbd", b"\xe1\xbe",
    b"\xe1\xbf", b"\xe2\x84", b"\xe2\xb1", b"\xea\x9e", b"\xea\x9f", b"\xef\xac",
)  # fmt: skip
_LEADS: Final = range(0xC0, 0x100)
_SECONDS: Final = range(0x80, 0xC0)


def packed_trigrams(data: bytes) -> bytes:
    """Return the distinct trigrams of a UTF-8 text, two bytes each, ascending."""
    in_c = kernels()
    if in_c is None:
        return _packed(_folded(data).translate(_CLASSES))
    if not data.isascii() and in_c.has_pair(data, _uneven_pairs()):
        data = _folded(data)
    return in_c.packed_trigrams(data, _CLASSES, _WHITE_SPACE)


@cache
def _uneven_pairs() -> bytes:
    """Return a table that marks each pair of lead and second byte in `_UNEVEN_STARTS`."""
    marks = bytearray(len(_LEADS) * len(_SECONDS))
    for lead, second in _UNEVEN_STARTS:
        marks[_LEADS.index(lead) * len(_SECONDS) + _SECONDS.index(second)] = 1
    return bytes(marks)


def _folded(data: bytes) -> bytes:
    # The table folds the case of ASCII letters; other letters need decoded text. `casefold`, unlike
    # `lower`, merges all letters that a case-insensitive search treats as equal.
    return data if data.isascii() else data.decode("utf-8", "replace").casefold().encode()


def _packed(classes: bytes) -> bytes:
    found = set(zip(classes, classes[1:], classes[2:], strict=False))
    codes = sorted([_code(three) for three in found if _WHITE_SPACE not in three])
    return b"".join([code.to_bytes(_CODE_BYTES, "little") for code in codes])


def _code(three: tuple[int, int, int]) -> int:
    first, second, third = three
    return (first << _CLASS_BITS | second) << _CLASS_BITS | third


def literal_trigrams(literal: str, limit: int) -> list[int]:
    """Return the first `limit` trigrams that every text with this literal contains."""
    letters = literal.casefold().encode("utf-8", "surrogatepass").translate(_CLASSES)
    codes: dict[int, None] = {}
    for three in zip(letters, letters[1:], letters[2:], strict=False):
        if _WHITE_SPACE in three:
            continue
        codes[_code(three)] = None
        if len(codes) == limit:
            break
    return list(codes)


def _class_of(value: int) -> int:
    character = chr(value)
    if not character.isascii():
        return _OTHER
    if character.isalpha():
        return ord(character.lower()) - ord("a")
    if character.isdigit():
        return _DIGIT
    if character == "_":
        return _UNDERSCORE
    if character.isspace() or not character.isprintable():
        return _WHITE_SPACE
    return _PUNCTUATION[value % 2]


_CLASSES: Final = bytes(map(_class_of, range(256)))
