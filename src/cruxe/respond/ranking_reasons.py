"""Why a result has its rank: the numbers that its score is the sum of."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.hits import Contribution, SearchHit
from cruxe.model.levels import RankingExplainLevel

if TYPE_CHECKING:
    from cruxe.contract.ranking_parts import RankingReason, ScoringFactors, SignalContribution

_DIGITS: Final = 6
_TEXT_SIGNALS: Final = ("bm25", "bm25_rank", "defined_names", "file_head")
_PATH_SIGNALS: Final = ("path_affinity", "file_name", "path_match", "ordinary_place")
_DEFINITION_SIGNALS: Final = ("definition_boost",)


def ranking_reasons(hits: list[SearchHit], level: RankingExplainLevel) -> "list[RankingReason]":
    """Return one entry per result, in the order of the results."""
    explain = _basic if level is RankingExplainLevel.BASIC else _full
    return [explain(index, hit) for index, hit in enumerate(hits)]


def _basic(index: int, hit: SearchHit) -> "RankingReason":
    given = _by_signal(hit.contributions)
    return {
        "result_index": index,
        "exact_match": given.get("exact_match", 0.0),
        "path_boost": _sum(given, _PATH_SIGNALS),
        "definition_boost": _sum(given, _DEFINITION_SIGNALS),
        # Of this one signal, as among the contributions at the level `full`.
        "semantic_similarity": given.get("semantic_similarity", 0.0),
        "final_score": hit.score,
    }


def _full(index: int, hit: SearchHit) -> "RankingReason":
    given = _by_signal(hit.contributions)
    return {
        "result_index": index,
        "exact_match_boost": given.get("exact_match", 0.0),
        "qualified_name_boost": given.get("qualified_name", 0.0),
        "path_affinity": _sum(given, _PATH_SIGNALS),
        "definition_boost": _sum(given, _DEFINITION_SIGNALS),
        "kind_match": given.get("kind_match", 0.0),
        "bm25_score": _sum(given, _TEXT_SIGNALS),
        "final_score": hit.score,
        "contributions": contributions_to(hit),
    }


def contributions_to(hit: SearchHit) -> "list[SignalContribution]":
    """Return what each signal adds to the score of a hit."""
    return [
        {
            "signal": each.signal,
            "raw": each.raw,
            "clamped": each.clamped,
            "effective": each.effective,
        }
        for each in hit.contributions
    ]


def scoring_factors(hit: SearchHit) -> "ScoringFactors":
    """Return the factors under their names in `explain_ranking`."""
    given = _by_signal(hit.contributions)
    return {
        "bm25": _sum(given, _TEXT_SIGNALS),
        "exact_match": given.get("exact_match", 0.0),
        "qualified_name": given.get("qualified_name", 0.0),
        "path_affinity": _sum(given, _PATH_SIGNALS),
        "definition_boost": _sum(given, _DEFINITION_SIGNALS),
        "kind_match": given.get("kind_match", 0.0),
        "test_file_penalty": given.get("test_file_penalty", 0.0),
    }


def _by_signal(contributions: Iterable[Contribution]) -> dict[str, float]:
    return {each.signal: each.effective for each in contributions}


def _sum(given: dict[str, float], signals: tuple[str, ...]) -> float:
    return round(sum(given.get(signal, 0.0) for signal in signals), _DIGITS)
