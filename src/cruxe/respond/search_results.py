"""Turn hits into results of `search_code`, with as much text as the request asks for."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeVar, cast

from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.model.identity import result_id_of, symbol_id_of
from cruxe.model.levels import DetailLevel
from cruxe.model.specs import ResponseSpec
from cruxe.model.stored import Neighbours
from cruxe.respond.snippets import matching_lines, one_line, preview, shorten
from cruxe.safety.injection_flags import flag_addressed
from cruxe.safety.redaction import flags_of_symbol
from cruxe.text.identifiers import terms_of_text
from cruxe.text.lines import sum_of_lines

if TYPE_CHECKING:
    from cruxe.contract.result_parts import (
        ResultContext,
        ResultText,
        SearchResultItem,
        SymbolDescription,
        SymbolLocation,
    )

# The average cost of a result (SC-102) is measured by the suite `tokens`.
SIGNATURE_CHARACTERS: Final = 120
LINE_CHARACTERS: Final = 80
# How much a line must add to name and signature to be shown: half the weight of the query terms
# that they lack, or two of many such terms. Set by the suite `tokens`.
_LEAST_SHARE: Final = 0.5
_LEAST_TERMS: Final = 2
_HAIR: Final = 1e-9


class Shown(Protocol):
    """A hit with its text."""

    @property
    def hit(self) -> SearchHit:
        """The hit."""
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
        described, text = _described(hit, symbol), _text(shown, weights, spec)
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
    """Return the handle of what a hit shows."""
    if hit.chunk is None and hit.symbol is not None:
        return symbol_id_of(hit.version_key, hit.symbol.ordinal)
    return result_id_of(hit.version_key, hit.chunk or 0)


def _described(hit: SearchHit, symbol: StoredSymbol | None) -> "SymbolDescription":
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
    return described


def _text(shown: Shown, weights: dict[str, float], spec: ResponseSpec) -> "ResultText":
    """Return the text of a result. A compact one has no text, but its name may be flagged."""
    if spec.is_compact:
        symbol = shown.hit.symbol
        if symbol is None:
            return {}
        return {"flags": flags_of_symbol(symbol.qualified_name, symbol.signature)}
    if spec.detail is DetailLevel.SIGNATURE:
        line = _line_that_says_more(shown, weights)
        return {"snippet": shorten(line, LINE_CHARACTERS), "flags": _flags(shown, line)}
    snippet = matching_lines(shown.lines, weights) or one_line(shown.lines, weights)
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
    line = one_line(shown.lines, unsaid)
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


PartT = TypeVar("PartT", bound=Mapping[str, object])


def omit_empty(part: PartT) -> PartT:
    """Return the part without optional fields that are an empty string, an empty list or None."""
    kept = {name: value for name, value in part.items() if value not in ("", None, [])}
    return _same_type(part, kept)


def omit_field(part: PartT, field: str) -> PartT:
    """Return the part without one of its optional fields."""
    return _same_type(part, {name: value for name, value in part.items() if name != field})


def replace_field(part: PartT, field: str, value: object) -> PartT:
    """Return the part with another value, of the same type, for a field."""
    return _same_type(part, {**part, field: value})


def _same_type(_: PartT, fields: dict[str, object]) -> PartT:
    # No checker can express "this TypedDict without some optional keys" for a type variable.
    return cast("PartT", fields)
