"""Estimate the number of language-model tokens in a text, without a model's vocabulary.

Words cost by length, runs of digits and punctuation more. A space before a word is free, and
whitespace around a line break costs one. The estimate tends to be too high.
"""

import re
from typing import Final

_PIECE: Final = re.compile(r"([^\W\d_]+)|(\d+)|([^\S ]\s*| {2,})|([^\w\s]+|_+)")
_LETTERS_PER_TOKEN: Final = 6
_FOREIGN_LETTERS_PER_TOKEN: Final = 2
_DIGITS_PER_TOKEN: Final = 3
_SIGNS_PER_TOKEN: Final = 2


def estimate_tokens(text: str) -> int:
    """Return the estimated number of tokens; at least 1 for a text that is not blank."""
    return sum(_cost(piece) for piece in _PIECE.finditer(text))


# Two texts are compared by the number of these: three times as fast as `estimate_tokens`. Of 630
# files beside their outlines, by the tokens of o200k, no outline was favoured by over 9 %.
_ROUGH_PIECE: Final = re.compile(r"[^\W\d_]{1,7}|\d{1,3}|[^\w\s]{1,2}|_|\n")


def rough_weight(text: str) -> int:
    """Return a number to compare texts by: about proportional to their tokens."""
    return len(_ROUGH_PIECE.findall(text))


def _cost(piece: re.Match[str]) -> int:
    length = piece.end() - piece.start()
    if piece[1]:
        per_token = _LETTERS_PER_TOKEN if piece[0].isascii() else _FOREIGN_LETTERS_PER_TOKEN
        return -(-length // per_token)
    if piece[2]:
        return -(-length // _DIGITS_PER_TOKEN)
    return 1 if piece[3] else -(-length // _SIGNS_PER_TOKEN)
