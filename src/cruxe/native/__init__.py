"""Inner loops in C: the types of what the extension offers, and the extension if it was built.

Each kernel has a fallback in Python that gives the same bytes, used where there is no compiler. A
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

    TableRows = tuple[mmap, int, int]  # the offset of the first row, and the numbers in one
    VectorFiles = tuple[mmap | bytes, mmap | bytes]  # codes and numbers of rows
    # A question's numbers, the product of two vectors in the same direction, and the parts of one
    # that similarities are rounded to.
    QueryNumbers = tuple[array[int], int, int]
    # The fields of `model.stored.NearWanted`.
    NearWanted = tuple[int, object, float, int, tuple[float, float]]
    # The key, the first row and the number of rows of each version, in the order of their rows.
    RowSpans = tuple[array[int], array[int], array[int]]
    # Tokens of a shingle, bits of a bucket's number, rows of a band, factors of both hashes.
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
        """The pieces of a vocabulary: see `embed/vocabulary.py`."""

        def pieces_of(self, part: bytes, /) -> bytes:
            """Return the packed indices of the longest pieces that make up a part of a word."""
            ...

    class StampLook(Protocol):
        """A look at files, begun when it is made: see `workspace/stamps.py`."""

        def places(self) -> list[int]:
            """Wait for the end; return the indices of files with other stamps. Call it once."""
            ...

    class FolderEvents(Protocol):
        """An inotify queue over folders: see `freshness/file_events.py`."""

        def drain(self) -> list[tuple[bytes, int]]:
            """Empty the queue: paths below the root, each with the mask of its event."""
            ...

        def fileno(self) -> int:
            """A descriptor that is readable while there are events."""
            ...

    # `text.identifiers.NameRule`
    NameRule = tuple[WordMemo, Callable[[bytes], bytes] | None, int, int, int, bool, bytes]

    class Kernels(ParsingKernels, Protocol):
        """What the extension offers."""

        # Begins to look at the paths of a listing below a folder; not there on Windows.
        StampLook: Callable[[bytes, bytes, array[int]], StampLook]
        # Listens to folders below a root, each ended by NUL; there on Linux alone.
        FolderEvents: Callable[[bytes, bytes, int], FolderEvents]
        # Makes a memo from what turns a word into its value, a separator, the most words to keep,
        # and how names are split.
        WordMemo: Callable[[Callable[[bytes], bytes], bytes, int, NameRule | None], WordMemo]

        PieceTable: Callable[[bytes], PieceTable]  # of a vocabulary, one piece a line

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
            """Return numbers and codes of chunks, then docs: see `embed/static_vectors.py`."""
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
            """Return packed numbers in the direction of a sum of rows: see there."""
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
        # Not by `importlib`, which takes half a millisecond to import.
        return cast("Kernels", __import__("cruxe.native._kernels", fromlist=["WordMemo"]))
    except ImportError:
        return None


_loaded = _load()


def kernels() -> "Kernels | None":
    """Return the extension, or None if it was not built."""
    return _loaded
