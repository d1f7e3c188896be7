"""What a pasted text says about files: the names, paths, frames and literals that occur in a ref.

Each piece of evidence counts the more the fewer files share it.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.identity import VersionKey
from cruxe.model.symbols import split_name
from cruxe.query.rank.policy import (
    PASTED_DEFINERS,
    PASTED_NAMESAKES,
    PASTED_TERMS,
)
from cruxe.query.retrieve.literals import LiteralPlace, LiteralSearch, Places
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.understand.analysis import QueryTerm
from cruxe.query.understand.pasted_text import PastedText

if TYPE_CHECKING:
    from cruxe.query.select.verify import TextSource

_SHORTEST_NAME: Final = 3
_MOST_SUM: Final = 2.0  # of definitions in one file


class PastedEvidence(NamedTuple):
    """What was found, by version; values from 0 to 1."""

    definitions: Mapping[VersionKey, float]
    literals: Mapping[VersionKey, LiteralPlace]
    paths: Mapping[VersionKey, float]
    frames: Mapping[VersionKey, float]
    recent: Mapping[str, float]  # by path


def telling_terms(weights: Mapping[str, float], opened: OpenedRef) -> tuple[QueryTerm, ...]:
    """The terms that tell files apart, by weight in the text and rarity in the store."""
    rarity = opened.lexical.rarity("text", weights)
    order = sorted(weights, key=lambda term: (-weights[term] * rarity[term], term))
    return tuple(QueryTerm(term, weights[term]) for term in order[:PASTED_TERMS] if rarity[term])


def defining_files(pasted: PastedText, opened: OpenedRef) -> dict[VersionKey, float]:
    """The files that define names of the text: each name counts one over the files that do."""
    parts = {split[-1]: None for split in map(split_name, pasted.names) if split}
    names = [name for name in parts if len(name) >= _SHORTEST_NAME]
    sums: dict[VersionKey, float] = {}
    for symbols in opened.snapshot.symbols_named(names).values() if names else ():
        keys = {each.version_key for each in symbols if opened.is_live(each.version_key)}
        keys = {*_sources(keys, opened)}
        if len(keys) <= PASTED_DEFINERS:
            for key in keys:
                sums[key] = sums.get(key, 0.0) + 1 / len(keys)
    return {key: min(value, _MOST_SUM) / _MOST_SUM for key, value in sums.items()}


def named_files(pasted: PastedText, opened: OpenedRef) -> dict[VersionKey, float]:
    """The files whose paths the text writes, below whatever folder of another checkout."""
    values: dict[str, float] = {}
    for written in pasted.paths:
        for path, value in _resolved(written, opened):
            values[path] = max(values.get(path, 0.0), value)
    return _by_version(values, opened)


def framed_files(pasted: PastedText, opened: OpenedRef) -> dict[VersionKey, float]:
    """The files of a traceback that the ref holds: the innermost counts most."""
    values: dict[str, float] = {}
    depth = 0
    for frame in pasted.frames:
        found = [path for path, value in _resolved(frame.path, opened) if value > 1 / 2]
        if found:
            depth += 1
        for path in found:
            values.setdefault(path, 1 / (depth * len(found)))
    return _by_version(values, opened)


def literal_places(pasted: PastedText, opened: OpenedRef, texts: "TextSource") -> Places:
    """The source files that hold a literal or a message of the text."""
    search = LiteralSearch(opened, texts, lambda: ())
    places = search.find_literals(pasted.literals)
    for key, place in search.find_messages(pasted.messages).items():
        if key not in places or places[key].value < place.value:
            places[key] = place
    return {key: places[key] for key in _sources(places, opened)}


def _sources(keys: Iterable[VersionKey], opened: OpenedRef) -> list[VersionKey]:
    """Those of the versions that are neither tests, examples, prose nor data, in order."""
    wanted = sorted(keys)
    facts = opened.file_facts.look_up(wanted, opened.snapshot)
    return [key for key, each in zip(wanted, facts, strict=True) if each and not each.roles]


def _resolved(written: str, opened: OpenedRef) -> list[tuple[str, float]]:
    """The paths of the ref with the longest end in common with a written path."""
    parts = [part for part in written.strip("/").split("/") if part not in (".", "..", "~")]
    for start in range(len(parts)):
        found = _ending_in("/".join(parts[start:]), opened.paths)
        if found:
            is_only_name = start == len(parts) - 1 and start > 0
            share = 1 / 2 if is_only_name else 1.0
            few = found if len(found) <= PASTED_NAMESAKES else []
            return [(path, share / len(found)) for path in few]
    return []


def _ending_in(suffix: str, joined: str) -> list[str]:
    found: list[str] = []
    for before in "/\0":
        needle = f"{before}{suffix}\0"
        start = joined.find(needle)
        while start >= 0 and len(found) <= PASTED_NAMESAKES:
            first = joined.rindex("\0", 0, start + 1) + 1
            found.append(joined[first : start + len(needle) - 1])
            start = joined.find(needle, start + 1)
    return found


def _by_version(values: Mapping[str, float], opened: OpenedRef) -> dict[VersionKey, float]:
    rows = opened.snapshot.read_rows(opened.ref_id, values)
    keys = ((row.content_key, values[path]) for path, row in rows.items())
    return {key: value for key, value in keys if key is not None}
