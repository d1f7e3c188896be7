"""Which symbols that pass a filter hold something of the query, by the texts of their files.

A filter on symbols asks for symbols in the chunks that were found, and most of them have no part
in why a chunk was found.
"""

from collections.abc import Sequence

from cruxe.model.hits import StoredSymbol
from cruxe.model.stored import HitRow
from cruxe.query.rank.scoring import FileScore
from cruxe.query.retrieve.evidence import FileEvidence, Symbols
from cruxe.query.select.verify import FileText, TextSource, present_span
from cruxe.text.lines import sum_of_lines, weight_held

_Weights = dict[str, float]


def keep_worded(weights: _Weights, texts: TextSource, files: list[FileScore]) -> list[FileScore]:
    """Reduce the filtered symbols of each file to those with words, those with most first."""
    texts.expect((each.file.version_key, each.file.facts.path) for each in files)
    return [each._replace(file=_worded(each.file, texts, weights)) for each in files]


def keep_similar(files: list[FileScore]) -> list[FileScore]:
    """Reduce the filtered symbols of each file to those that vectors found."""
    return [each._replace(file=_similar(each.file)) for each in files]


def _worded(file: FileEvidence, texts: TextSource, weights: _Weights) -> FileEvidence:
    text = texts.read(file.version_key, file.facts.path) if file.filtered else None
    if text is None or not file.filtered:  # a file that is gone is counted as such later
        return file
    return file._replace(filtered=_holding(file.filtered, text, weights))


def _similar(file: FileEvidence) -> FileEvidence:
    symbols = () if file.is_lexical or not file.filtered else file.filtered
    return file._replace(filtered=[each for each in symbols if _has_half(each, file.chunks)])


def _holding(symbols: Symbols, text: FileText, weights: _Weights) -> list[StoredSymbol]:
    """The symbols with some term of the query in their lines, name or doc comment."""
    found: list[tuple[float, float, int, int, StoredSymbol]] = []
    for symbol in symbols:
        first, last = present_span(symbol, text)
        lines = [symbol.doc.replace("\n", " "), symbol.name, *text.between(first, last)]
        if held := sum_of_lines(lines, weights):
            named = weight_held(symbol.name, weights)
            found.append((-held, -named, last - first, symbol.ordinal, symbol))
    return [each for *_, each in sorted(found)]


def _has_half(symbol: StoredSymbol, chunks: Sequence[HitRow]) -> bool:
    """Whether a symbol has half of a chunk that vectors found, or a chunk half of it."""
    for _, _, _, first, last in chunks:
        common = min(symbol.line_end, last) - max(symbol.line_start, first) + 1
        shorter = min(symbol.line_end - symbol.line_start, last - first) + 1
        if 2 * common >= shorter:
            return True
    return False
