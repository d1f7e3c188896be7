"""Whether a result has the shape that the contract declares: each key, its type, and no other."""

from collections.abc import Iterable, Iterator
from types import UnionType
from typing import Union, get_args, get_origin, get_type_hints, is_typeddict

from msgspec import ValidationError, convert


def shape_problems(result: object, types: Iterable[object]) -> list[str]:
    """What is wrong with a result, compared with the type it comes nearest to; empty if nothing."""
    found = [
        [*_wrong_values(result, declared), *_unknown_keys(result, declared)] for declared in types
    ]
    return min(found, key=len)


def _wrong_values(result: object, declared: object) -> Iterator[str]:
    """What is missing or of another type; unknown keys are not looked at."""
    try:
        convert(result, declared, strict=True)
    except ValidationError as error:
        yield str(error)


def _unknown_keys(value: object, declared: object, path: str = "$") -> Iterator[str]:
    """Every key, at any depth, that its type does not declare."""
    arguments = get_args(declared)
    if is_typeddict(declared) and isinstance(value, dict):
        fields = get_type_hints(declared)
        for key, part in value.items():
            if key in fields:
                yield from _unknown_keys(part, fields[key], f"{path}.{key}")
            else:
                yield f"{path}.{key} is not declared"
    elif get_origin(declared) is list and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unknown_keys(item, arguments[0], f"{path}[{index}]")
    elif get_origin(declared) is dict and isinstance(value, dict):
        for key, part in value.items():
            yield from _unknown_keys(part, arguments[1], f"{path}.{key}")
    elif get_origin(declared) in (Union, UnionType) and value is not None:
        others = [each for each in arguments if each is not type(None)]
        yield from min((list(_unknown_keys(value, each, path)) for each in others), key=len)
