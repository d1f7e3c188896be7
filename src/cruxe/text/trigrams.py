"""Trigrams of a text, folded to 32 classes of bytes: what narrows a literal search to files.

A class merges letters that differ only in case, the digits, and punctuation in groups. Trigrams
across white space are left out: they are a third of all and tell files apart least. The set of a
text contains the set of each of its parts, whatever the case: it narrows, the text decides.
"""

from typing import Final

_LENGTH: Final = 3
_CLASS_BITS: Final = 5
# Terms are single characters of three bytes, clear of the surrogates.
_FIRST_CODE_POINT: Final = 0x1000
_DIGIT: Final = 26
_UNDERSCORE: Final = 27
_WHITE_SPACE: Final = 28
_PUNCTUATION: Final = (29, 30)
_OTHER: Final = 31


def trigram_terms(data: bytes) -> str:
    """The distinct trigrams of a text in UTF-8 as terms joined by spaces, in rising order."""
    import numpy as np

    # The table folds the case of ASCII letters; only text knows that of others.
    folded = data if data.isascii() else data.decode("utf-8", "replace").lower().encode()
    letters = np.frombuffer(folded.translate(_CLASSES), np.uint8)
    if len(letters) < _LENGTH:
        return ""
    codes = letters[:-2].astype(np.intp)
    for following in (letters[1:-1], letters[2:]):
        codes <<= _CLASS_BITS
        codes |= following
    seen = np.zeros((1 << _CLASS_BITS,) * _LENGTH, np.bool_)
    seen.reshape(-1)[codes] = True
    seen[_WHITE_SPACE] = seen[:, _WHITE_SPACE] = seen[:, :, _WHITE_SPACE] = False
    found = np.flatnonzero(seen)
    characters = np.full(2 * len(found), ord(" "), np.uint16)
    characters[::2] = found + _FIRST_CODE_POINT
    return characters.astype("<u2").tobytes().decode("utf-16-le")


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
