"""How a definition's name answers the name that was asked for."""

from typing import Final

from cruxe.model.hits import MatchTier, StoredSymbol
from cruxe.text.identifiers import fold_name

# `a.b.C`, `a::b`, `pkg/Class#method`, `ptr->field`, `Outer$Inner`: all part a path of names. A
# dollar sign at the start of a name belongs to it.
_SEPARATORS: Final = str.maketrans(dict.fromkeys("#/:\\", "."))
_INNER_DOLLAR: Final = r"(?<=\w)\$(?=\w)"


def split_name(name: str) -> list[str]:
    """The parts of a qualified name in any language's spelling."""
    path = name.strip().removesuffix("()").replace("->", ".").translate(_SEPARATORS)
    if "$" in path:
        from re import sub

        path = sub(_INNER_DOLLAR, ".", path)
    return [part for part in path.split(".") if part]


def match_tier(symbol: StoredSymbol, name: str, parts: list[str]) -> MatchTier | None:
    """How a symbol answers a name; nothing where its qualified name ends otherwise.

    `rate_limit` and `rateLimit` are one name in the spelling of two languages, so names that
    differ in underscores are of one tier with those that differ in case.
    """
    if name in (symbol.name, symbol.qualified_name):
        return MatchTier.EXACT
    own = split_name(symbol.qualified_name)
    if len(parts) > 1 and own[-len(parts) :] == parts:
        return MatchTier.QUALIFIED
    if len(parts) == 1 and parts[0] == symbol.name:
        return MatchTier.EXACT
    if fold_name(name) == fold_name(symbol.name):
        return MatchTier.CASE_INSENSITIVE
    folded = [fold_name(part) for part in parts]
    if folded and [fold_name(part) for part in own[-len(parts) :]] == folded:
        return MatchTier.CASE_INSENSITIVE
    return None
