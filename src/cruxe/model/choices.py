"""Closed choices as callers name them; to one who names another, the nearest is told."""

from collections.abc import Sequence
from enum import StrEnum

from cruxe.model.errors import InvalidInputError


def nearest_hint(value: str, choices: Sequence[str]) -> str:
    """The end of a message: the choice that was probably meant, or nothing."""
    from difflib import get_close_matches

    nearest = get_close_matches(value, choices, 1)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def not_a_choice(field: str, value: str, choices: Sequence[str]) -> InvalidInputError:
    """The error of a value outside a closed choice, with the nearest inside."""
    return InvalidInputError(
        f"{field} is {value!r}{nearest_hint(value, choices)}",
        remedy=f"use one of {', '.join(choices)}",
        data={"field": field, "choices": tuple(choices)},
    )


def read_choice(field: str, value: str, choices: type[StrEnum]) -> str:
    """Return a choice by its canonical name; raise for a value outside."""
    try:
        return choices(value).value
    except ValueError:
        raise not_a_choice(field, value, [each.value for each in choices]) from None
