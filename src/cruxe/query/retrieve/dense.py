"""The dense channel: files whose chunks or docs have vectors near to the question's.

They join the candidates of the lexical channels, each with its similarities.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from cruxe.model.identity import VersionKey
from cruxe.model.specs import SearchSpec
from cruxe.model.stored import HitRow
from cruxe.query.rank.policy import (
    CHUNKS_PER_FILE,
    DENSE_FILES,
    LEAST_SIMILARITY,
    SECOND_CHUNK_WEIGHT,
    THIRD_CHUNK_WEIGHT,
)
from cruxe.query.retrieve.candidates import NO_EVIDENCE, Candidates, Chunks, Values
from cruxe.query.retrieve.evidence import admitted, filtered
from cruxe.query.retrieve.file_facts import FileFacts
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.understand.analysis import QueryAnalysis

if TYPE_CHECKING:
    from cruxe.model.stored import NearFiles, Nearness
    from cruxe.store.api import VectorIndex

_FAR: Final["Nearness"] = (0.0, 0.0, 0.0)
_Scales = TypeVar("_Scales")


class DenseChannel(NamedTuple):
    """A question's vector and the vectors it is compared with."""

    reader: "VectorIndex"
    query: Sequence[int]
    model_version: str


def nearest_files(
    channel: DenseChannel,
    row_count: int,
    is_live: Callable[[VersionKey], bool] | None,
    known: Container[VersionKey],
) -> "NearFiles | None":
    """Return the files whose chunks or docs are nearest, or None if there are no vectors.

    Files that are not `known` must come near to be among them.
    """
    from cruxe.model.stored import NearWanted

    wanted = NearWanted(
        rows=row_count,
        known=known,
        similarity=LEAST_SIMILARITY,
        chunks_per_file=CHUNKS_PER_FILE,
        further_weights=(SECOND_CHUNK_WEIGHT, THIRD_CHUNK_WEIGHT),
    )
    return channel.reader.nearest(channel.query, wanted, is_live)


def with_similar(
    files: Candidates,
    near: "NearFiles",
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
) -> Candidates:
    """Add similarities to the candidates, and the nearest files that no other channel found.

    None join a query with operators: vectors cannot tell whether a file holds a word.
    """
    order: list[tuple[float, VersionKey]] = []
    if analysis.expression is None:
        order = sorted([(-near.similarities[key][1], key) for key in near.chunks])
    added = admitted([key for _, key in order[:DENSE_FILES]], spec, opened)
    return filtered(WithSimilar(files, *added, near, opened), analysis, spec, opened.snapshot)


class WithSimilar(Candidates):
    """Lexical candidates followed by files that only vectors found.

    The lines of these files' chunks are looked up on demand.
    """

    def __init__(
        self,
        files: Candidates,
        keys: list[VersionKey],
        facts: list[FileFacts],
        near: "NearFiles",
        opened: OpenedRef,
    ) -> None:
        """Take candidates, the files that join them, and all similarities."""
        joining = Candidates(keys, facts, NO_EVIDENCE)
        self.keys = [*files.keys, *keys]
        self.facts = [*files.facts, *facts]
        self.evidence = files.evidence
        self.chunks = [*files.chunks, *[_rows(key, near.chunks[key]) for key in keys]]
        self.best_chunks = [*files.best_chunks, *joining.best_chunks]
        self.best_three = [*files.best_three, *joining.best_three]
        self.defines = [*files.defines, *joining.defines]
        self.heads = [*files.heads, *joining.heads]
        self.columns = {}
        found = [*map(near.similarities.get, self.keys, repeat(_FAR))]
        self.near = [best for best, _, _ in found]
        self.near_three = [three for _, three, _ in found]
        self.near_docs = [docs for _, _, docs in found]
        self.near_keys = near.similarities
        self._known = files
        self._joining = joining
        self._opened = opened

    def column(self, signal: Callable[[Candidates, _Scales], Values], scales: _Scales) -> Values:
        """The values of a signal; known ones of the lexical candidates are used again."""
        known = self._known.columns.get(signal)
        if known is None:
            return super().column(signal, scales)
        if len(known) < len(self._known):  # the signal has no values for this query
            return known
        return [*known, *self._joining.column(signal, scales)]

    def chunks_at(self, index: int) -> Chunks:
        """The chunks of one of them that may be shown."""
        rows = self.chunks[index]
        if index < len(self._known.keys):
            return rows
        key = self.keys[index]
        ordinals = [chunk for _, _, chunk, _, _ in rows]
        spans = self._opened.chunks.spans(key, ordinals, self._opened.snapshot)
        found = zip(ordinals, spans, strict=True)
        return [(0.0, key, chunk, start, end) for chunk, (start, end, _) in found]

    def look_up(self, indexes: Iterable[int]) -> None:
        """Read the versions of those that only vectors found."""
        first = len(self._known.keys)
        keys = [self.keys[index] for index in indexes if index >= first]
        self._opened.chunks.look_up_versions(keys, self._opened.snapshot)


def _rows(key: VersionKey, chunks: list[int]) -> list[HitRow]:
    return [(0.0, key, chunk, 0, 0) for chunk in chunks]
