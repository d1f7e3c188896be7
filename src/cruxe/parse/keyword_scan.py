"""Words and signs that a grammar stumbles over, counted and found by one walk through a text."""

from cruxe.native import kernels


def words_in(data: bytes, words: tuple[bytes, ...]) -> int:
    """Which words stand in a text, a bit for each; there are at most 32 of two bytes or more."""
    in_c = kernels()
    if in_c is not None:
        return in_c.words_in(data, words)
    return sum((word in data) << number for number, word in enumerate(words))


def count_each(data: bytes, signs: bytes) -> list[int]:
    """How often a text has each of some bytes."""
    in_c = kernels()
    if in_c is not None:
        return in_c.count_each(data, signs)
    return [data.count(sign) for sign in signs]
