"""The dense channel: files whose chunks or docs have vectors near to the question's."""

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Final

from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.model.rounding import rounded

if TYPE_CHECKING:
    from cruxe.index.vector_reader import NearChunk, VectorReader

# Rows whose true similarity is taken: more do not change the order of files.
STANDARD_ROWS: Final = 500
DEEP_ROWS: Final = 1_000
# Questions about nothing in a repository come this near to it one time in thirty; of the targets of
# the dev queries one in thirty is further away.
LEAST_SIMILARITY: Final = 0.3
_TOP_WEIGHTS: Final = (1.0, 0.5, 0.25)


class DenseChannel(NamedTuple):
    """A question's vector and the vectors it is compared with."""

    reader: "VectorReader"
    query: Sequence[int]
    model_version: str


class FileSimilarity(NamedTuple):
    """How near a file's chunks and docs are."""

    chunks: list[int]  # nearest first
    doc: float = 0.0  # of all its docs together; nothing where they are not near
    best: float = 0.0  # of the nearest chunk
    top: float = 0.0  # of the nearest three, the further ones counting less


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
    if not near.chunks:
        return None
    floor = rounded(max(0.0, near.middle))
    least = max(floor, LEAST_SIMILARITY)
    files = {
        key: _similarity(chunks, near.docs.get(key, 0.0))
        for key, chunks in near.chunks.items()
        if key in known or (chunks and -min(chunks)[0] > least)
    }
    return Similarities(files, floor)


def _similarity(chunks: "list[NearChunk]", doc: float) -> FileSimilarity:
    if not chunks:
        return FileSimilarity([], doc)
    chunks.sort()
    best = -chunks[0][0]
    if len(chunks) == 1:
        return FileSimilarity([chunks[0][1]], doc, best, best)
    top = -sum([weight * each for weight, (each, _) in zip(_TOP_WEIGHTS, chunks, strict=False)])
    return FileSimilarity([chunk for _, chunk in chunks], doc, best, rounded(top))
