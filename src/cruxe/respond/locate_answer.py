"""Located definitions as the answer of `locate_symbol`."""

from typing import NamedTuple

from cruxe.model.hits import LocateOutcome, SearchHit
from cruxe.model.identity import symbol_id_of
from cruxe.model.levels import DetailLevel, RankingExplainLevel
from cruxe.respond.metadata import Metadata
from cruxe.respond.response_spec import ResponseSpec
from cruxe.safety.safe_symbols import flags_of_symbol

Answer = dict[str, object]


class Located(NamedTuple):
    """A definition and, where it is asked for, what stands in it and around it."""

    hit: SearchHit
    context: Answer | None = None


def located_answer(
    outcome: LocateOutcome, located: list[Located], metadata: Metadata, spec: ResponseSpec
) -> Answer:
    """The answer; `matches` counts the definitions of each tier, so two or more are ambiguous."""
    if outcome.next_offset is not None:
        metadata = metadata.cut()
    answer: Answer = {
        "results": [_result(each, spec) for each in located],
        "matches": {tier.value: count for tier, count in outcome.counts.items()},
        "total_candidates": outcome.total,
    }
    if not outcome.hits:
        answer |= _emptiness(outcome)
    block = metadata.to_mapping()
    if outcome.suppressed:
        block["suppressed_duplicate_count"] = outcome.suppressed
    if spec.explain is not RankingExplainLevel.OFF:
        from cruxe.respond.ranking_reasons import ranking_reasons

        block["ranking_reasons"] = ranking_reasons([each.hit for each in located], spec.explain)
    answer["metadata"] = block
    return answer


def _emptiness(outcome: LocateOutcome) -> Answer:
    """Why there is nothing."""
    if outcome.filtered_out:
        return {"empty_reason": "filtered_out", "filtered_out": outcome.filtered_out}
    return {"empty_reason": "no_match"}


def _result(each: Located, spec: ResponseSpec) -> Answer:
    """One definition; its signature says what a line of it would."""
    hit, symbol = each.hit, each.hit.symbol
    assert symbol is not None
    result: Answer = {
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "kind": symbol.kind,
        "name": symbol.name,
        "score": hit.score,
        "symbol_id": symbol_id_of(symbol.version_key, symbol.ordinal),
    }
    if spec.detail is not DetailLevel.LOCATION:
        result |= {
            "symbol_stable_id": symbol.stable_id,
            "qualified_name": symbol.qualified_name,
            "signature": symbol.signature,
            "language": symbol.language,
            "visibility": symbol.visibility,
            "match": None if hit.match is None else hit.match.value,
            "flags": flags_of_symbol(symbol.qualified_name, symbol.signature),
        }
        result |= each.context or {}
    return {key: value for key, value in result.items() if value not in ("", None, [])}
