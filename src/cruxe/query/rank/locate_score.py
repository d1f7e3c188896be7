"""The score of a located definition: its tier first, then its place, its role, its body.

Every step of one of them is worth more than all that follow it together, so the order by score is
the order by tier, place, role, body and visibility. Only where names are merely alike does it
count, too, how much alike they are. The most that can be had is 1.
"""

from typing import Final

from cruxe.model.hits import Contribution, MatchTier, SearchHit, StoredSymbol
from cruxe.query.rank.path_roles import PlaceKind, place_kinds

_DIGITS: Final = 6
_TIERS: Final = {
    MatchTier.EXACT: ("exact_match", 0.8),
    MatchTier.QUALIFIED: ("qualified_name", 0.59),
    MatchTier.CASE_INSENSITIVE: ("case_insensitive", 0.38),
    MatchTier.SUB_WORD: ("sub_word", 0.02),
    MatchTier.FUZZY: ("fuzzy", 0.02),
}
_CLOSENESS: Final = 0.15
_ORDINARY_PLACE: Final = 0.145
_EXAMPLE_PLACE: Final = 0.0725
# Plain words: the enumerations would cost more to define than the question to answer.
_ROLES: Final = {"type": 0.046, "callable": 0.0345, "namespace": 0.023, "alias": 0.0115}
_WITH_BODY: Final = frozenset({"type", "callable"})
_BODY: Final = 0.005
_VISIBILITIES: Final = {"public": 0.004, "protected": 0.0025, "internal": 0.001}
# Of a signature: fewer than on a line, since its lines are short where it needs several.
_CHARACTERS_PER_LINE: Final = 40


def located_hit(symbol: StoredSymbol, tier: MatchTier, closeness: float = 0.0) -> SearchHit:
    """A definition with its score; `closeness` is 0 to 1 where names are merely alike, else 0."""
    signal, value = _TIERS[tier]
    given = [
        (signal, value),
        ("name_closeness", _CLOSENESS * closeness),
        ("ordinary_place", _place_value(symbol)),
        ("kind_match", _ROLES.get(symbol.role, 0.0)),
        ("definition_boost", _BODY if _has_body(symbol) else 0.0),
        ("visibility", _VISIBILITIES.get(symbol.visibility, 0.0)),
    ]
    contributions = tuple(_contribution(name, value) for name, value in given if value)
    return SearchHit(
        version_key=symbol.version_key,
        path=symbol.path,
        language=symbol.language,
        line_start=symbol.line_start,
        line_end=symbol.line_end,
        symbol=symbol,
        chunk=None,
        score=round(sum(each.effective for each in contributions), _DIGITS),
        contributions=contributions,
        match=tier,
    )


def _place_value(symbol: StoredSymbol) -> float:
    kinds = place_kinds(symbol.path, symbol.language)
    if PlaceKind.TEST in kinds:
        return 0.0
    return _EXAMPLE_PLACE if kinds else _ORDINARY_PLACE


def _has_body(symbol: StoredSymbol) -> bool:
    """Whether a type or callable takes more lines than its signature: a prototype does not."""
    lines_below = symbol.line_end - symbol.name_line
    return symbol.role in _WITH_BODY and (
        lines_below > len(symbol.signature) // _CHARACTERS_PER_LINE
    )


def _contribution(signal: str, value: float) -> Contribution:
    """What a signal gives; nothing is clamped, since no setting may mix the tiers."""
    points = round(value, _DIGITS)
    return Contribution(signal, points, points, points)
