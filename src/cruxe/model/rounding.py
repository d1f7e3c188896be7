"""Figures of six digits: enough to order by, few enough to be the same on every machine."""

from typing import Final

PARTS: Final = 1_000_000
# What is further than this from both its neighbours is halfway, as far as a product can tell.
_NEARLY_HALF: Final = 0.499999


def rounded(value: float) -> float:
    """The same as `round(value, 6)` to the bit."""
    return parts_of(value) / PARTS


def parts_of(value: float) -> int:
    """The millionths of a rounded figure; whole numbers of them add up exactly.

    A question rounds thousands of figures, and by a product it takes a third of the time. What is
    halfway between two is rounded by its digits: there a product may be off.
    """
    product = value * PARTS
    whole = round(product)
    if abs(product - whole) < _NEARLY_HALF:
        return whole
    return round(round(value, 6) * PARTS)
