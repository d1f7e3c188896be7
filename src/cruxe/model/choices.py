"""Closed choices by name. The error for an unknown value suggests the nearest one."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from cruxe.model.errors import InvalidInputError


def nearest_hint(value: str, choices: Sequence[str]) -> str:
    """Return the end of a message that suggests the nearest choice, or an empty string."""
    from difflib import get_close_matches

    nearest = get_close_matches(value, choices, 1)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def not_a_choice(field: str, value: str, choices: Sequence[str]) -> InvalidInputError:
    """Return the error for a value outside a closed choice, with the nearest choice."""
    return InvalidInputError(
        f"{field} is {value!r}{nearest_hint(value, choices)}",
        remedy=f"use one of {', '.join(choices)}",
        data={"field": field, "choices": tuple(choices)},
    )


def spelled_as(value: str, choices: Iterable[str]) -> str:
    """Return the choice that a value spells in another case or with hyphens, or the value."""
    folded = value.strip().lower().replace("-", "_")
    return next((each for each in choices if each.lower().replace("-", "_") == folded), value)


def read_choice(field: str, value: str, choices: type[StrEnum]) -> str:
    """Return the canonical name of a choice; raise for an unknown value."""
    try:
        return choices(spelled_as(value, choices)).value
    except ValueError:
        raise not_a_choice(field, value, [each.value for each in choices]) from None
