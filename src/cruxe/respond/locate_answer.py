"""The answer of `locate_symbol`: located definitions."""

from typing import TYPE_CHECKING, NamedTuple

from cruxe.model.hits import LocateOutcome, MatchTier, SearchHit, StoredSymbol
from cruxe.model.identity import symbol_id_of
from cruxe.model.levels import DetailLevel, RankingExplainLevel
from cruxe.model.specs import ResponseSpec
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import omit_empty, omit_fields
from cruxe.safety.redaction import flags_of_symbol

if TYPE_CHECKING:
    from cruxe.contract.result_parts import (
        FilteredFields,
        LocatedDescription,
        LocateMetadata,
        LocateResultItem,
        ResultContext,
    )
    from cruxe.contract.results import LocateSymbolResult


class Located(NamedTuple):
    """A definition and, if requested, its context."""

    hit: SearchHit
    context: "ResultContext | None" = None


def located_answer(
    outcome: LocateOutcome, located: list[Located], metadata: Metadata, spec: ResponseSpec
) -> "LocateSymbolResult":
    """Return the answer. `matches` counts definitions per tier; two or more mean ambiguity."""
    if outcome.next_offset is not None:
        metadata = metadata.cut()
    return {
        "results": [_result(each, spec) for each in located],
        "matches": outcome.counts,
        "total_candidates": outcome.total,
        **_emptiness(outcome),
        "metadata": _metadata(outcome, located, metadata, spec),
    }


def _emptiness(outcome: LocateOutcome) -> "FilteredFields":
    """Return why there are no definitions; empty if there are some."""
    if outcome.hits:
        return {}
    from cruxe.model.outcomes import EmptyReason

    if outcome.filtered_out:
        return {"empty_reason": EmptyReason.FILTERED_OUT, "filtered_out": outcome.filtered_out}
    return {"empty_reason": EmptyReason.NO_MATCH}


def _metadata(
    outcome: LocateOutcome, located: list[Located], metadata: Metadata, spec: ResponseSpec
) -> "LocateMetadata":
    block: LocateMetadata = {**metadata.to_mapping()}
    if outcome.suppressed:
        block["suppressed_duplicate_count"] = outcome.suppressed
    if spec.explain is not RankingExplainLevel.OFF:
        from cruxe.respond.ranking_reasons import ranking_reasons

        block["ranking_reasons"] = ranking_reasons([each.hit for each in located], spec.explain)
    return block


def _result(each: Located, spec: ResponseSpec) -> "LocateResultItem":
    """Return one definition, without empty fields."""
    hit, symbol = each.hit, each.hit.symbol
    assert symbol is not None
    described: LocatedDescription = {}
    context: ResultContext = {}
    if spec.detail is not DetailLevel.LOCATION:
        described, context = _described(hit, symbol, spec), each.context or {}
    if spec.detail is DetailLevel.CONTEXT and not spec.is_compact:
        described["symbol_stable_id"] = symbol.stable_id
    result: LocateResultItem = {
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "kind": symbol.kind,
        "name": symbol.name,
        "score": hit.score,
        "result_id": symbol_id_of(symbol.version_key, symbol.ordinal),
        **described,
        **context,
    }
    return omit_empty(result)


def _described(hit: SearchHit, symbol: StoredSymbol, spec: ResponseSpec) -> "LocatedDescription":
    description: LocatedDescription = {
        "symbol_id": symbol_id_of(symbol.version_key, symbol.ordinal),
        "qualified_name": symbol.qualified_name,
        "signature": symbol.signature,
        "language": symbol.language,
        "visibility": symbol.visibility,
    }
    if hit.match is not None:
        description["match"] = hit.match
    description["flags"] = flags_of_symbol(symbol.qualified_name, symbol.signature)
    return _compacted(description, hit, symbol) if spec.is_compact else description


def _compacted(
    description: "LocatedDescription", hit: SearchHit, symbol: StoredSymbol
) -> "LocatedDescription":
    """Leave out what is said already; definitions without `match` are of the name as asked for."""
    from cruxe.respond.compact import NOT_COMPACT, compact_name

    description["qualified_name"] = compact_name(symbol.qualified_name, symbol.name, hit.path)
    as_asked = {"match"} if hit.match is MatchTier.EXACT else frozenset[str]()
    return omit_fields(description, NOT_COMPACT | as_asked)
