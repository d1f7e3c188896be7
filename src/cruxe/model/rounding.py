"""Figures of six digits: enough to order by, few enough to be the same on every machine."""

from collections.abc import Iterable
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


def sum_of_parts(values: Iterable[float]) -> int:
    """The sum of rounded figures in millionths: whole numbers, which add up exactly."""
    total = 0
    for value in values:
        product = value * PARTS
        whole = round(product)
        is_sure = abs(product - whole) < NEARLY_HALF
        total += whole if is_sure else round(round(value, DIGITS) * PARTS)
    return total
