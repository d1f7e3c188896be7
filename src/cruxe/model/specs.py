"""What a question asks for, resolved: no defaults to look up, nothing of the wire."""

from cruxe.model.named import NamedTuple


class LocateSpec(NamedTuple):
    """What to find."""

    name: str
    kind: str | None = None
    role: str | None = None
    language: str | None = None
    limit: int = 10


class OutlineSpec(NamedTuple):
    """Which file's symbols to give."""

    path: str
    language: str | None = None  # only symbols of this language
    top_only: bool = False


class SearchSpec(NamedTuple):
    """What to find; how it is written is another matter."""

    query: str
    limit: int = 10
    offset: int = 0
    language: str | None = None
    kind: str | None = None
    role: str | None = None
    path: str | None = None  # a glob, or a part of the path
