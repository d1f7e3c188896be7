"""Enumerations of texts that cost little to define: `enum.StrEnum`, made in one go.

The original makes each member by a dozen steps that only other enumerations need, and a question
defines forty. In all else these are enumerations like any; for those who check types, the original.
"""

import sys
from typing import TYPE_CHECKING

__all__ = ["StrEnum"]

if TYPE_CHECKING or sys.version_info >= (3, 14):  # of which the insides are not known
    from enum import StrEnum
else:
    import enum

    # What later versions keep besides, for values that are no keys; texts all are.
    _KEPT_BESIDES = tuple(
        name
        for name in ("_unhashable_values_", "_hashable_values_", "_unhashable_values_map_")
        if name in vars(enum.StrEnum)
    )

    class _Definition(enum.EnumType):
        """Turns named texts into members."""

        @classmethod
        def __prepare__(cls, name: str, bases: tuple[type, ...]) -> dict[str, object]:
            del name, bases
            return {}

        def __new__(
            cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]
        ) -> "_Definition":
            texts = {
                key: value
                for key, value in namespace.items()
                if type(value) is str and not key.startswith("_")
            }
            members: dict[str, object] = {}
            by_value: dict[str, object] = {}
            told = {
                "_member_names_": [*texts],
                "_member_map_": members,
                "_value2member_map_": by_value,
            }
            besides = {each: type(getattr(enum.StrEnum, each))() for each in _KEPT_BESIDES}
            made = type.__new__(cls, name, bases, namespace | told | besides)
            for place, (key, value) in enumerate(texts.items()):
                member = str.__new__(made, value)
                member._name_, member._value_ = key, value
                member._sort_order_, member.__objclass__ = place, made
                members[key] = by_value[value] = member
                type.__setattr__(made, key, member)
            if len(by_value) < len(texts):
                raise ValueError(f"{name} has two members of one text")
            if texts:  # it cannot be subclassed, and is of the type that others look for
                made.__class__ = enum.EnumType
            return made

        def __init__(cls, *_: object) -> None:
            """Do nothing more: `__new__` has made all."""

    class StrEnum(enum.StrEnum, metaclass=_Definition):
        """Texts that have names; subclasses assign them."""

        __new__ = enum.Enum.__new__
