"""Candidates that only their meaning speaks for, beside those that words found."""

from collections.abc import Callable
from itertools import repeat
from typing import Final

from cruxe.model.identity import VersionKey
from cruxe.model.specs import SearchSpec
from cruxe.model.stored import HitRow, NearFiles, Nearness
from cruxe.query.rank.signals import Scales, SignalValues, Values
from cruxe.query.retrieve.candidates import NO_EVIDENCE, Candidates, Chunks
from cruxe.query.retrieve.evidence import admitted, filtered, liveness
from cruxe.query.retrieve.file_facts import FilePlace
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.understand.analysis import QueryAnalysis

# Of the dev queries' targets that words miss, all are among these.
_FILES: Final = 40
_FAR: Final[Nearness] = (0.0, 0.0, 0.0)


def similar_liveness(spec: SearchSpec, opened: OpenedRef) -> Callable[[VersionKey], bool] | None:
    """Whether a version passes the filters, before any is ranked; nothing where all do."""
    if spec.language is None and spec.path is None:
        return None
    is_live = liveness(spec, opened)
    if spec.language is None:
        return is_live
    of_language = opened.snapshot.versions_of_language(spec.language)
    return lambda key: key in of_language and is_live(key)


def with_similar(
    files: Candidates,
    near: NearFiles,
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
) -> Candidates:
    """The candidates and how near they are, and the nearest files that no other channel found.

    Where a query says what hits must hold, there are none: vectors cannot vouch for a word.
    """
    order: list[tuple[float, VersionKey]] = []
    if analysis.expression is None:
        order = sorted([(-near.similarities[key][1], key) for key in near.chunks])
    added = admitted([key for _, key in order[:_FILES]], spec, opened)
    return filtered(WithSimilar(files, *added, near, opened), analysis, spec, opened.snapshot)


class WithSimilar(Candidates):
    """Candidates and, behind them, files that no words speak for.

    The lines of these files' chunks are looked up once someone asks.
    """

    def __init__(
        self,
        files: Candidates,
        keys: list[VersionKey],
        places: list[FilePlace],
        near: NearFiles,
        opened: OpenedRef,
    ) -> None:
        """Take candidates, what joins them, and how near files are."""
        joining = Candidates(keys, places, NO_EVIDENCE)
        self.keys = [*files.keys, *keys]
        self.places = [*files.places, *places]
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

    def column(self, signal: SignalValues, scales: Scales) -> Values:
        """What a signal says of them; of those that it was asked about it is not asked again."""
        known = self._known.columns.get(signal)
        if known is None:
            return super().column(signal, scales)
        if len(known) < len(self._known):  # it says nothing about this query
            return known
        return [*known, *self._joining.column(signal, scales)]

    def chunks_at(self, place: int) -> Chunks:
        """The chunks of one of them that may be shown."""
        rows = self.chunks[place]
        if place < len(self._known.keys):
            return rows
        key = self.keys[place]
        ordinals = [chunk for _, _, chunk, _, _ in rows]
        spans = self._opened.chunks.spans(key, ordinals, self._opened.snapshot)
        found = zip(ordinals, spans, strict=True)
        return [(0.0, key, chunk, start, end) for chunk, (start, end, _) in found]


def _rows(key: VersionKey, chunks: list[int]) -> list[HitRow]:
    return [(0.0, key, chunk, 0, 0) for chunk in chunks]
