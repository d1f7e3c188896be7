"""Hits that say what another one says already: the same symbol or region, or a copy elsewhere.

A copy in another file gives way to the best-ranked one, which tells where else it stands. Two
regions of one file are never copies of each other, however alike.
"""

from typing import Final, Generic, NamedTuple, TypeVar

from cruxe.model.hits import SearchHit
from cruxe.text.minhash import LikenessIndex, fingerprint_of

# One token changed in sixty: what is left are a renamed variable or another copyright year.
LEAST_LIKENESS: Final = 0.85

_Item = TypeVar("_Item")


class Distinct(NamedTuple, Generic[_Item]):
    """What is shown, and where nearly the same stands, as `path:line`."""

    item: _Item
    also_at: tuple[str, ...]


class DuplicateFilter(Generic[_Item]):
    """Takes hits best first and keeps those that say something new."""

    def __init__(self) -> None:
        """Start empty."""
        self.suppressed = 0
        self._hits: list[SearchHit] = []
        self._items: list[_Item] = []
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

    def add(self, item: _Item, hit: SearchHit, text: str) -> bool:
        """Keep a hit if it is new; `text` is that of its region."""
        identity = identity_of(hit)
        if identity in self._identities:
            self.suppressed += 1
            return False
        self._identities.add(identity)
        fingerprint = fingerprint_of(text)
        for number in self._texts.find(fingerprint):
            if self._hits[number].path != hit.path:
                self._also_at[number].append(f"{hit.path}:{hit.line_start}")
                self.suppressed += 1
                return False
        self._texts.add(fingerprint)
        self._hits.append(hit)
        self._items.append(item)
        self._also_at.append([])
        return True


def identity_of(hit: SearchHit) -> tuple[int, ...]:
    """What a hit shows: a symbol, else a region of a file."""
    if hit.symbol is not None:
        return hit.version_key, hit.symbol.ordinal
    return hit.version_key, hit.line_start, hit.line_end
