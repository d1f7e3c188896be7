"""The dense channel: files whose chunks or docs have vectors near to the question's."""

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Final

from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.model.rounding import rounded

if TYPE_CHECKING:
    from cruxe.index.near_files import NearFiles
    from cruxe.index.vector_reader import VectorReader

# Rows whose true similarity is taken: more do not change the order of files.
STANDARD_ROWS: Final = 500
DEEP_ROWS: Final = 1_000
# Questions about nothing in a repository come this near to it one time in thirty; of the targets of
# the dev queries one in thirty is further away.
LEAST_SIMILARITY: Final = 0.3
# What the chunks after the nearest count for.
_FURTHER_WEIGHTS: Final = (0.5, 0.25)


class DenseChannel(NamedTuple):
    """A question's vector and the vectors it is compared with."""

    reader: "VectorReader"
    query: Sequence[int]
    model_version: str


class FileSimilarity:
    """How near a file's chunks and docs are."""

    __slots__ = "best", "chunks", "doc", "top"

    def __init__(self, chunks: list[int], similarities: list[float], doc: float) -> None:
        """Take the near chunks, nearest first, with how near each is; there may be none."""
        self.chunks = chunks
        self.best = similarities[0] if chunks else 0.0  # of the nearest chunk
        self.top = self.best  # of the nearest three, the further ones counting less
        if len(chunks) > 1:
            further = zip(_FURTHER_WEIGHTS, similarities[1:], strict=False)
            for weight, similarity in further:
                self.top += weight * similarity
            self.top = rounded(self.top)
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
    near: "NearFiles", known: Container[VersionKey], least: float
) -> dict[VersionKey, FileSimilarity]:
    columns = zip(near.keys, near.chunks, near.similarities, near.docs, strict=True)
    return {
        key: FileSimilarity(chunks, similarities, doc)
        for key, chunks, similarities, doc in columns
        if (chunks and similarities[0] > least) or key in known
    }
