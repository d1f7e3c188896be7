"""Definitions by name, tier by tier, best first, each with its score.

Exact, qualified and case-insensitive matches are found together. Only if the ref has no such
definition at all, of whatever kind, are names looked for that hold all the words, and only if
there is none of those either, names that differ by a typing error. So a doubtful match never
stands beside a sure one, and a filter never turns a sure match into a doubtful one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from cruxe.model.hits import (
    Contribution,
    LocateOutcome,
    MatchTier,
    SearchHit,
    StoredSymbol,
)
from cruxe.model.identity import VersionKey
from cruxe.model.specs import Filters, LocateSpec
from cruxe.model.symbols import fold_name, split_name
from cruxe.query.rank.policy import (
    BODY_POINTS,
    CLOSENESS_POINTS,
    EXAMPLE_PATH_POINTS,
    ORDINARY_PATH_POINTS,
    ROLE_POINTS,
    TIER_POINTS,
    VISIBILITY_POINTS,
)
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.text.paths import PathRole, path_roles

_DIGITS: Final = 6
_HEADINGS: Final = " > "  # between the parts of a heading's qualified name
# Plain words: to define the enumerations would cost more than to answer the question.
_WITH_BODY: Final = frozenset({"type", "callable"})
# Of a signature: fewer than on a line, since its lines are short if it needs several.
_CHARACTERS_PER_LINE: Final = 40


def locate(spec: LocateSpec, opened: OpenedRef) -> LocateOutcome:
    """Find the definitions of a name in a ref."""
    found = _find(spec.name, opened)
    failed = [(hit, _failed(hit, spec.filters)) for hit in found]
    wanted = [hit for hit, filters in failed if not filters]
    distinct = _drop_duplicates(wanted)
    taken = [name for _, filters in failed for name in filters]
    tiers = [hit.match for hit in distinct]
    end = spec.offset + spec.limit
    return LocateOutcome(
        hits=distinct[spec.offset : end],
        counts={tier: tiers.count(tier) for tier in MatchTier if tier in tiers},
        filtered_out={name: taken.count(name) for name in dict.fromkeys(taken)},
        suppressed=len(wanted) - len(distinct),
        next_offset=end if end < len(distinct) else None,
    )


def first_defined(names: Sequence[str], opened: OpenedRef) -> str:
    """Return the first of some names with a definition in any spelling, or an empty string."""
    is_live, parts = _liveness(opened), {name: split_name(name) for name in names}
    asked = [each for name in names for each in _looked_up(name, parts[name])]
    found = opened.snapshot.symbols_named(asked)
    return next((name for name in names if any(_of_name(name, parts[name], found, is_live))), "")


def _find(name: str, opened: OpenedRef) -> list[SearchHit]:
    """The symbols of the best tiers that have any, best first.

    Of `class Model` those of the kind that it says, if there are any.
    """
    is_live, parts = _liveness(opened), split_name(name)
    named = opened.snapshot.symbols_named(_looked_up(name, parts))
    found = _ranked(_of_name(name, parts, named, is_live))
    if found:
        return found
    if " " in name:
        from cruxe.query.understand.analysis import read_definition

        defined = read_definition(name)
        if defined is not None:
            found = _find(defined.name, opened)
            return [hit for hit in found if _symbol(hit).kind in defined.kinds] or found
    from cruxe.query.retrieve.loose_names import with_all_words, with_typing_error

    found = _ranked(
        _located_hit(symbol, MatchTier.SUB_WORD, closeness)
        for symbol, closeness in with_all_words(parts, opened, is_live)
    )
    return found or _ranked(
        _located_hit(symbol, MatchTier.FUZZY, closeness)
        for symbol, closeness in with_typing_error(parts, opened.snapshot, is_live)
    )


def _liveness(opened: OpenedRef) -> Callable[[VersionKey], bool]:
    return opened.snapshot.live_keys(opened.ref_id).__contains__


def _of_name(
    name: str,
    parts: list[str],
    named: Mapping[str, list[StoredSymbol]],
    is_live: Callable[[VersionKey], bool],
) -> Iterator[SearchHit]:
    """The definitions of a name among the symbols of it and of its last part."""
    for last in _looked_up(name, parts):
        for symbol in named[last]:
            tier = _match_tier(symbol, name, parts)
            if tier is not None and is_live(symbol.version_key):
                yield _located_hit(symbol, tier)


def _looked_up(name: str, parts: list[str]) -> list[str]:
    """Return the names to look up for one that may be qualified: itself and its last part.

    The last part of a heading's name, `README > Usage of x.y`, may have dots.
    """
    return list(dict.fromkeys((name, *parts[-1:], name.rpartition(_HEADINGS)[2])))


def _match_tier(symbol: StoredSymbol, name: str, parts: list[str]) -> MatchTier | None:
    """Return how a symbol matches a name, or None if its qualified name ends differently.

    `rate_limit` and `rateLimit` are one name in the spelling of two languages, so names that
    differ in underscores are of one tier with those that differ in case.
    """
    if name in (symbol.name, symbol.qualified_name):
        return MatchTier.EXACT
    own = split_name(symbol.qualified_name)
    is_end = len(parts) > 1 and own[-len(parts) :] == parts
    if is_end or symbol.qualified_name.endswith(f"{_HEADINGS}{name}"):
        return MatchTier.QUALIFIED
    if len(parts) == 1 and parts[0] == symbol.name:
        return MatchTier.EXACT
    if fold_name(name) == fold_name(symbol.name):
        return MatchTier.CASE_INSENSITIVE
    folded = [fold_name(part) for part in parts]
    if folded and [fold_name(part) for part in own[-len(parts) :]] == folded:
        return MatchTier.CASE_INSENSITIVE
    return None


def _ranked(hits: Iterable[SearchHit]) -> list[SearchHit]:
    """Every symbol once, best first; several look-ups may have found it."""
    each_once = {(hit.version_key, _symbol(hit).ordinal): hit for hit in hits}
    return sorted(each_once.values(), key=_order)


def _order(hit: SearchHit) -> tuple[float, str, int, int, int]:
    return -hit.score, hit.path, hit.line_start, hit.line_end, _symbol(hit).ordinal


def _symbol(hit: SearchHit) -> StoredSymbol:
    assert hit.symbol is not None
    return hit.symbol


def _failed(hit: SearchHit, filters: Filters) -> list[str]:
    """The filters that a definition does not pass."""
    if not filters:
        return []
    from cruxe.query.retrieve.opened_ref import failed_filters

    return failed_filters(filters, _symbol(hit))


def _drop_duplicates(ranked: list[SearchHit]) -> list[SearchHit]:
    """Keep the first of several definitions of one name on the same lines."""
    kept: dict[tuple[VersionKey, str], list[SearchHit]] = {}
    distinct: list[SearchHit] = []
    for hit in ranked:
        rivals = kept.setdefault((hit.version_key, _symbol(hit).name), [])
        if not any(_is_part_of(hit, rival) for rival in rivals):
            rivals.append(hit)
            distinct.append(hit)
    return distinct


def _is_part_of(hit: SearchHit, rival: SearchHit) -> bool:
    """Whether a hit has the rival's lines, or is an alias on them: `typedef struct x {…} x;`."""
    lines, others = (hit.line_start, hit.line_end), (rival.line_start, rival.line_end)
    is_inside = others[0] <= lines[0] and lines[1] <= others[1]
    return lines == others or (is_inside and _symbol(hit).role == "alias")


