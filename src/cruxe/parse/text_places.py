"""Places: what is read from a text without a grammar, in the shape that a query gives.

A language's rules may read a text themselves (`Rules.read`), because no grammar serves it or beside
one; what they find goes the way of all matches. A place answers what the pipeline asks of a node.
"""

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cruxe.model.symbols import Import, ParseProblem, ProblemKind, SymbolKind
from cruxe.parse.pattern_subjects import placed_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from cruxe.model.symbols import Span
    from cruxe.parse.source_text import SourceText

    Match = tuple[int, dict[str, list[Node]]]
    # The rank of its kind, where it ends, and its qualifier.
    Mention = tuple[int, int, Span | None]


# A symbol as far as an outline tells it: name, scope, kind, parent, first and last line,
# line of the name, signature. A plain tuple, since it is only unpacked.
Draft = tuple[str, str, SymbolKind, int, int, int, int, str]


class Outline(NamedTuple):
    """What was read of one file; drafts in file order, parents before children."""

    drafts: list[Draft]
    comments: "list[Span]"
    problems: tuple[ParseProblem, ...] = ()
    imports: tuple[Import, ...] = ()  # in order
    # By offset, without the names of the symbols themselves; absent where a format has none.
    sites: "dict[int, Mention] | None" = None
    owners: tuple[tuple[int, int, int], ...] = ()  # as in `FileSymbols`; only sites need them


def broken_at(line: int) -> tuple[ParseProblem, ...]:
    """The problem of a text that makes no sense at a line."""
    return (ParseProblem(ProblemKind.SYNTAX_ERROR, line),)


class Place(NamedTuple):
    """A stretch of text, standing in for a node: offsets, and points as (row, column)."""

    start_byte: int
    end_byte: int
    type: str
    line_starts: list[int]

    @property
    def byte_range(self) -> tuple[int, int]:
        """Both offsets."""
        return self.start_byte, self.end_byte

    @property
    def start_point(self) -> tuple[int, int]:
        """Where it starts."""
        return _point(self.line_starts, self.start_byte)

    @property
    def end_point(self) -> tuple[int, int]:
        """Where it ends."""
        return _point(self.line_starts, self.end_byte)

    @property
    def parent(self) -> None:
        """Nothing: a place is in no tree."""
        return

    @property
    def prev_sibling(self) -> None:
        """Nothing: a place is in no tree."""
        return

    def child_by_field_name(self, name: str) -> None:
        """Nothing: a place is in no tree."""
        del name


def place(source: "SourceText", start: int, end: int, kind: str = "") -> "Node":
    """The stretch between two offsets, to be captured; `kind` is its node type."""
    return cast("Node", _NEW(Place, (start, end, kind, source.line_starts)))


def matched(subject: str, whole: "Node", **captures: "Node") -> "Match":
    """A match as a query would give it: what it is about, and the captures beside that."""
    found = {subject: [whole]}
    for name, node in captures.items():
        found[name] = [node]
    return placed_pattern(subject), found


def section_ends(levels: "Sequence[int]", starts: "Sequence[int]", end: int) -> list[int]:
    """Where each section ends: at the next heading of its level or above."""
    ends = [end] * len(levels)
    opened: list[int] = []
    for position, level in enumerate(levels):
        while opened and levels[opened[-1]] >= level:
            ends[opened.pop()] = starts[position]
        opened.append(position)
    return ends


# Half the time that the type's own constructor takes.
_NEW: Final = tuple[object, ...].__new__


def _point(line_starts: list[int], offset: int) -> tuple[int, int]:
    row = bisect_right(line_starts, offset) - 1
    return row, offset - line_starts[row]
