"""Verification of hits against their files as they are when the answer is made."""

from typing import TYPE_CHECKING, NamedTuple

from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.query.select.text_source import FileText, TextSource

if TYPE_CHECKING:
    from cruxe.model.symbols import ParsedFile, Symbol


class Verified(NamedTuple):
    """A hit and the text that it is in."""

    hit: SearchHit
    text: FileText


class VerifiedHits(NamedTuple):
    """The hits that are still there."""

    hits: list[Verified]
    dropped: int  # hits that are gone
    is_changed: bool  # a file is not what was indexed, so other matches in it may be missing


def verify_hits(hits: list[SearchHit], texts: TextSource) -> VerifiedHits:
    """Check every hit in its file; update those that moved, drop those that are gone."""
    texts.expect((hit.version_key, hit.path) for hit in hits)
    read = [texts.read(hit.version_key, hit.path) for hit in hits]
    kept = [each for each in map(verified_in, read, hits) if each is not None]
    return VerifiedHits(kept, len(hits) - len(kept), any(map(is_not_as_indexed, read)))


def is_not_as_indexed(text: FileText | None) -> bool:
    """Whether a file is gone or not what was indexed."""
    return text is None or text.changed is not None


def verified_in(text: FileText | None, hit: SearchHit) -> Verified | None:
    """Return a hit as it is in a text now, or None if it is gone."""
    if text is None:
        return None
    if text.changed is None:
        return Verified(hit, text)
    if hit.symbol is None:
        return None  # a region is identified by its lines alone
    found = _same_symbol(hit.symbol, text.changed)
    if found is None:
        return None
    moved = hit.symbol._replace(
        line_start=found.line_start,
        line_end=found.line_end,
        name_line=found.name_line,
        signature=found.signature,
        doc=found.doc,
        visibility=found.visibility.value,
    )
    present = hit._replace(line_start=found.line_start, line_end=found.line_end, symbol=moved)
    return Verified(present, text)


def _same_symbol(symbol: StoredSymbol, parsed: "ParsedFile") -> "Symbol | None":
    return next((each for each in parsed.symbols if each.stable_id == symbol.stable_id), None)
