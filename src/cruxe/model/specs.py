"""What a question asks for, resolved: no defaults to look up, nothing of the wire.

Specs are built by keywords alone. A cursor holds a digest of the `repr` of its spec.
"""

from enum import StrEnum
from typing import NamedTuple

from cruxe.model.filters import NO_FILTERS, Filters
from cruxe.model.levels import DetailLevel, GroupBy, RankingExplainLevel


class FusionMethod(StrEnum):
    """How the scores of channels become one score."""

    SUM = "sum"  # the fitted table: scores and ranks beside each other
    RRF = "rrf"  # each channel by reciprocal ranks alone
    BLEND = "score_blend"  # each channel by its scaled scores alone, weighed by its kind


class Fusion(NamedTuple):
    """The method with its numbers."""

    method: FusionMethod = FusionMethod.SUM
    k: int = 60
    sparse_weight: float = 1.0
    dense_weight: float = 1.0


class LocateSpec(NamedTuple):
    """What to find."""

    name: str
    filters: Filters = NO_FILTERS
    limit: int = 10
    offset: int = 0


class OutlineSpec(NamedTuple):
    """Which file's symbols to give."""

    path: str
    filters: Filters = NO_FILTERS
    top_only: bool = False


class SearchSpec(NamedTuple):
    """What to find; how it is written is another matter."""

    query: str
    limit: int = 10
    offset: int = 0
    filters: Filters = NO_FILTERS
    semantic_ratio: float | None = None  # a cap; absent: as the settings have it
    fusion: Fusion = Fusion()


class ResponseSpec(NamedTuple):
    """The shape that a request asks for."""

    detail: DetailLevel = DetailLevel.SIGNATURE
    is_compact: bool = False
    explain: RankingExplainLevel = RankingExplainLevel.OFF
    max_bytes: int = 65_536
    group_by: GroupBy | None = None

    @property
    def has_context(self) -> bool:
        """Whether a result tells what stands in it and around it."""
        return self.detail is DetailLevel.CONTEXT and not self.is_compact
