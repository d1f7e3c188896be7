"""Why a result ranks where it does: the very numbers that its score is the sum of."""

from collections.abc import Iterable
from typing import Final

from cruxe.model.hits import Contribution, SearchHit
from cruxe.model.levels import RankingExplainLevel

Answer = dict[str, object]

_DIGITS: Final = 6
_TEXT_SIGNALS: Final = ("bm25", "bm25_rank", "defined_names", "file_head")
_PATH_SIGNALS: Final = ("path_affinity", "file_name", "path_match", "ordinary_place")
_DEFINITION_SIGNALS: Final = ("definition_boost",)
_SEMANTIC_SIGNALS: Final = ("semantic_similarity", "semantic_rank", "semantic_doc")


def ranking_reasons(hits: list[SearchHit], level: RankingExplainLevel) -> list[Answer]:
    """One entry a result, in the results' order."""
    explain = _basic if level is RankingExplainLevel.BASIC else _full
    return [{"result_index": index, **explain(hit)} for index, hit in enumerate(hits)]


def _basic(hit: SearchHit) -> Answer:
    given = _by_signal(hit.contributions)
    return {
        "exact_match": given.get("exact_match", 0.0),
        "path_boost": _sum(given, _PATH_SIGNALS),
        "definition_boost": _sum(given, _DEFINITION_SIGNALS),
        "semantic_similarity": _sum(given, _SEMANTIC_SIGNALS),
        "final_score": hit.score,
    }


def _full(hit: SearchHit) -> Answer:
    given = _by_signal(hit.contributions)
    return {
        "exact_match_boost": given.get("exact_match", 0.0),
        "qualified_name_boost": given.get("qualified_name", 0.0),
        "path_affinity": _sum(given, _PATH_SIGNALS),
        "definition_boost": _sum(given, _DEFINITION_SIGNALS),
        "kind_match": given.get("kind_match", 0.0),
        "bm25_score": _sum(given, _TEXT_SIGNALS),
        "final_score": hit.score,
        "contributions": [each._asdict() for each in hit.contributions],
    }


def scoring_factors(hit: SearchHit) -> Answer:
    """The factors under the names that `explain_ranking` gives them."""
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
