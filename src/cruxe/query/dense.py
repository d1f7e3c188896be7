"""The dense channel: files whose chunks or docs have vectors near to the question's."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Final

from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple

if TYPE_CHECKING:
    from cruxe.index.vector_reader import VectorHit, VectorReader

# Rows whose true similarity is taken: more do not change the order of files.
STANDARD_ROWS: Final = 500
DEEP_ROWS: Final = 1_000
# Questions about nothing in a repository come this near to it one time in thirty; of the targets of
# the dev queries one in thirty is further away.
LEAST_SIMILARITY: Final = 0.3
_TOP_WEIGHTS: Final = (1.0, 0.5, 0.25)
# Digits of a similarity: fewer than any arithmetic could disagree about.
_DIGITS: Final = 6


class DenseChannel(NamedTuple):
    """A question's vector and the vectors it is compared with."""

    reader: "VectorReader"
    query: Sequence[int]
    model_version: str


class DenseChunk(NamedTuple):
    """A chunk and how near it is."""

    chunk: int
    similarity: float


class FileSimilarity(NamedTuple):
    """How near a file's chunks and docs are."""

    chunks: tuple[DenseChunk, ...]  # nearest first
    doc: float  # of all its docs together; nothing where they are not near

    @property
    def best(self) -> float:
        """Of the nearest chunk."""
        return self.chunks[0].similarity if self.chunks else 0.0

    @property
    def top(self) -> float:
        """Of the nearest three, the further ones counting less."""
        pairs = zip(_TOP_WEIGHTS, self.chunks, strict=False)
        return round(sum(weight * each.similarity for weight, each in pairs), _DIGITS)


class Similarities(NamedTuple):
    """What the channel found."""

    files: dict[VersionKey, FileSimilarity]
    floor: float  # what half of the rows looked at reach: no more than ordinary


def nearest_files(
    channel: DenseChannel, row_count: int, is_live: Callable[[VersionKey], bool] | None
) -> Similarities:
    """The files whose chunks or docs are nearest."""
    hits = channel.reader.nearest(channel.query, row_count, is_live)
    chunks: dict[VersionKey, list[VectorHit]] = {}
    docs: dict[VersionKey, float] = {}
    for hit in hits:
        if hit.is_doc:
            docs[hit.version_key] = round(hit.similarity, _DIGITS)
        else:
            chunks.setdefault(hit.version_key, []).append(hit)
    files = {
        key: FileSimilarity(_ordered(chunks.get(key, ())), docs.get(key, 0.0))
        for key in sorted(chunks.keys() | docs.keys())
    }
    floor = median([hit.similarity for hit in hits]) if hits else 0.0
    return Similarities(files, round(max(0.0, floor), _DIGITS))


def _ordered(hits: "Iterable[VectorHit]") -> tuple[DenseChunk, ...]:
    chunks = (DenseChunk(hit.chunk, round(hit.similarity, _DIGITS)) for hit in hits)
    return tuple(sorted(chunks, key=lambda each: (-each.similarity, each.chunk)))
