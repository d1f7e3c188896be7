"""Abstract conditions on documents; each backend translates them for its engine."""

from typing import NamedTuple


class Holds(NamedTuple):
    """The document has a term in a field."""

    field: str
    term: str


class Every(NamedTuple):
    """The document meets all conditions."""

    conditions: "tuple[Condition, ...]"


class Some(NamedTuple):
    """The document meets at least one of the conditions."""

    conditions: "tuple[Condition, ...]"


class Lacks(NamedTuple):
    """The document does not meet the condition."""

    condition: "Condition"


Condition = Holds | Every | Some | Lacks
