"""What passes the filters of a search without words, by path and line.

With a filter on symbols these are symbols, else the symbols of the files that pass, and the start
of a file that has none. Nothing is scored.
"""

from collections.abc import Iterator

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.specs import SearchSpec
from cruxe.query.rank.ranking import Ranking, find_files
from cruxe.query.rank.regions import Region
from cruxe.query.retrieve.dense import LEXICAL_ONLY
from cruxe.query.retrieve.opened_ref import OpenedRef, passes, versions_passing
from cruxe.query.understand.analysis import QueryAnalysis


def list_passing(analysis: QueryAnalysis, spec: SearchSpec, opened: OpenedRef) -> Ranking:
    """List what passes the filters of a query that has no words."""
    found = find_files(analysis, spec, opened, {}, LEXICAL_ONLY)
    return Ranking([*_regions(spec, opened)], opened, found, {})


def _regions(spec: SearchSpec, opened: OpenedRef) -> Iterator[Region]:
    is_passing = versions_passing(spec.filters, opened) or opened.is_live
    paths = opened.snapshot.paths_by_key(opened.ref_id)
    keys = sorted(filter(is_passing, paths), key=paths.__getitem__)
    symbols = dict(opened.snapshot.symbols_of(keys))
    bare = [] if spec.filters.on_symbols else [key for key in keys if key not in symbols]
    languages = {key: language for key, _, language, _ in opened.snapshot.described(bare)}
    for key in keys:
        if key in languages:
            yield _start_of_file(key, paths[key], languages[key])
        for symbol in sorted(symbols.get(key, ()), key=_by_line):
            if passes(spec.filters.on_symbols, symbol):
                yield _symbol_region(symbol)


def _by_line(symbol: StoredSymbol) -> tuple[int, int, int]:
    return symbol.line_start, symbol.line_end, symbol.ordinal


def _symbol_region(symbol: StoredSymbol) -> Region:
    return Region(
        version_key=symbol.version_key,
        path=symbol.path,
        language=symbol.language,
        line_start=symbol.line_start,
        line_end=symbol.line_end,
        symbol=symbol,
        chunk=None,
        points=(),
        score=0.0,
    )


def _start_of_file(key: VersionKey, path: str, language: str) -> Region:
    return Region(
        version_key=key,
        path=path,
        language=language,
        line_start=1,
        line_end=1,
        symbol=None,
        chunk=0,
        points=(),
        score=0.0,
    )
