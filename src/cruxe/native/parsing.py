"""What the extension does for the parser, as types; nothing here runs.

Nodes of a tree and kinds of sites belong to the parser and the model: the kernels only pass them
through.
"""

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    Captures = TypeVar("Captures")
    Kind = TypeVar("Kind")
    Subject = TypeVar("Subject")

    Span = tuple[int, int]
    # Where a definition starts and ends, by offset and by line; offsets and line of its name.
    DefinitionNumbers = tuple[int, int, int, int, int, int, int]
    # Definitions, spans of comments, matches that are neither they nor sites, and packed sites.
    SortedMatches = tuple[
        list[tuple[str, Captures, DefinitionNumbers]],
        list[Span],
        list[tuple[str, Captures]],
        bytes,
    ]
    # What each pattern is about, and the numbers that stand for a definition and a comment there.
    Subjects = tuple[tuple[Subject, ...], int, int]
    # The bytes, where lines start, what folds a receiver, whether a path may precede it, and the
    # most characters of one that are kept as they are.
    SiteText = tuple[bytes, list[int], Callable[[int, int], str], bool, int]
    # Offsets of definitions' names; offsets where another symbol owns what follows; the owners.
    SiteSurroundings = tuple[list[int], list[int], list[int]]
    # Kinds by rank, the ranks of calls and of references, names that every file knows, scopes of
    # type parameters, and the names that a file binds.
    SiteNames = tuple[
        tuple[Kind, ...], int, int, frozenset[str], dict[str, list[Span]], set[str] | None
    ]

    class ParsingKernels(Protocol):
        """Loops over matches and sites."""

        def sort_matches(
            self,
            matches: list[tuple[int, Captures]],
            subjects: Subjects[Subject],
            data: bytes,
            line_starts: list[int],
            /,
        ) -> SortedMatches[Captures]:
            """Sort matches by what they are about: see `parse/query_matches.py`."""
            ...

        def place_sites(
            self,
            sites: bytes,
            text: SiteText,
            around: SiteSurroundings,
            names: SiteNames[Kind],
            /,
        ) -> bytes:
            """Return sites with names, lines and owners, as JSON: see `parse/sites.py`."""
            ...