def _located_hit(symbol: StoredSymbol, tier: MatchTier, closeness: float = 0.0) -> SearchHit:
    """A definition with its score; `closeness` is 0 to 1 for merely similar names, else 0."""
    signal, value = TIER_POINTS[tier]
    given = [
        (signal, value),
        ("name_closeness", CLOSENESS_POINTS * closeness),
        ("ordinary_place", _path_points(symbol)),
        ("kind_match", ROLE_POINTS.get(symbol.role, 0.0)),
        ("definition_boost", BODY_POINTS if _has_body(symbol) else 0.0),
        ("visibility", VISIBILITY_POINTS.get(symbol.visibility, 0.0)),
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


def _path_points(symbol: StoredSymbol) -> float:
    roles = path_roles(symbol.path, symbol.language)
    if PathRole.TEST in roles:
        return 0.0
    return EXAMPLE_PATH_POINTS if roles else ORDINARY_PATH_POINTS


def _has_body(symbol: StoredSymbol) -> bool:
    """Whether a type or callable takes more lines than its signature: a prototype does not."""
    lines_below = symbol.line_end - symbol.name_line
    return symbol.role in _WITH_BODY and (
        lines_below > len(symbol.signature) // _CHARACTERS_PER_LINE
    )


def _contribution(signal: str, value: float) -> Contribution:
    """The points of a signal; nothing is clamped, since no setting may mix the tiers."""
    points = round(value, _DIGITS)
    return Contribution(signal=signal, raw=points, clamped=points, effective=points)
