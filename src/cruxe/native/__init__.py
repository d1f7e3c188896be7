"""Inner loops in C: the types of the extension's functions, and the extension if it was built.

Each kernel has a Python fallback that returns the same bytes, used if there is no compiler. A
kernel holds no policy: weights, limits and splitting rules are arguments. What each kernel saves is
in `docs/performance-log.md`; one that saves less than 3 % of an index or an answer is not kept.
"""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable
    from mmap import mmap
    from typing import Protocol

    from cruxe.native.parsing import ParsingKernels

    # The rows, scales, damped counts and centre of a model's table; the total weight, the weights
    # of path and stem, the fractions of a unit and the length of a stored vector.
    MixingTable = tuple[
        memoryview, array[int], array[int], array[int], int, float, float, float, float
    ]

    TableRows = tuple[mmap, int, int]  # the file, the offset of the first row, the dimensions
    VectorFiles = tuple[mmap | bytes, mmap | bytes]  # codes and numbers of rows
    # A query's numbers, the product of two vectors in the same direction, and the fraction of one
    # that similarities are rounded to.
    QueryNumbers = tuple[array[int], int, int]
    # The fields of `model.stored.NearWanted`.
    NearWanted = tuple[int, object, float, int, tuple[float, float]]
    # Key, first row and number of rows of each version, ordered by row.
    RowSpans = tuple[array[int], array[int], array[int]]
    # Tokens per shingle, bits of a bucket's number, rows per band, factors of both hashes.
    SketchRule = tuple[int, int, int, int, int]

    class WordMemo(Protocol):
        """A cache from words to their values: see `text/identifiers.py`."""

        def join(self, text: bytes, start: int, end: int, most: int, /) -> bytes:
            """Return the values of the first words between two offsets, joined."""
            ...

        def join_lines(self, text: bytes, /) -> list[bytes]:
            """Return the values of the words of each line, joined."""
            ...

    class PieceTable(Protocol):
        """The pieces of a vocabulary: see `embed/table.py`."""

        def pieces_of(self, part: bytes, /) -> bytes:
            """Return the packed indexes of the longest pieces that make up a part of a word."""
            ...

    class StampLook(Protocol):
        """A comparison of file stamps that starts on creation: see `workspace/read.py`."""

        def places(self) -> list[int]:
            """Wait for the end; return the indexes of files whose stamps changed. Call it once."""
            ...

    class FolderEvents(Protocol):
        """An inotify queue over folders: see `freshness/file_events.py`."""

        def drain(self) -> list[tuple[bytes, int]]:
            """Empty the queue; return paths below the root, each with its event mask."""
            ...

        def fileno(self) -> int:
            """Return a descriptor that is readable while there are events."""
            ...

    # `text.identifiers.NameRule`
    NameRule = tuple[WordMemo, Callable[[bytes], bytes] | None, int, int, int, bool, bytes]

    class Kernels(ParsingKernels, Protocol):
        """The functions and types of the extension."""

        # Starts to compare the stamps of a listing below a folder. Not on Windows.
        StampLook: Callable[[bytes, bytes, array[int]], StampLook]
        # Listens to NUL-terminated folders below a root. Only on Linux.
        FolderEvents: Callable[[bytes, bytes, int], FolderEvents]
        # Creates a cache from a function of a word to its value, a separator, the maximum number
        # of words, and the rule for splitting names.
        WordMemo: Callable[[Callable[[bytes], bytes], bytes, int, NameRule | None], WordMemo]

        PieceTable: Callable[[bytes], PieceTable]  # of a vocabulary, one piece per line

        def stamps_at(
            self, full_path: bytes, root_bytes: int, real_folders: set[bytes], /
        ) -> tuple[int, int, int, int] | None:
            """Return the stamps of a regular file: see `workspace/read.py`. Not on Windows."""
            ...

        def has_pair(self, text: bytes, pairs: bytes, /) -> bool:
            """Return whether a text needs case folding: see `text/trigrams.py`."""
            ...

        def packed_trigrams(self, text: bytes, classes: bytes, gap: int, /) -> bytes:
            """Return the distinct trigrams without a gap: see `text/trigrams.py`."""
            ...

        def lines_at(self, text: bytes, places: list[int], /) -> tuple[list[int], list[int], bytes]:
            """Return the fields of `PlacedLines` for some offsets: see `text/lines.py`."""
            ...

        def literal_places(
            self,
            text: bytes,
            literal: bytes,
            rarest: int,
            is_folded: bool,  # noqa: FBT001 - C takes no keywords
            /,
        ) -> list[int]:
            """Return where a literal begins on each line: see `text/literal_search.py`."""
            ...

        def invert_sets(self, sets: list[bytes], first_place: int, /) -> list[tuple[int, bytes]]:
            """Return which sets hold each trigram: see `store/local/inversion.py`."""
            ...

        def ascii_fingerprint(
            self, text: bytes, rule: SketchRule, /
        ) -> tuple[frozenset[int], frozenset[int]]:
            """Return the shingles and bands of a text: see `text/minhash.py`."""
            ...

        def file_vectors(
            self, table: MixingTable, chunks: list[bytes], doc: bytes, path: bytes, stem: bytes, /
        ) -> tuple[bytes, bytes]:
            """Return numbers and codes of chunks, then docs: see `embed/encoding.py`."""
            ...

        def directed(
            self,
            table: TableRows,
            places: array[int],
            factors: array[int],
            fractions: float,
            length: float,
            /,
        ) -> bytes:
            """Return packed numbers in the direction of a sum of rows: see `embed/encoding.py`."""
            ...

        def nearest_files(
            self,
            files: VectorFiles,
            runs: array[int],
            query: QueryNumbers,
            wanted: NearWanted,
            spans: RowSpans,
            /,
        ) -> tuple[dict[int, tuple[float, float, float]], dict[int, list[int]], float]:
            """Return the fields of `model.stored.NearFiles`: see `store/local/vector_reader.py`."""
            ...


def _load() -> "Kernels | None":
    try:
        # Not through `importlib`, whose import takes half a millisecond.
        return cast("Kernels", __import__("cruxe.native._kernels", fromlist=["WordMemo"]))
    except ImportError:
        return None


_loaded = _load()


def kernels() -> "Kernels | None":
    """Return the extension, or None if it was not built."""
    return _loaded
