"""Inner loops in C, where they could be built; see decision 0037.

Each has a twin in Python that gives the same to the bit, and is used where there is no compiler.
"""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable
    from mmap import mmap
    from typing import Protocol

    # The rows, scales, damped counts and centre of a model's table, then how parts are weighed.
    MixingTable = tuple[
        memoryview, array[int], array[int], array[int], int, float, float, float, float
    ]

    VectorFiles = tuple[mmap | bytes, mmap | bytes]  # codes and numbers of rows
    # A question's code and numbers, and the product of two vectors in the same direction.
    CodedQuery = tuple[bytes, array[int], int]
    # The key, the first row and the number of rows of each version, in the order of their rows.
    RowSpans = tuple[array[int], array[int], array[int]]

    class WordMemo(Protocol):
        """What words of a text are turned into: see `text/word_memo.py`."""

        def join(self, text: bytes, start: int, end: int, most: int, /) -> bytes:
            """What the first words of a part of a text are turned into."""
            ...

        def join_parts(self, word: bytes, most: int, /) -> bytes:
            """What the parts of an ASCII identifier are turned into, each cut."""
            ...

    class StampLook(Protocol):
        """A look at files, begun when it is made: see `discover/stamps.py`."""

        def places(self) -> list[int]:
            """Wait for the end; which files have other stamps. Told once."""
            ...

    class Kernels(Protocol):
        """What the extension offers."""

        # Makes a memo from what turns a word into its value, a separator, and the most to keep.
        WordMemo: Callable[[Callable[[bytes], bytes], bytes, int], WordMemo]
        # Begins to look at the paths of a listing below a folder; not there on Windows.
        StampLook: Callable[[bytes, bytes, array[int]], StampLook]

        def trigram_terms(self, classes: bytes, gap: int, first_code_point: int, /) -> str:
            """The distinct trigrams without a gap: see `text/trigrams.py`."""
            ...

        def file_vectors(
            self, table: MixingTable, chunks: list[bytes], doc: bytes, path: bytes, stem: bytes, /
        ) -> tuple[bytes, bytes]:
            """Numbers and codes of chunks, then of docs: see `embed/mixing.py`."""
            ...

        def nearest_files(
            self,
            files: VectorFiles,
            runs: array[int],
            query: CodedQuery,
            least: int,
            spans: RowSpans,
            /,
        ) -> tuple[list[int], list[list[int]], list[list[float]], list[float], int]:
            """The columns of `index.near_files.NearFiles`, and twice the middle product."""
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
