"""The dense channel: files whose chunks or docs have vectors near to the question's."""

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Final

from cruxe.index.near_rows import DOCS
from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.model.rounding import rounded

if TYPE_CHECKING:
    from cruxe.index.near_rows import NearRows
    from cruxe.index.vector_reader import VectorReader

# Rows whose true similarity is taken: more do not change the order of files.
STANDARD_ROWS: Final = 500
DEEP_ROWS: Final = 1_000
# Questions about nothing in a repository come this near to it one time in thirty; of the targets of
# the dev queries one in thirty is further away.
LEAST_SIMILARITY: Final = 0.3
# What chunks after the nearest count for, by how many are nearer.
_FURTHER_WEIGHTS: Final = {1: 0.5, 2: 0.25}


class DenseChannel(NamedTuple):
    """A question's vector and the vectors it is compared with."""

    reader: "VectorReader"
    query: Sequence[int]
    model_version: str


class FileSimilarity:
    """How near a file's chunks and docs are."""

    __slots__ = "best", "chunks", "doc", "top"

    def __init__(self, chunks: list[int], best: float = 0.0, doc: float = 0.0) -> None:
        """Start with the nearest chunk, or with none."""
        self.chunks = chunks  # nearest first
        self.best = best  # of the nearest chunk
        self.top = best  # of the nearest three, the further ones counting less
        self.doc = doc  # of all its docs together; nothing where they are not near


class Similarities(NamedTuple):
    """What the channel found."""

    files: dict[VersionKey, FileSimilarity]
    floor: float  # what half of the rows looked at reach: no more than ordinary


def nearest_files(
    channel: DenseChannel,
    row_count: int,
    is_live: Callable[[VersionKey], bool] | None,
    known: Container[VersionKey],
) -> Similarities | None:
    """The files whose chunks or docs are nearest: of those not known only such as come near.

    Nothing where there is nothing to compare.
    """
    near = channel.reader.nearest(channel.query, row_count, is_live)
    if not near.keys:
        return None
    floor = rounded(max(0.0, near.middle))
    return Similarities(_by_file(near, known, max(floor, LEAST_SIMILARITY)), floor)


def _by_file(
    near: "NearRows", known: Container[VersionKey], least: float
) -> dict[VersionKey, FileSimilarity]:
    """Rows, nearest first, put together: the first chunk of a file is its nearest."""
    files: dict[VersionKey, FileSimilarity] = {}
    docs: list[tuple[VersionKey, float]] = []
    for key, chunk, similarity in zip(near.keys, near.chunks, near.similarities, strict=True):
        if chunk == DOCS:
            docs.append((key, similarity))
        elif (own := files.get(key)) is not None:
            own.top += _FURTHER_WEIGHTS.get(len(own.chunks), 0.0) * similarity
            own.chunks.append(chunk)
        elif similarity > least or key in known:
            files[key] = FileSimilarity([chunk], similarity)
    for own in files.values():
        if len(own.chunks) > 1:
            own.top = rounded(own.top)
    for key, similarity in docs:
        if key in files:
            files[key].doc = similarity
        elif key in known:
            files[key] = FileSimilarity([], 0.0, similarity)
    return files
