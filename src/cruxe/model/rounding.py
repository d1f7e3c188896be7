"""Figures of six digits: enough to order by, few enough to be the same on every machine."""

from typing import Final

PARTS: Final = 1_000_000
DIGITS: Final = 6
# What is further than this from both its neighbours is halfway, as far as a product can tell.
NEARLY_HALF: Final = 0.499999


def rounded(value: float) -> float:
    """The same as `round(value, 6)`, in a third of the time: a question rounds thousands.

    What is halfway between two figures is rounded by its digits: there a product may be off.
    """
    product = value * PARTS
    whole = round(product)
    return whole / PARTS if abs(product - whole) < NEARLY_HALF else round(value, DIGITS)


def parts_of(value: float) -> int:
    """The millionths of a rounded figure: whole numbers, which add up exactly."""
    product = value * PARTS
    whole = round(product)
    return whole if abs(product - whole) < NEARLY_HALF else round(round(value, DIGITS) * PARTS)
