"""Types of the extension's functions for the parser; no runtime code.

The kernels pass tree nodes and site kinds through without interpreting them.
"""

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    Captures = TypeVar("Captures")
    Kind = TypeVar("Kind")
    Subject = TypeVar("Subject")

    Span = tuple[int, int]
    # Start and end of a definition, as offsets and as lines; offsets and line of its name.
    DefinitionNumbers = tuple[int, int, int, int, int, int, int]
    # Definitions, spans of comments, other matches, and packed sites.
    SortedMatches = tuple[
        list[tuple[str, Captures, DefinitionNumbers]],
        list[Span],
        list[tuple[str, Captures]],
        bytes,
    ]
    # The subject of each pattern, and the numbers of the subjects "definition" and "comment".
    Subjects = tuple[tuple[Subject, ...], int, int]
    # The bytes, line starts, a function that folds a receiver, whether a path may precede it, and
    # the maximum length of a receiver that is kept unfolded.
    SiteText = tuple[bytes, list[int], Callable[[int, int], str], bool, int]
    # Offsets of definitions' names; offsets from which another symbol owns the text; the owners.
    SiteSurroundings = tuple[list[int], list[int], list[int]]
    # Kinds by rank, the ranks of calls and of references, built-in names, scopes of type
    # parameters, and the names that a file binds.
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
            """Sort matches by subject: see `parse/query_matches.py`."""
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
