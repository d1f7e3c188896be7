"""How many tokens a language model sees in a text, about: without any model's own vocabulary.

Words cost by their length, runs of digits and punctuation more; a space before a word is free and
white space around a line break costs one. It errs on the side of more.
"""

import re
from typing import Final

_PIECE: Final = re.compile(r"([^\W\d_]+)|(\d+)|([^\S ]\s*| {2,})|([^\w\s]+|_+)")
_LETTERS_PER_TOKEN: Final = 6
_FOREIGN_LETTERS_PER_TOKEN: Final = 2
_DIGITS_PER_TOKEN: Final = 3
_SIGNS_PER_TOKEN: Final = 2


def estimate_tokens(text: str) -> int:
    """The tokens of a text, about; never none for a text that is not blank."""
    return sum(_cost(piece) for piece in _PIECE.finditer(text))


def _cost(piece: re.Match[str]) -> int:
    length = piece.end() - piece.start()
    if piece[1]:
        per_token = _LETTERS_PER_TOKEN if piece[0].isascii() else _FOREIGN_LETTERS_PER_TOKEN
        return -(-length // per_token)
    if piece[2]:
        return -(-length // _DIGITS_PER_TOKEN)
    return 1 if piece[3] else -(-length // _SIGNS_PER_TOKEN)
