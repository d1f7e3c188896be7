"""Named tuples that cost little to define: `typing.NamedTuple`, made when first needed.

The original checks every annotation and compiles a constructor for every class that a module
defines, whether or not the run makes instances of it. A question defines over a hundred, and of
most that it uses it makes one or two. For those who check types this is the original.
"""

import sys
from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING or sys.version_info >= (3, 14):  # where annotations wait by themselves
    from typing import NamedTuple
else:
    # The getter is private, yet what the original uses: twice as fast as a property.
    from collections import _tuplegetter, namedtuple
    from collections.abc import Iterable
    from itertools import count
    from typing import Self

    from cruxe.native import kernels

    # So many instances made without a compiled constructor cost what it takes to compile one.
    _FEW = 25

    _in_c = kernels()

    # In C a call of a class makes an instance by itself, in half the time.
    class _Definition(type if _in_c is None else _in_c.ClassOfFields):
        """Turns annotated names into fields."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> Self:
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {field: namespace.pop(field) for field in fields if field in namespace}
            if [*defaults] != [*fields[len(fields) - len(defaults) :]]:
                raise TypeError(f"{name} has a field without a default after one that has one")
            getters = {field: _tuplegetter(place, None) for place, field in enumerate(fields)}
            told = {"__slots__": (), "__match_args__": fields, "_fields": fields}
            members = namespace | getters | told | {"_field_defaults": defaults, "_made": count()}
            return super().__new__(cls, name, bases, members)

    class NamedTuple(tuple, metaclass=_Definition):  # noqa: SLOT001 - made by the metaclass
        """A tuple whose places have names; subclasses annotate them."""

        def __new__(cls, *values: object, **named: object) -> Self:
            """Make one of the first instances; most classes have no others."""
            if next(cls._made) > _FEW:
                return _make_and_compile(cls, *values, **named)
            given, fields = len(values), cls._fields
            if given == len(fields) and not named:
                return tuple.__new__(cls, values)
            rest = fields[given:]
            known = cls._field_defaults | named
            if given > len(fields) or not named.keys() <= {*rest} or not known.keys() >= {*rest}:
                return _make_and_compile(cls, *values, **named)  # which says what is wrong
            return tuple.__new__(cls, (*values, *map(known.__getitem__, rest)))

        @classmethod
        def _make(cls, values: Iterable[object]) -> Self:
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} takes {len(cls._fields)} values, not {len(made)}")
            return made

        def _replace(self, **changes: object) -> Self:
            changed = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"{type(self).__name__} has no {', '.join(changes)}")
            return changed

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            shown = (f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({', '.join(shown)})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

    def _make_and_compile(cls: type[NamedTuple], *values: object, **named: object) -> NamedTuple:
        """Make an instance, and all later ones by a constructor that is compiled for the class."""
        defaults = cls._field_defaults.values()
        compiled = namedtuple(cls.__name__, cls._fields, defaults=defaults).__new__  # noqa: PYI024
        cls.__new__ = compiled
        return compiled(cls, *values, **named)
