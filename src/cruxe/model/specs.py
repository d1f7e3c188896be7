"""What a question asks for, resolved: no defaults to look up, nothing of the wire."""

from typing import NamedTuple


class LocateSpec(NamedTuple):
    """What to find."""

    name: str
    kind: str | None = None
    role: str | None = None
    language: str | None = None
    limit: int = 10
