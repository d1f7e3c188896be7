"""Confidence in an answer: how much of the query it covers, its score, and channel agreement."""

from typing import Final

from cruxe.model.hits import Confidence, SearchHit
from cruxe.query.rank.policy import (
    AGREEING_SHARE,
    AGREEMENT_SHARE,
    CERTAIN_CONFIDENCE,
    CERTAIN_SIGNALS,
    CHANNEL_SIGNALS,
    COVERAGE_SHARE,
    SCORE_SHARE,
    STALE_SHARE,
    STRONG_SCORE,
)
from cruxe.query.rank.signals import LEXICAL_TABLE, SignalTable

_DIGITS: Final = 6


def judge(
    hits: list[SearchHit],
    coverage: float,
    *,
    is_stale: bool,
    table: SignalTable = LEXICAL_TABLE,
) -> Confidence:
    """Judge an answer by its first hits; `coverage` is the share of the query in the first."""
    if not hits:
        return Confidence(
            value=0.0,
            top_score=0.0,
            score_margin=0.0,
            channel_agreement=0.0,
            term_coverage=0.0,
        )
    top = hits[0]
    margin = top.score - hits[1].score if len(hits) > 1 else top.score
    agreement = _agreement(top, table)
    value = (
        COVERAGE_SHARE * coverage
        + SCORE_SHARE * min(1.0, top.score / STRONG_SCORE)
        + AGREEMENT_SHARE * agreement
    )
    if any(each.signal in CERTAIN_SIGNALS for each in top.contributions):
        value = max(value, CERTAIN_CONFIDENCE)
    if is_stale:
        value *= STALE_SHARE
    return Confidence(
        value=round(value, _DIGITS),
        top_score=round(top.score, _DIGITS),
        score_margin=round(margin, _DIGITS),
        channel_agreement=round(agreement, _DIGITS),
        term_coverage=round(coverage, _DIGITS),
    )


def _agreement(hit: SearchHit, table: SignalTable) -> float:
    """The share of the channels that clearly support a hit."""
    channels = [signal for signal in table.signals if signal.name in CHANNEL_SIGNALS]
    given = {each.signal: each.clamped for each in hit.contributions}
    if all(each.name != "bm25_rank" for each in channels):  # by a fusion without ranks
        channels += [signal for signal in table.signals if signal.name == "bm25"]
    agreeing = [
        each for each in channels if given.get(each.name, 0.0) >= AGREEING_SHARE * each.weight
    ]
    return len(agreeing) / len(channels)
