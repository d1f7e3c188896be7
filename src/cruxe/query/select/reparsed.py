"""What a file that changed since it was indexed holds now: its symbols, and the tree of them.

A symbol that is in the index too keeps its handle, so that it can be asked for by it; a new one
has none yet.
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
    """What was parsed just now, in file order, each with its ordinal in the index if it has one.

    Parents are places in this list.
    """
    known = {each.stable_id: each.ordinal for each in stored}
    return [
        StoredSymbol(
            version_key,
            known.get(each.stable_id, _UNKNOWN),
            path,
            parsed.language,
            each.name,
            each.qualified_name,
            each.kind.value,
            ROLE_OF_KIND[each.kind].value,
            each.visibility.value,
            None if each.parent == NO_SYMBOL else each.parent,
            each.line_start,
            each.line_end,
            each.name_line,
            each.signature,
            each.doc,
            each.stable_id,
        )
        for each in parsed.symbols
    ]


def handle_of(symbol: StoredSymbol) -> str:
    """The handle of a symbol; empty where the index does not know it."""
    if symbol.ordinal == _UNKNOWN:
        return ""
    return symbol_id_of(symbol.version_key, symbol.ordinal)


def present_outline(symbols: list[StoredSymbol], *, top_only: bool) -> list[OutlineNode]:
    """The tree of symbols that stand in a file now."""
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
    place = symbols.index(symbol)
    others = [
        (abs(number - place), number)
        for number, each in enumerate(symbols)
        if each.parent == symbol.parent and number != place
    ]
    return [symbols[number] for _, number in sorted(others)]


def _row(symbol: StoredSymbol, symbols: list[StoredSymbol]) -> OutlineRow:
    parent = None if symbol.parent is None else handle_of(symbols[symbol.parent])
    return OutlineRow(
        handle_of(symbol),
        symbol.stable_id,
        parent,
        symbol.name,
        symbol.qualified_name,
        symbol.kind,
        symbol.language,
        symbol.line_start,
        symbol.line_end,
        symbol.signature,
        symbol.visibility,
    )
