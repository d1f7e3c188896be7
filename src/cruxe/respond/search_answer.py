"""The answer of `search_code`: results with as much text as the request asks for, and metadata.

Snippets are the lines of a hit that match the query best, or its beginning. The metadata say which
channels ran, how sure the answer is and what to try next.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from cruxe.model.hits import Confidence, SearchHit, StoredSymbol
from cruxe.model.identity import result_id_of, symbol_id_of
from cruxe.model.intent import (
    PROBABILITY_DIGITS,
    QueryIntent,
    QueryReading,
    bucket_of,
    ranked,
)
from cruxe.model.levels import DetailLevel
from cruxe.model.semantics import Semantics
from cruxe.model.specs import ResponseSpec
from cruxe.model.stored import Neighbours
from cruxe.respond.size_limits import ELLIPSIS, omit_empty, omit_fields, shorten
from cruxe.safety.injection_flags import flag_addressed
from cruxe.safety.redaction import flags_of_symbol
from cruxe.text.identifiers import terms_of_text
from cruxe.text.lines import sum_of_lines, weights_by_line

if TYPE_CHECKING:
    from cruxe.contract.ranking_parts import IntentStats
    from cruxe.contract.result_parts import (
        IntentMetadata,
        ResultContext,
        ResultText,
        RetrievalMetadata,
        SearchResultItem,
        SymbolDescription,
        SymbolLocation,
    )


# The average cost of a result (SC-102) is measured by the suite `tokens`.
SIGNATURE_CHARACTERS: Final = 120
LINE_CHARACTERS: Final = 64
# How much a line must add to name and signature to be shown: most of the weight of the query terms
# that they lack, or two of many such terms. Set by the suite `tokens`: at a half, every other line
# had one of two words, and ten results in Java took 12 % more tokens.
_LEAST_SHARE: Final = 0.6
_LEAST_TERMS: Final = 2
_HAIR: Final = 1e-9
# Each digit more would cost every answer a byte. Scores keep theirs, since their parts add up.
METADATA_DIGITS: Final = 4


class Shown(Protocol):
    """A hit with its text."""

    @property
    def hit(self) -> SearchHit:
        """The hit."""
        ...

    @property
    def above(self) -> list[str]:
        """The lines of the doc comment directly above the hit's region."""
        ...

    @property
    def lines(self) -> list[str]:
        """The lines of the hit's region."""
        ...

    @property
    def neighbours(self) -> Neighbours:
        """The symbols around it."""
        ...

    @property
    def also_at(self) -> tuple[str, ...]:
        """Locations of near-duplicates, as `path:line`."""
        ...


def results_of(
    shown: Sequence[Shown], weights: dict[str, float], spec: ResponseSpec
) -> "list[SearchResultItem]":
    """Return the results of an answer, without empty fields."""
    return [_result_of(each, weights, spec) for each in shown]


def _result_of(shown: Shown, weights: dict[str, float], spec: ResponseSpec) -> "SearchResultItem":
    hit, symbol = shown.hit, shown.hit.symbol
    described: SymbolDescription = {}
    text: ResultText = {}
    if spec.detail is not DetailLevel.LOCATION:
        described, text = _described(hit, symbol, spec), _text(shown, weights, spec)
    result: SearchResultItem = {
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "kind": symbol.kind if symbol else "",
        "name": symbol.name if symbol else "",
        "score": hit.score,
        "result_id": result_handle(hit),
        **described,
        **text,
    }
    return omit_empty(result)


def result_handle(hit: SearchHit) -> str:
    """Return the handle of what a hit shows: its definition, else its chunk."""
    if hit.symbol is not None:
        return symbol_id_of(hit.version_key, hit.symbol.ordinal)
    return result_id_of(hit.version_key, hit.chunk or 0)


def _described(
    hit: SearchHit, symbol: StoredSymbol | None, spec: ResponseSpec
) -> "SymbolDescription":
    described: SymbolDescription = {
        "result_type": "symbol" if symbol else "snippet",
        "language": hit.language,
        "provenance": hit.provenance,
    }
    if symbol is not None:
        described["symbol_id"] = symbol_id_of(symbol.version_key, symbol.ordinal)
        described["qualified_name"] = symbol.qualified_name
        described["signature"] = shorten(symbol.signature, SIGNATURE_CHARACTERS)
        described["visibility"] = symbol.visibility
    return _compacted(described, hit.path, symbol) if spec.is_compact else described


def _compacted(
    described: "SymbolDescription", path: str, symbol: StoredSymbol | None
) -> "SymbolDescription":
    from cruxe.respond.compact import NOT_COMPACT, compact_name

    if symbol is not None:
        described["qualified_name"] = compact_name(symbol.qualified_name, symbol.name, path)
    return omit_fields(described, NOT_COMPACT)


