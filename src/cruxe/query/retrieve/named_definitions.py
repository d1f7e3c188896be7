"""The definitions that the names in a query mean, in any spelling.

Aliases are none, and where a name is all that was asked and occurs nowhere, a definition that a
typing error turns into it is.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.symbols import ROLE_OF_KIND, SymbolRole, fold_name, split_name
from cruxe.query.rank.policy import NAMED_DEFINITIONS
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.understand.analysis import QueryAnalysis, is_plain_word
from cruxe.text.identifiers import terms_of_text


def find_definitions(
    analysis: QueryAnalysis, opened: OpenedRef, is_live: Callable[[VersionKey], bool]
) -> tuple[list[StoredSymbol], bool]:
    """The definitions of the names in a query in any spelling, and whether they are misspelt.

    Names with typing errors are looked for only if a name is all that was asked, and occurs
    nowhere.
    """
    parts = [parts for parts in map(split_name, analysis.names) if parts]
    named = opened.snapshot.symbols_named([each[-1] for each in parts]) if parts else {}
    found = {
        (symbol.version_key, symbol.ordinal): symbol
        for symbol in chain.from_iterable(named.values())
        if is_live(symbol.version_key) and _may_be_meant(symbol, analysis)
    }
    if found or not (analysis.is_name and parts) or _occurs(parts[0][-1], opened):
        return _most_named(found.values(), analysis), False
    from cruxe.query.retrieve.loose_names import with_typing_error

    near = [*with_typing_error(parts[0], opened.snapshot, is_live)]
    closest = max([each.closeness for each in near], default=0.0)
    symbols = [each.symbol for each in near if each.closeness == closest]
    return symbols[:NAMED_DEFINITIONS], bool(symbols)


def _may_be_meant(symbol: StoredSymbol, analysis: QueryAnalysis) -> bool:
    """Whether a definition is of a role that the query says.

    `class Model` means a function of that name too, if there is no other; `class name` does not.
    """
    is_word = all(map(is_plain_word, analysis.names))
    if not analysis.kinds or not is_word:
        return True
    return symbol.role in {ROLE_OF_KIND[kind] for kind in analysis.kinds}


def without_aliases(symbols: list[StoredSymbol], analysis: QueryAnalysis) -> Iterator[StoredSymbol]:
    """Yield the symbols that define something, without those that only lead to it.

    `const Ast = std.zig.Ast` never does; of a field or value on one line it is so if something
    larger has its name, or it differs from the name asked for and something larger is found.
    """
    proper = [each for each in symbols if not _is_minor(each)]
    known, asked = {each.name for each in proper}, analysis.bare_names
    for symbol in symbols:
        is_named_after = symbol.name in known or (known and symbol.name not in asked)
        if not _is_minor(symbol) or not (is_named_after or symbol.is_renaming):
            yield symbol


def _is_minor(symbol: StoredSymbol) -> bool:
    return symbol.role in _MINOR_ROLES and symbol.line_start == symbol.line_end


_MINOR_ROLES: Final = frozenset((SymbolRole.VALUE.value, SymbolRole.ALIAS.value))


def _most_named(symbols: Iterable[StoredSymbol], analysis: QueryAnalysis) -> list[StoredSymbol]:
    """Some of the definitions of names: those in the asked spelling first, and of types."""
    found, asked = [*symbols], analysis.bare_names
    if len(found) > NAMED_DEFINITIONS:
        found.sort(key=lambda each: (each.name not in asked, each.role != SymbolRole.TYPE))
    return found[:NAMED_DEFINITIONS]


def _occurs(name: str, opened: OpenedRef) -> bool:
    """Whether the indexed text of a ref has a name, as a whole and in any case."""
    term = next(iter(terms_of_text(name).split()), "")
    return not term or is_held(term, opened)


def is_held(term: str, opened: OpenedRef) -> bool:
    """Whether the indexed text of a ref has a term."""
    is_live = opened.snapshot.live_keys(opened.ref_id).__contains__
    return bool(opened.lexical.search("text", [(term, 1.0)], 1, is_live))


def is_qualified_match(symbol: StoredSymbol, name: str) -> bool:
    """Whether a qualified name in the query is the end of the symbol's qualified name."""
    asked = _folded_parts(name)
    if len(asked) < 2 or asked[-1] != fold_name(symbol.name):  # noqa: PLR2004 - a scope and a name
        return False
    return _folded_parts(symbol.qualified_name)[-len(asked) :] == asked


@lru_cache(maxsize=1 << 10)  # a query has a few names, compared with those of hundreds of symbols
def _folded_parts(name: str) -> tuple[str, ...]:
    return tuple(fold_name(part) for part in split_name(name))
