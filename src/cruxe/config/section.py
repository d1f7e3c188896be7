"""What every class of settings is: frozen, compared by value, with defaults in the class.

Named tuples would do the same at four times the cost: two dozen of them take several milliseconds
of every start, and their field could not be called `index`.
"""

from functools import cached_property
from typing import Never, Self, dataclass_transform


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Section:
    """A group of settings; the annotated class attributes are its fields and their defaults."""

    def __init__(self, **values: object) -> None:
        """Take the values that differ from the defaults."""
        unknown = values.keys() - type(self).__annotations__.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        self.__dict__.update(values)

    def replace(self, **changes: object) -> Self:
        """Give a copy with some values changed."""
        return type(self)(**(self.__getstate__() | changes))

    def members(self) -> dict[str, object]:
        """Give the value of every field, in the order they are declared."""
        return {name: getattr(self, name) for name in type(self).__annotations__}

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"settings are frozen; {name} cannot be set to {value!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.members() == other.members()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Taken once: much is kept by the settings that it was made under."""
        return hash(tuple(self.members().values()))

    def __getstate__(self) -> dict[str, object]:
        """The values that were given; a hash is good in its own process only."""
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.members().items())
        return f"{type(self).__name__}({values})"
