"""What the extension does for the parser, as types; nothing here runs.

Nodes of a tree and kinds of sites are the parser's and the model's: whatever comes in goes out.
"""

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    Captures = TypeVar("Captures")
    ChunkType = TypeVar("ChunkType")
    Kind = TypeVar("Kind")
    Visibility = TypeVar("Visibility")

    Span = tuple[int, int]
    # Where a definition starts and ends, by offset and by line; offsets and line of its name.
    DefinitionNumbers = tuple[int, int, int, int, int, int, int]
    # Definitions, spans of comments, what is neither they nor sites, and sites as numbers.
    SortedMatches = tuple[
        list[tuple[str, Captures, DefinitionNumbers]],
        list[Span],
        list[tuple[str, Captures]],
        bytes,
    ]
    # The bytes, where lines start, what folds a receiver, and whether a path may stand before it.
    SiteText = tuple[bytes, list[int], Callable[[int, int], str], bool]
    # Offsets of definitions' names, of owners, and who owns what is behind so many of them.
    SiteSurroundings = tuple[list[int], list[int], list[int]]
    # Kinds by rank, names that every file knows, scopes of type parameters, and what a file binds.
    SiteNames = tuple[
        tuple[Kind, ...], frozenset[str], dict[str, list[tuple[int, int]]], set[str] | None
    ]

    # Kinds that are no place to cut at; where a symbol has its kind, parent, first and last line;
    # most bytes that are merged and not split, most lines, bytes that settle, the last ordinal.
    CuttingRule = tuple[frozenset[Kind], tuple[int, int, int, int], tuple[int, int, int, int, int]]

    class ParsingKernels(Protocol):
        """Loops over matches, sites and text."""

        def sort_matches(
            self,
            matches: list[tuple[int, Captures]],
            subjects: tuple[object, ...],
            data: bytes,
            line_starts: list[int],
            /,
        ) -> SortedMatches[Captures]:
            """Matches by what they are about: see `parse/query_matches.py`."""
            ...

        def place_sites(
            self,
            sites: bytes,
            text: SiteText,
            around: SiteSurroundings,
            names: SiteNames[Kind],
            /,
        ) -> bytes:
            """Sites with names, lines and owners, as JSON: see `parse/sites.py`."""
            ...

        def pack_symbols(
            self,
            version_key: int,
            symbols: tuple[tuple[object, ...], ...],
            codes: tuple[dict[Kind, int], dict[Visibility, int]],
            fold_name: Callable[[str], str],
            /,
        ) -> tuple[bytes, bytes]:
            """Rows of symbols in MessagePack, and scopes as JSON: see `store/records.py`."""
            ...

        def cut_chunks(
            self,
            text: tuple[bytes, list[int]],
            symbols: tuple[tuple[tuple[object, ...], ...], list[int]],
            chunk: type[ChunkType],
            rule: CuttingRule[Kind],
            /,
        ) -> tuple[ChunkType, ...]:
            """All lines of a file in chunks: see `parse/chunks.py`."""
            ...

        def plain_comments(self, comments: list[str], most: int, /) -> str | None:
            """Comments as prose if all is plain ASCII: see `parse/comment_prose.py`."""
            ...

        def head_between(self, text: bytes, start: int, end: int, most: int, /) -> str | None:
            """A head on one line if it is plain ASCII: see `parse/language.py`."""
            ...

        def line_between(self, text: bytes, start: int, end: int, most: int, /) -> str | None:
            """Any text on one line if it is plain ASCII: see `parse/language.py`."""
            ...

        def python_head(
            self, text: bytes, start: int, name_end: int, end: int, most: int, /
        ) -> tuple[str, int, int] | None:
            """A plain head, and its docstring: see `parse/languages/python/heads.py`."""
            ...

        def line_starts(self, text: bytes, /) -> list[int]:
            """Where lines start, if they end in line feeds: see `text/lines.py`."""
            ...

        def capital_words(self, text: bytes, /) -> list[int]:
            """Where words in capitals may be macros: see `parse/languages/c/macros.py`."""
            ...

        def words_in(self, text: bytes, words: tuple[bytes, ...], /) -> int:
            """Which words stand in a text: see `parse/keyword_scan.py`."""
            ...

        def count_each(self, text: bytes, signs: bytes, /) -> list[int]:
            """How often a text has each of some bytes: see `parse/keyword_scan.py`."""
            ...