def _text(shown: Shown, weights: dict[str, float], spec: ResponseSpec) -> "ResultText":
    """Return the text of a result. A compact one has no text, but its name may be flagged."""
    if spec.is_compact:
        symbol = shown.hit.symbol
        if symbol is None:
            return {}
        return {"flags": flags_of_symbol(symbol.qualified_name, symbol.signature)}
    if spec.detail is DetailLevel.SIGNATURE:
        line = _line_that_says_more(shown, weights)
        return {
            "snippet": shorten(line, LINE_CHARACTERS),
            "flags": _flags(shown, line),
            "also_at": list(shown.also_at),
        }
    lines = [*shown.above, *shown.lines]
    snippet = matching_lines(lines, weights) or one_line(shown.lines, weights)
    return {
        "snippet": snippet,
        **context_of(shown, snippet),
        "also_at": list(shown.also_at),
    }


def _line_that_says_more(shown: Shown, weights: dict[str, float]) -> str:
    """Return the line with most query terms that name and signature lack, shortened.

    Return an empty string if every line adds too little.
    """
    symbol = shown.hit.symbol
    if symbol is None:
        return one_line(shown.lines, weights)
    signature = shorten(symbol.signature, SIGNATURE_CHARACTERS)
    said = f" {terms_of_text(f'{symbol.qualified_name} {signature}')} "
    unsaid = {term: weight for term, weight in weights.items() if f" {term} " not in said}
    if not unsaid:
        return ""
    line = one_line([*shown.above, *shown.lines], unsaid)
    return line if sum_of_lines([line], unsaid) >= _least_weight(unsaid) else ""


def _least_weight(unsaid: dict[str, float]) -> float:
    """Return the least weight of a shown line, with a tolerance for float sums."""
    share = min(_LEAST_SHARE, _LEAST_TERMS / len(unsaid))
    return share * sum(unsaid.values()) - _HAIR


def context_of(shown: Shown, snippet: str = "") -> "ResultContext":
    """Return the preview of a hit and the symbols around it, with the flags of all this text."""
    parent, body = shown.neighbours.parent, preview(shown.lines)
    context: ResultContext = {"body_preview": body, "flags": _flags(shown, snippet, body)}
    if parent is not None:
        context["parent"] = location_of(parent)
    context["related_symbols"] = [location_of(each) for each in shown.neighbours.related]
    return context


def _flags(shown: Shown, *texts: str) -> list[str]:
    """Flag text in a hit's snippet, name and signature that addresses the reading agent."""
    symbol = shown.hit.symbol
    said = () if symbol is None else (symbol.qualified_name, symbol.signature)
    return sorted({each.flag.value for each in flag_addressed("\n".join((*said, *texts)))})


def location_of(symbol: StoredSymbol) -> "SymbolLocation":
    """Return where a symbol is defined, for a result that only refers to it."""
    return {
        "kind": symbol.kind,
        "name": symbol.name,
        "path": symbol.path,
        "line": symbol.line_start,
    }


_MAX_LINE_CHARACTERS: Final = 200
_MAX_CONTEXT_LINES: Final = 3
# With these limits nine of ten results are shown whole, at less than 500 tokens a result on average
# (FR-104, by the suite `tokens`): `docs/decisions/0024-what-a-result-says.md`.
PREVIEW_LINES: Final = 40
PREVIEW_CHARACTERS: Final = 1_500


def best_lines(lines: list[str], weights: dict[str, float], count: int) -> list[int]:
    """Return the indices of the lines with most of the query's weight, in file order."""
    held = weights_by_line("\n".join(lines), weights)
    scored = [(sum(each), -index) for index, each in held.items()]
    best = sorted((pair for pair in scored if pair[0] > 0), reverse=True)[:count]
    return sorted(-index for _, index in best)


def one_line(lines: list[str], weights: dict[str, float]) -> str:
    """Return the line that matches best, else the first that is not blank."""
    best = best_lines(lines, weights, 1)
    if best:
        return cut(lines[best[0]].strip())
    return next((cut(line.strip()) for line in lines if line.strip()), "")


def matching_lines(lines: list[str], weights: dict[str, float]) -> str:
    """Return the few lines that match best, in file order; an ellipsis marks what is between."""
    best = best_lines(lines, weights, _MAX_CONTEXT_LINES)
    shown: list[str] = []
    for position, index in enumerate(best):
        if position and index > best[position - 1] + 1:
            shown.append(ELLIPSIS.strip())
        shown.append(cut(lines[index]))
    return "\n".join(shown)


