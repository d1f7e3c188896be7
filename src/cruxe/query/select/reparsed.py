"""The symbols of a file that changed since it was indexed, as a list and as a tree.

A symbol that is in the index too keeps its handle; a new one has none yet.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.hits import OutlineNode, OutlineRow, StoredSymbol
from cruxe.model.identity import VersionKey, symbol_id_of
from cruxe.model.symbols import NO_SYMBOL, ROLE_OF_KIND

if TYPE_CHECKING:
    from cruxe.model.symbols import ParsedFile

_UNKNOWN: Final = -1


def present_symbols(
    version_key: VersionKey, path: str, parsed: "ParsedFile", stored: Iterable[StoredSymbol]
) -> list[StoredSymbol]:
    """The parsed symbols in file order, each with its ordinal in the index if it has one.

    Parents are indexes into this list.
    """
    known = {each.stable_id: each.ordinal for each in stored}
    return [
        StoredSymbol(
            version_key=version_key,
            ordinal=known.get(each.stable_id, _UNKNOWN),
            path=path,
            language=parsed.language,
            name=each.name,
            qualified_name=each.qualified_name,
            kind=each.kind.value,
            role=ROLE_OF_KIND[each.kind].value,
            visibility=each.visibility.value,
            parent=None if each.parent == NO_SYMBOL else each.parent,
            line_start=each.line_start,
            line_end=each.line_end,
            name_line=each.name_line,
            signature=each.signature,
            doc=each.doc,
            stable_id=each.stable_id,
        )
        for each in parsed.symbols
    ]


def handle_of(symbol: StoredSymbol) -> str:
    """Return the handle of a symbol, or an empty string if it is not in the index."""
    if symbol.ordinal == _UNKNOWN:
        return ""
    return symbol_id_of(symbol.version_key, symbol.ordinal)


def present_outline(symbols: list[StoredSymbol], *, top_only: bool) -> list[OutlineNode]:
    """The tree of symbols of a file."""
    nodes = [OutlineNode(_row(symbol, symbols), []) for symbol in symbols]
    roots: list[OutlineNode] = []
    for symbol, node in zip(symbols, nodes, strict=True):
        if symbol.parent is None:
            roots.append(node)
        elif not top_only:
            nodes[symbol.parent].children.append(node)
    return roots


def siblings_of(symbol: StoredSymbol, symbols: list[StoredSymbol]) -> list[StoredSymbol]:
    """The symbols beside one, nearest first."""
    own = symbols.index(symbol)
    others = [
        (abs(index - own), index)
        for index, each in enumerate(symbols)
        if each.parent == symbol.parent and index != own
    ]
    return [symbols[index] for _, index in sorted(others)]


def _row(symbol: StoredSymbol, symbols: list[StoredSymbol]) -> OutlineRow:
    parent = None if symbol.parent is None else handle_of(symbols[symbol.parent])
    return OutlineRow(
        symbol_id=handle_of(symbol),
        symbol_stable_id=symbol.stable_id,
        parent_symbol_id=parent,
        name=symbol.name,
        qualified_name=symbol.qualified_name,
        kind=symbol.kind,
        language=symbol.language,
        line_start=symbol.line_start,
        line_end=symbol.line_end,
        signature=symbol.signature,
        visibility=symbol.visibility,
    )
