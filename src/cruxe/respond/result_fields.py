"""Optional fields of a result left out or replaced, whatever the type of the result."""

from collections.abc import Mapping
from typing import TypeVar, cast

PartT = TypeVar("PartT", bound=Mapping[str, object])


def omit_empty(part: PartT) -> PartT:
    """The part without the optional fields that hold an empty text, an empty list or None."""
    kept = {name: value for name, value in part.items() if value not in ("", None, [])}
    return _same_type(part, kept)


def omit_field(part: PartT, field: str) -> PartT:
    """The part without one of its optional fields."""
    return _same_type(part, {name: value for name, value in part.items() if name != field})


def replace_field(part: PartT, field: str, value: object) -> PartT:
    """The part with another value of the type that the field has."""
    return _same_type(part, {**part, field: value})


def _same_type(_: PartT, fields: dict[str, object]) -> PartT:
    # No checker can express "this TypedDict without some optional keys" for a type variable.
    return cast("PartT", fields)
