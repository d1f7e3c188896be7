"""Matches and outlines that a language's rules read from a text without a grammar.

`Rules.read` returns matches in the form of a query's matches, so both are processed alike. A
`Place` is a span of text with the attributes of a tree-sitter node that the parser uses.
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
    # Rank of the kind, end offset, span of the qualifier.
    Mention = tuple[int, int, Span | None]


# A symbol of an outline: name, scope, kind, parent, first and last line, line of the name,
# signature. A plain tuple, since it is only unpacked.
Draft = tuple[str, str, SymbolKind, int, int, int, int, str]


class Outline(NamedTuple):
    """The content of one file; drafts in file order, parents before children."""

    drafts: list[Draft]
    comments: "list[Span]"
    problems: tuple[ParseProblem, ...] = ()
    imports: tuple[Import, ...] = ()  # in order
    # By offset, without the symbols' own names; None if the format has no sites.
    sites: "dict[int, Mention] | None" = None
    owners: tuple[tuple[int, int, int], ...] = ()  # as in `FileSymbols`; only used for sites


def broken_at(line: int) -> tuple[ParseProblem, ...]:
    """Return a syntax error at a line, as a tuple of problems."""
    return (ParseProblem(ProblemKind.SYNTAX_ERROR, line),)


class Place(NamedTuple):
    """A span of text in place of a node: offsets, and points as (row, column)."""

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
        """Row and column of the start."""
        return _point(self.line_starts, self.start_byte)

    @property
    def end_point(self) -> tuple[int, int]:
        """Row and column of the end."""
        return _point(self.line_starts, self.end_byte)

    @property
    def parent(self) -> None:
        """None: a place is in no tree."""
        return

    @property
    def prev_sibling(self) -> None:
        """None: a place is in no tree."""
        return

    def child_by_field_name(self, name: str) -> None:
        """Return None: a place is in no tree."""
        del name


def place(source: "SourceText", start: int, end: int, kind: str = "") -> "Node":
    """Return the span between two offsets as a node to capture; `kind` is its node type."""
    return cast("Node", _NEW(Place, (start, end, kind, source.line_starts)))


def matched(subject: str, whole: "Node", **captures: "Node") -> "Match":
    """Return a match as a query would: `subject` captures `whole`, `captures` are added."""
    found = {subject: [whole]}
    for name, node in captures.items():
        found[name] = [node]
    return placed_pattern(subject), found


def section_ends(levels: "Sequence[int]", starts: "Sequence[int]", end: int) -> list[int]:
    """Return where each section ends: at the next heading of its level or above."""
    ends = [end] * len(levels)
    opened: list[int] = []
    for position, level in enumerate(levels):
        while opened and levels[opened[-1]] >= level:
            ends[opened.pop()] = starts[position]
        opened.append(position)
    return ends


# Takes half the time of the named tuple's constructor.
_NEW: Final = tuple[object, ...].__new__


def _point(line_starts: list[int], offset: int) -> tuple[int, int]:
    row = bisect_right(line_starts, offset) - 1
    return row, offset - line_starts[row]
