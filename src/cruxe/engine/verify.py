"""Verify before returning: hits are looked at in the files as they are when the answer leaves."""

from typing import TYPE_CHECKING

from cruxe.engine.texts import FileText, TextReader
from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.model.named import NamedTuple

if TYPE_CHECKING:
    from cruxe.model.symbols import ParsedFile, Symbol


class Verified(NamedTuple):
    """A hit and the text that it is in."""

    hit: SearchHit
    text: FileText


class VerifiedHits(NamedTuple):
    """The hits that are still there."""

    hits: list[Verified]
    dropped: int  # whose place is gone
    is_changed: bool  # a file is not what was indexed, so other matches in it may be missing


def verify_hits(hits: list[SearchHit], texts: TextReader) -> VerifiedHits:
    """Look at every hit's file; move those whose definition moved, drop those that are gone."""
    kept: list[Verified] = []
    is_changed = False
    for hit in hits:
        text = texts.read(hit.version_key, hit.path)
        if text is None or text.changed is not None:
            is_changed = True
        present = None if text is None else _present(hit, text)
        if present is not None and text is not None:
            kept.append(Verified(present, text))
    return VerifiedHits(kept, len(hits) - len(kept), is_changed)


def _present(hit: SearchHit, text: FileText) -> SearchHit | None:
    if text.changed is None:
        return hit
    if hit.symbol is None:
        return None  # a region has nothing to be known by but its lines
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
    return hit._replace(line_start=found.line_start, line_end=found.line_end, symbol=moved)


def _same_symbol(symbol: StoredSymbol, parsed: "ParsedFile") -> "Symbol | None":
    return next((each for each in parsed.symbols if each.stable_id == symbol.stable_id), None)
