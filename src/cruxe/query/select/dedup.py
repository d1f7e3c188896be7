"""Hits that say what another one says already: the same symbol or region, or a copy elsewhere.

A copy in another file gives way to the best-ranked one, which tells where else it stands. Two
regions of one file are never copies of each other, however alike.
"""

from enum import StrEnum
from typing import Final, Generic, NamedTuple, TypeVar

from cruxe.model.hits import SearchHit
from cruxe.text.minhash import Fingerprint, LikenessIndex

# One token changed in sixty: another name for a variable, another year of copyright.
LEAST_LIKENESS: Final = 0.85

_Item = TypeVar("_Item")


class Taken(StrEnum):
    """What became of a hit."""

    KEPT = "kept"
    SUPPRESSED = "suppressed"  # it says what another says
    REFUSED = "refused"  # it is new, but there is no room


class Distinct(NamedTuple, Generic[_Item]):
    """What is shown, and where nearly the same stands, as `path:line`."""

    item: _Item
    also_at: tuple[str, ...]


class DuplicateFilter(Generic[_Item]):
    """Takes hits best first and keeps what is new."""

    def __init__(self) -> None:
        """Start empty."""
        self._items: list[_Item] = []
        self._paths: list[str] = []
        self._also_at: list[list[str]] = []
        self._identities: set[tuple[int, ...]] = set()
        self._texts = LikenessIndex(LEAST_LIKENESS)

    @property
    def distinct(self) -> list[Distinct[_Item]]:
        """What was kept, in order."""
        return [
            Distinct(item, tuple(places))
            for item, places in zip(self._items, self._also_at, strict=True)
        ]

    def take(
        self, item: _Item, hit: SearchHit, text: Fingerprint, *, has_room: bool = True
    ) -> Taken:
        """Take a hit and what its text is known by; without room only what is not new."""
        identity = identity_of(hit)
        if identity in self._identities:
            return Taken.SUPPRESSED
        original = self._original_of(hit, text) if self._texts.may_hold(text) else None
        if original is None and not has_room:
            return Taken.REFUSED
        self._identities.add(identity)
        if original is not None:
            self._also_at[original].append(f"{hit.path}:{hit.line_start}")
            return Taken.SUPPRESSED
        self._texts.add(text)
        self._items.append(item)
        self._paths.append(hit.path)
        self._also_at.append([])
        return Taken.KEPT

    def _original_of(self, hit: SearchHit, text: Fingerprint) -> int | None:
        """The first in another file that says nearly the same."""
        for number in self._texts.find(text):
            if self._paths[number] != hit.path:
                return number
        return None


def identity_of(hit: SearchHit) -> tuple[int, ...]:
    """What a hit shows: a symbol, else a region of a file."""
    if hit.symbol is not None:
        return hit.version_key, hit.symbol.ordinal
    return hit.version_key, hit.line_start, hit.line_end
