"""How far an answer can be trusted: how much of the query it holds, and how clearly it leads."""

from typing import Final

from cruxe.model.hits import Confidence, SearchHit
from cruxe.query.rank.signals import LEXICAL_TABLE, SignalTable

_DIGITS: Final = 6
# A hit with this score has nearly all that any signal can give.
_STRONG_SCORE: Final = 0.6
_COVERAGE_SHARE: Final = 0.5
_SCORE_SHARE: Final = 0.3
_AGREEMENT_SHARE: Final = 0.2
# The very name or path that was asked for is an answer, whatever else is said of it.
_CERTAIN: Final = ("exact_match", "qualified_name", "path_match")
_EXACT_FLOOR: Final = 0.9
_STALE_SHARE: Final = 0.8
_CHANNELS: Final = (
    *("bm25_rank", "defined_names", "file_head", "definition_boost", "path_affinity"),
    "semantic_similarity",
)
_AGREES: Final = 0.5  # of what the channel can give


def judge(
    hits: list[SearchHit],
    coverage: float,
    *,
    is_stale: bool,
    table: SignalTable = LEXICAL_TABLE,
) -> Confidence:
    """Judge an answer by its first hits; `coverage` is the share of the query in the first."""
    if not hits:
        return Confidence(0.0, 0.0, 0.0, 0.0, 0.0)
    top = hits[0]
    margin = top.score - hits[1].score if len(hits) > 1 else top.score
    agreement = _agreement(top, table)
    value = (
        _COVERAGE_SHARE * coverage
        + _SCORE_SHARE * min(1.0, top.score / _STRONG_SCORE)
        + _AGREEMENT_SHARE * agreement
    )
    if any(each.signal in _CERTAIN for each in top.contributions):
        value = max(value, _EXACT_FLOOR)
    if is_stale:
        value *= _STALE_SHARE
    figures = (value, top.score, margin, agreement, coverage)
    return Confidence(*(round(figure, _DIGITS) for figure in figures))


def _agreement(hit: SearchHit, table: SignalTable) -> float:
    """The share of the channels that speak clearly for a hit."""
    channels = [signal for signal in table.signals if signal.name in _CHANNELS]
    given = {each.signal: each.clamped for each in hit.contributions}
    if all(each.name != "bm25_rank" for each in channels):  # where ranks are no signal of their own
        channels += [signal for signal in table.signals if signal.name == "bm25"]
    agreeing = [each for each in channels if given.get(each.name, 0.0) >= _AGREES * each.weight]
    return len(agreeing) / len(channels)
