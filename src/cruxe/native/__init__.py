"""Inner loops in C, where they could be built; see `docs/decisions/0023-c-kernels-that-pay.md`.

Each has a twin in Python that gives the same to the bit, and is used where there is no compiler.
"""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Sequence
    from mmap import mmap
    from typing import Protocol

    from cruxe.native.parsing import ParsingKernels

    # The rows, scales, damped counts and centre of a model's table, then how parts are weighed.
    MixingTable = tuple[
        memoryview, array[int], array[int], array[int], int, float, float, float, float
    ]

    TableRows = tuple[mmap, int, int]  # the offset of the first, and the numbers in one
    VectorFiles = tuple[mmap | bytes, mmap | bytes]  # codes and numbers of rows
    # A question's numbers, and the product of two vectors in the same direction.
    QueryNumbers = tuple[array[int], int]
    # At least so many rows; of their files those in a container, and others nearer than this.
    NearWanted = tuple[int, object, float]
    # The key, the first row and the number of rows of each version, in the order of their rows.
    RowSpans = tuple[array[int], array[int], array[int]]

    # Scores, versions, chunks, first and last lines of hits.
    HitColumns = tuple[list[float], list[int], list[int], list[int], list[int]]
    HitRow = tuple[float, int, int, int, int]  # of one of them, the score negated

    class WordMemo(Protocol):
        """What words of a text are turned into: see `text/word_memo.py`."""

        def join(self, text: bytes, start: int, end: int, most: int, /) -> bytes:
            """What the first words of a part of a text are turned into."""
            ...

        def join_lines(self, text: bytes, /) -> list[bytes]:
            """What the words of each line of a text are turned into."""
            ...

    class WordPairs(Protocol):
        """What words are turned into by two memos: see `text/word_memo.py`."""

        def join_each(
            self, text: bytes, spans: list[tuple[int, int]], most: int, /
        ) -> tuple[list[bytes], list[bytes]]:
            """What all words of each span are turned into by one, and the first by the other."""
            ...

    class PieceTable(Protocol):
        """The pieces of a vocabulary: see `embed/word_pieces.py`."""

        def pieces_of(self, part: bytes, /) -> bytes:
            """The places of the longest pieces that a part of a word is made of, packed."""
            ...

    class StampLook(Protocol):
        """A look at files, begun when it is made: see `workspace/stamps.py`."""

        def places(self) -> list[int]:
            """Wait for the end; which files have other stamps. Told once."""
            ...

    class FolderEvents(Protocol):
        """An inotify queue over folders: see `freshness/file_events.py`."""

        def drain(self) -> list[tuple[bytes, int]]:
            """Empty the queue: paths below the root, each with the mask of its event."""
            ...

        def fileno(self) -> int:
            """A descriptor that is readable while there are events."""
            ...

    # `text.word_memo.NameRule`
    NameRule = tuple[WordMemo, Callable[[bytes], bytes] | None, int, int, int, bool]

    class Kernels(ParsingKernels, Protocol):
        """What the extension offers."""

        # Begins to look at the paths of a listing below a folder; not there on Windows.
        StampLook: Callable[[bytes, bytes, array[int]], StampLook]
        # Listens to folders below a root, each ended by NUL; there on Linux alone.
        FolderEvents: Callable[[bytes, bytes, int], FolderEvents]
        # Makes pairs from two memos of the type below, and the most to keep.
        WordPairs: Callable[[WordMemo, WordMemo, int], WordPairs]
        # Makes a memo from what turns a word into its value, a separator, the most to keep, and
        # how names are taken apart.
        WordMemo: Callable[[Callable[[bytes], bytes], bytes, int, NameRule | None], WordMemo]

        PieceTable: Callable[[bytes], PieceTable]  # of a vocabulary, one piece a line

        # Cuts the stems that Snowball leaves: see `text/stems.py`.
        stemmer_after: Callable[[Callable[[bytes], bytes]], Callable[[bytes], bytes]]

        ClassOfFields: type[type]  # which classes that `model.named` defines are of

        def stamps_at(
            self, full_path: bytes, root_bytes: int, real_folders: set[bytes], /
        ) -> tuple[int, int, int, int] | None:
            """The stamps of a regular file below a root: see `workspace/read.py`; no Windows."""
            ...

        def has_pair(self, text: bytes, pairs: bytes, /) -> bool:
            """Whether a text needs folding: see `text/trigrams.py`."""
            ...

        def packed_trigrams(self, text: bytes, classes: bytes, gap: int, /) -> bytes:
            """The distinct trigrams without a gap: see `text/trigrams.py`."""
            ...

        def chunk_documents(
            self,
            shared: tuple[bytes, bytes, bytes],
            chunks: tuple[tuple[int, int, int], ...],
            terms: list[bytes],
            named: list[tuple[int, bytes]],
            /,
        ) -> list[bytes]:
            """The documents of chunks: see `store/documents.py`."""
            ...

        def invert_sets(self, sets: list[bytes], first_place: int, /) -> list[tuple[int, bytes]]:
            """Which sets hold each trigram: see `store/local/inversion.py`."""
            ...

        def ascii_fingerprint(self, text: bytes, /) -> tuple[frozenset[int], frozenset[int]]:
            """Shingles and bands of a text: see `text/minhash.py`."""
            ...

        def file_vectors(
            self, table: MixingTable, chunks: list[bytes], doc: bytes, path: bytes, stem: bytes, /
        ) -> tuple[bytes, bytes]:
            """Numbers and codes of chunks, then of docs: see `embed/static_vectors.py`."""
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
            """Packed numbers in the direction of a sum of rows: see `embed/static_vectors.py`."""
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
            """The fields of `index.near_files.NearFiles`."""
            ...

        def rows_by_version(
            self, columns: HitColumns, limit: int, most: int, /
        ) -> dict[int, list[HitRow]]:
            """The best hits by version, so many of each: `store/local/lexical_reader.py`."""
            ...

        def weighted_sums(
            self, columns: list[Sequence[float]], weights: list[float], count: int, /
        ) -> list[float]:
            """The sums of columns of so many numbers, each weighed: see `query/rank/scoring.py`."""
            ...

        def exact_points(
            self,
            names: list[str],
            weights: list[float],
            columns: list[Sequence[float]],
            place: int,
            most: float,
            /,
        ) -> tuple[list[tuple[str, float]], float]:
            """What columns give at a place, and the sum in millionths: `query/rank/scoring.py`."""
            ...

        def chunk_scores(
            self, chunks: list[Sequence[HitRow]], /
        ) -> tuple[list[float], list[float]]:
            """What the best chunk and the best three come to: `query/retrieve/candidates.py`."""
            ...

        def falling_places(
            self, column: Sequence[float], floor: float, values: Sequence[float], /
        ) -> tuple[list[int], bool]:
            """Places above a floor by falling values, and whether any are equal: see there."""
            ...


def _load() -> "Kernels | None":
    try:
        # Not by `importlib`, which takes half a millisecond to import.
        return cast("Kernels", __import__("cruxe.native._kernels", fromlist=["WordMemo"]))
    except ImportError:
        return None


_loaded = _load()


def kernels() -> "Kernels | None":
    """The extension, if there is one."""
    return _loaded
