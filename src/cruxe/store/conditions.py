"""Conditions on documents, which each backend translates for its own engine."""

from typing import NamedTuple


class Holds(NamedTuple):
    """A document that holds a term in a field."""

    field: str
    term: str


class Every(NamedTuple):
    """A document that meets all conditions."""

    conditions: "tuple[Condition, ...]"


class Some(NamedTuple):
    """A document that meets at least one of the conditions."""

    conditions: "tuple[Condition, ...]"


class Lacks(NamedTuple):
    """A document that does not meet a condition."""

    condition: "Condition"


Condition = Holds | Every | Some | Lacks
