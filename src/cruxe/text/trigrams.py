"""Trigrams of a text, folded to 32 classes of bytes: what narrows a literal search to files.

A class merges letters that differ only in case, the digits, and punctuation in groups. Trigrams
across white space are left out: they are a third of all and tell files apart least. The set of a
text contains the set of each of its parts, whatever the case: it narrows, the text decides.
"""

import sys
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LENGTH: Final = 3
_CLASS_BITS: Final = 5
_CODES: Final = 1 << _LENGTH * _CLASS_BITS
# Terms are single characters of three bytes, clear of the surrogates.
_FIRST_CODE_POINT: Final = 0x1000
_DIGIT: Final = 26
_UNDERSCORE: Final = 27
_WHITE_SPACE: Final = 28
_PUNCTUATION: Final = (29, 30)
_OTHER: Final = 31
# A file or two of the usual size; a process that reads more goes on reading. Loading numpy takes
# as long as twenty times this without it.
_WORTH_NUMPY_BYTES: Final = 32_000


def trigram_terms(data: bytes) -> str:
    """The distinct trigrams of a text in UTF-8 as terms, a space after each, in rising order."""
    # The table folds the case of ASCII letters; only text knows that of others.
    # Folding, unlike lower case, joins all that a search without case takes for the same letter.
    folded = data if data.isascii() else data.decode("utf-8", "replace").casefold().encode()
    classes = folded.translate(_CLASSES)
    if len(classes) < _LENGTH:
        return ""
    _Read.bytes += len(classes)
    is_worth_numpy = "numpy" in sys.modules or _Read.bytes > _WORTH_NUMPY_BYTES
    return (_terms_by_numpy if is_worth_numpy else _terms)(classes)


class _Read:
    """How much this process has read so far."""

    bytes = 0


def load_numpy() -> None:
    """Load what many texts are worth."""
    _tables()


def _terms(classes: bytes) -> str:
    found = set(zip(classes, classes[1:], classes[2:], strict=False))
    codes = [_code(three) for three in found if _WHITE_SPACE not in three]
    return "".join([f"{chr(_FIRST_CODE_POINT + code)} " for code in sorted(codes)])


def _code(three: tuple[int, int, int]) -> int:
    first, second, third = three
    return (first << _CLASS_BITS | second) << _CLASS_BITS | third


def _terms_by_numpy(classes: bytes) -> str:
    import numpy as np

    letters = np.frombuffer(classes, np.uint8).astype(np.uint16)
    codes = letters[:-2] << _CLASS_BITS
    codes |= letters[1:-1]
    codes <<= _CLASS_BITS
    codes |= letters[2:]
    seen = np.zeros(_CODES, np.bool_)
    seen[codes.astype(np.intp)] = True  # left to do this by itself, numpy takes twice the time
    is_term, terms = _tables()
    seen &= is_term
    return terms.compress(seen).tobytes().decode("utf-16-le")


def literal_trigrams(literal: str, limit: int) -> list[str]:
    """The first few of the terms that every text with a literal in it has.

    Without numpy, whose import takes longer than the search that this is for.
    """
    letters = literal.casefold().encode("utf-8", "surrogatepass").translate(_CLASSES)
    terms: dict[str, None] = {}
    for three in zip(letters, letters[1:], letters[2:], strict=False):
        if _WHITE_SPACE in three:
            continue
        terms[chr(_FIRST_CODE_POINT + _code(three))] = None
        if len(terms) == limit:
            break
    return list(terms)


@cache
def _tables() -> "tuple[NDArray[np.bool_], NDArray[np.uint32]]":
    """Of each code: whether it is a term, and the term with a space after it in UTF-16."""
    import numpy as np

    codes = np.arange(_CODES, dtype="<u4")
    is_term = np.ones(_CODES, np.bool_)
    for place in range(_LENGTH):
        is_term &= (codes >> place * _CLASS_BITS) % (1 << _CLASS_BITS) != _WHITE_SPACE
    return is_term, codes + np.uint32(_FIRST_CODE_POINT + (ord(" ") << 16))


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
