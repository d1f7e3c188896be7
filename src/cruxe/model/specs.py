"""Resolved specs of requests: defaults are filled in and nothing depends on the wire.

Specs are constructed with keywords only. A cursor contains a digest of its spec's `repr`.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.model.filters import NO_FILTERS, Filters
from cruxe.model.levels import DetailLevel, GroupBy, RankingExplainLevel

MAX_LIMIT: Final = 100  # results in one answer
MAX_TOKENS: Final = 200_000  # budget of one answer


class FusionMethod(StrEnum):
    """How the scores of channels become one score."""

    SUM = "sum"  # the fitted table: scores and ranks together
    RRF = "rrf"  # each channel by reciprocal ranks only
    BLEND = "score_blend"  # each channel by its scaled scores only, weighted by kind


class Fusion(NamedTuple):
    """A fusion method and its parameters."""

    method: FusionMethod = FusionMethod.SUM
    k: int = 60
    sparse_weight: float = 1.0
    dense_weight: float = 1.0


class LocateSpec(NamedTuple):
    """Which definitions to find."""

    name: str
    filters: Filters = NO_FILTERS
    limit: int = 10
    offset: int = 0


class OutlineSpec(NamedTuple):
    """Which file to outline."""

    path: str
    filters: Filters = NO_FILTERS
    top_only: bool = False


class SearchSpec(NamedTuple):
    """What to search for, independent of how the answer is written."""

    query: str
    limit: int = 10
    offset: int = 0
    filters: Filters = NO_FILTERS
    semantic_ratio: float | None = None  # a cap; None: as in the settings
    fusion: Fusion = Fusion()


class ResponseSpec(NamedTuple):
    """How the answer is written."""

    detail: DetailLevel = DetailLevel.SIGNATURE
    is_compact: bool = False
    explain: RankingExplainLevel = RankingExplainLevel.OFF
    max_bytes: int = 65_536
    group_by: GroupBy | None = None

    @property
    def has_context(self) -> bool:
        """Whether results show their text and the symbols around them."""
        return self.detail is DetailLevel.CONTEXT and not self.is_compact
