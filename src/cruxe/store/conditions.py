"""Abstract conditions on documents; each backend translates them for its engine."""

from typing import NamedTuple

from cruxe.model.identity import VersionKey


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


class OfVersions(NamedTuple):
    """The document belongs to one of some versions."""

    versions: tuple[VersionKey, ...]


Condition = Holds | Every | Some | Lacks | OfVersions
