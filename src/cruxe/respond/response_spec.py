"""How an answer is written. Nothing here can change which hits there are, or their order."""

from typing import NamedTuple

from cruxe.model.levels import DetailLevel, GroupBy, RankingExplainLevel


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