def preview(lines: list[str]) -> str:
    """Return the first whole lines of a region, with an ellipsis if more follow."""
    shown: list[str] = []
    room = PREVIEW_CHARACTERS
    for line in map(cut, lines[:PREVIEW_LINES]):
        room -= len(line) + 1
        if room < 0 and shown:
            break
        shown.append(line)
    if len(shown) < len(lines):
        shown.append(ELLIPSIS.strip())
    return "\n".join(shown)


def cut(line: str) -> str:
    """Shorten a line to the maximum length."""
    return shorten(line, _MAX_LINE_CHARACTERS)


class Asked(NamedTuple):
    """The input of suggestions."""

    query: str
    name: str  # its likeliest name; empty if it has none
    threshold: float
    defined: str = ""  # a name with a definition; empty if none is known
    unknown: str = ""  # a name in the query that does not occur; empty if there is none


def search_metadata(
    asked: Asked, reading: QueryReading, confidence: Confidence, semantics: Semantics
) -> "RetrievalMetadata":
    """Return the whole block of seed 003, including false and null fields."""
    is_low = confidence.value < asked.threshold
    return {
        "semantic_mode": semantics.mode,
        "semantic_enabled": semantics.is_enabled,
        "semantic_ratio_used": round(semantics.ratio_used, METADATA_DIGITS),
        "semantic_triggered": semantics.is_triggered,
        "semantic_skipped_reason": semantics.skipped_reason,
        "semantic_fallback": semantics.has_fallback,
        "external_provider_blocked": semantics.is_external_blocked,
        "embedding_model_version": semantics.model_version,
        "rerank_provider": semantics.rerank_provider,
        "rerank_fallback": semantics.has_rerank_fallback,
        "low_confidence": is_low,
        "suggested_action": suggested_action(asked, reading.intent, confidence) if is_low else None,
        "confidence_threshold": asked.threshold,
        "top_score": confidence.top_score,
        "score_margin": round(confidence.score_margin, METADATA_DIGITS),
        "channel_agreement": round(confidence.channel_agreement, METADATA_DIGITS),
        **intent_metadata(reading),
    }


def suggested_action(asked: Asked, intent: QueryIntent, confidence: Confidence) -> str:
    """Return what to do about an answer with low confidence."""
    if not confidence.top_score:
        from cruxe.respond.empty_answer import suggested_action_if_empty

        return suggested_action_if_empty(asked.query, intent)
    if intent is QueryIntent.SYMBOL:
        name = asked.name or asked.query
        return f"Try search_code with natural language: 'where is {name} defined'"
    if intent is QueryIntent.PATH:
        return "Check file path spelling or try search_code with filename"
    if intent is QueryIntent.ERROR:
        return "Try search_text with a part of the message that does not vary"
    return _look_up(asked)


def _look_up(asked: Asked) -> str:
    """Suggest a lookup; `locate_symbol` only for a name that has a definition."""
    if asked.defined:
        return f"Try locate_symbol with '{asked.defined}'"
    if asked.unknown:
        return f"'{asked.unknown}' does not occur here. Check its spelling, or say what it does."
    if asked.name:
        return f"Try search_text with '{asked.name}'"
    return "Try broader search terms or check index status."


# At this confidence one reading in three is wrong, so a second try is worthwhile.
_ESCALATE_BELOW: Final = 0.65
_SECOND_TRIES: Final = {
    QueryIntent.SYMBOL: "retry as symbol: locate_symbol with the exact name",
    QueryIntent.NATURAL_LANGUAGE: "retry as natural_language: say in a sentence what is looked for",
    QueryIntent.PATH: "retry as path: give the path with its folders or its extension",
    QueryIntent.ERROR: "retry as error: search_text with the exact message",
}


def intent_metadata(reading: QueryReading) -> "IntentMetadata":
    """Return the metadata fields about the intent."""
    return {
        "query_intent_confidence": reading.intent_confidence,
        "intent_escalation_hint": escalation_hint(reading),
    }


def escalation_hint(reading: QueryReading) -> str | None:
    """Return what to try if the query was misread, or None if the reading is sure enough."""
    if reading.intent_confidence >= _ESCALATE_BELOW:
        return None
    _, second, *_ = ranked(reading.by_intent)
    return _SECOND_TRIES[second]


def intent_stats(reading: QueryReading) -> "IntentStats":
    """Return the object `stats.intent`."""
    by_type = reading.by_type
    first, second, *_ = sorted(by_type.values(), reverse=True)
    return {
        "type": reading.type,
        "effectiveType": reading.effective_type,
        "confidenceByType": by_type,
        "confidence": first,
        "confidenceMargin": round(first - second, PROBABILITY_DIGITS),
        "confidenceBucket": bucket_of(first),
        "abstain": reading.abstains,
        "state": "uncertain" if reading.abstains else "certain",
    }
