"""A nested table of names, as TOML gives it, to entries under their canonical keys.

Only sections that exist are entered, so a hostile file cannot make this deep. Names nobody knows
become notices; their values are never shown, as they may be anything.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from cruxe.config.keys import canonical_keys, section_names
from cruxe.config.provenance import Notice, Origin
from cruxe.config.report import shortened
from cruxe.config.values import is_table

MAX_UNKNOWN_NOTICES: Final = 20
_MAX_COMPARED_CHARACTERS: Final = 64


class Entry(NamedTuple):
    """One raw value for a canonical key."""

    key: str
    raw: object
    origin: Origin


class Collected(NamedTuple):
    """What one layer gives."""

    entries: tuple[Entry, ...] = ()
    notices: tuple[Notice, ...] = ()


def collect_table(table: Mapping[str, object], origin: Origin) -> Collected:
    """Gather the entries of a table; within it, a key beats its legacy names."""
    found = tuple(_walk(table, ""))
    known = [(name, raw) for name, raw in found if name in canonical_keys()]
    unknown = [(name, raw) for name, raw in found if name not in canonical_keys()]
    return Collected(
        entries=first_of_each((name, raw, origin) for name, raw in _canonical_first(known)),
        notices=_unknown_notices(unknown, origin),
    )


def first_of_each(named: Iterable[tuple[str, object, Origin]]) -> tuple[Entry, ...]:
    """Keep, of all names for one key, the one that comes first."""
    entries: dict[str, Entry] = {}
    for name, raw, origin in named:
        key = canonical_keys()[name]
        entries.setdefault(key, Entry(key, raw, origin))
    return tuple(entries.values())


def nearest_name(name: str, names: Iterable[str]) -> str:
    """Find the name that was probably meant, or nothing."""
    from difflib import get_close_matches  # only for misspelled names

    matches = get_close_matches(name[:_MAX_COMPARED_CHARACTERS], tuple(names), n=1, cutoff=0.75)
    return matches[0] if matches else ""


def _walk(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for name, raw in table.items():
        path = prefix + name
        if path in section_names() and is_table(raw):
            yield from _walk(raw, f"{path}.")
        else:
            yield path, raw


def _canonical_first(known: list[tuple[str, object]]) -> list[tuple[str, object]]:
    return sorted(known, key=lambda item: canonical_keys()[item[0]] != item[0])


def _unknown_notices(unknown: list[tuple[str, object]], origin: Origin) -> tuple[Notice, ...]:
    notices = [
        Notice(shortened(name), given="", used="", why=_why_unknown(name), origin=origin)
        for name, _ in unknown[:MAX_UNKNOWN_NOTICES]
    ]
    if len(unknown) > MAX_UNKNOWN_NOTICES:
        why = f"{len(unknown) - MAX_UNKNOWN_NOTICES} more settings are unknown"
        notices.append(Notice(key="", given="", used="", why=why, origin=origin))
    return tuple(notices)


def _why_unknown(name: str) -> str:
    if name in section_names():
        return "expected a table"
    nearest = nearest_name(name, canonical_keys())
    return f"unknown setting; did you mean {nearest}?" if nearest else "unknown setting"
