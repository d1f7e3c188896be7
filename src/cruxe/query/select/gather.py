"""The hits of one page: verified, narrowed, without duplicates, and as many as asked for.

Candidates are read in their order until the page is full and the next one is new, so that a page
never ends between a hit and the copies that follow it. The next page starts at the first candidate
that was not read.

A hit is a duplicate if an earlier one shows the same symbol or region, or a copy of its text in
another file. Two regions of one file are never copies of each other, however similar, and neither
are regions of a few lines. A copy that is not shown still counts among the regions of its file, so
that those after it fade: what is a copy is known only here, after all were scored and ordered.

Pages are parts of one list, however long they are: a candidate is compared with all earlier ones
in the same window, on this page or on one before. A page that starts inside a window reads again
what comes before it there. Copies in different windows both stay: to find them, a late page would
have to read all that came before.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final, Generic, NamedTuple, TypeVar

from cruxe.model.clock_cache import ClockCache
from cruxe.model.hits import SearchHit
from cruxe.query.rank.ranking import Ranking
from cruxe.query.select.verify import TextSource, Verified, is_not_as_indexed, verified_in
from cruxe.text.minhash import Fingerprint, LikenessIndex, fingerprint_of

# Candidates among which duplicates are found.
WINDOW: Final = 100
# One changed token in sixty: another name for a variable, another year of copyright.
LEAST_LIKENESS: Final = 0.85
# A shorter region is no copy of one in another file: an alias or a field is written alike in many.
LEAST_COPIED_LINES: Final = 6
# One is read when a page is full, and most have no duplicates; for those that have, more
# candidates are looked up.
_SPARE_CANDIDATES: Final = 2
_Item = TypeVar("_Item")


class Taken(StrEnum):
    """What became of a hit."""

    KEPT = "kept"
    SUPPRESSED = "suppressed"  # a duplicate
    REFUSED = "refused"  # new, but the page is full


class Distinct(NamedTuple, Generic[_Item]):
    """A hit that is shown, and where its copies are, as `path:line`."""

    item: _Item
    also_at: tuple[str, ...]


class Ranked(NamedTuple):
    """A hit with its text and its rank among all candidates, from 0."""

    verified: Verified
    rank: int


class Gathered(NamedTuple):
    """A page of hits."""

    distinct: list[Distinct[Ranked]]
    next_index: int  # of the first candidate that was not read
    is_exhausted: bool  # whether there is none
    total: int  # candidates in all
    suppressed: int  # duplicates
    dropped: int  # hits that are no longer in their files
    is_changed: bool  # a file is not what was indexed


def gather(
    ranking: Ranking,
    offset: int,
    limit: int,
    texts: TextSource,
    narrow: Callable[[Verified], Verified],
) -> Gathered:
    """Fill a page; `narrow` returns the part of a hit that is shown."""
    page = _Page(offset, limit, texts, narrow)
    index, is_full = offset - offset % WINDOW, False
    expected = offset - index + limit + _SPARE_CANDIDATES
    for hit in ranking.hits(index, expected, texts.expect):
        is_full = not page.take(hit, index)
        if is_full:
            break
        index += 1
    return page.gathered(index, len(ranking.regions), is_exhausted=not is_full)


class _Page:
    """A page that is being filled."""

    def __init__(
        self,
        offset: int,
        limit: int,
        texts: TextSource,
        narrow: Callable[[Verified], Verified],
    ) -> None:
        self._offset = offset
        self._room = limit
        self._texts = texts
        self._narrow = narrow
        self._windows: list[DuplicateFilter[Ranked]] = []
        self._suppressed = self._dropped = 0
        self._is_changed = False

    def take(self, hit: SearchHit, index: int) -> bool:
        """Read a candidate; return False for a new one if the page is full."""
        if index % WINDOW == 0 or not self._windows:
            self._windows.append(DuplicateFilter())
        is_own = index >= self._offset
        text = self._texts.read(hit.version_key, hit.path)
        verified = verified_in(text, hit)
        taken = None  # the hit is gone
        if verified is not None:
            has_room = self._room > 0 or not is_own
            taken = self._take(self._narrow(verified), index, has_room=has_room)
            if taken is Taken.REFUSED:
                return False
        if is_own:
            if taken is Taken.KEPT:
                self._room -= 1
            elif taken is Taken.SUPPRESSED:
                self._suppressed += 1
            else:
                self._dropped += 1
            self._is_changed = self._is_changed or is_not_as_indexed(text)
        return True

    def _take(self, shown: Verified, index: int, *, has_room: bool) -> Taken:
        window, ranked = self._windows[-1], Ranked(shown, index)
        return window.take(ranked, shown.hit, _fingerprint(shown), has_room=has_room)

    def gathered(self, next_index: int, total: int, *, is_exhausted: bool) -> Gathered:
        """The page as filled so far."""
        distinct = [each for window in self._windows for each in window.distinct]
        return Gathered(
            distinct=[each for each in distinct if each.item.rank >= self._offset],
            next_index=next_index,
            is_exhausted=is_exhausted,
            total=total,
            suppressed=self._suppressed,
            dropped=self._dropped,
            is_changed=self._is_changed,
        )


class DuplicateFilter(Generic[_Item]):
    """Takes hits best first and keeps the new ones."""

    def __init__(self) -> None:
        """Start empty."""
        self._items: list[_Item] = []
        self._paths: list[str] = []
        self._also_at: list[list[str]] = []
        self._identities: set[tuple[int, ...]] = set()
        self._texts = LikenessIndex(LEAST_LIKENESS)

    @property
    def distinct(self) -> list[Distinct[_Item]]:
        """The hits that were kept, in order."""
        return [
            Distinct(item, tuple(copies))
            for item, copies in zip(self._items, self._also_at, strict=True)
        ]

    def take(
        self, item: _Item, hit: SearchHit, text: Fingerprint, *, has_room: bool = True
    ) -> Taken:
        """Take a hit with the fingerprint of its text; without room only a duplicate."""
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
        """The number of the first kept hit in another file with nearly the same text."""
        for number in self._texts.find(text):
            if self._paths[number] != hit.path:
                return number
        return None


def identity_of(hit: SearchHit) -> tuple[int, ...]:
    """What identifies a hit: its symbol, else its region of a file."""
    if hit.symbol is not None:
        return hit.version_key, hit.symbol.ordinal
    return hit.version_key, hit.line_start, hit.line_end


# Questions to one repository find the same regions; there is room for five hundred ordinary ones.
_cached_fingerprints: Final[ClockCache[tuple[int, int, int], Fingerprint]] = ClockCache(8_000_000)
_NO_FINGERPRINT: Final = Fingerprint(frozenset(), frozenset())
_FINGERPRINT_BYTES: Final = 2_000
_SHINGLE_BYTES: Final = 80


def _fingerprint(shown: Verified) -> Fingerprint:
    """The fingerprint of a hit's lines, empty for a few; cached by text, which never changes."""
    hit, text = shown
    if hit.line_end - hit.line_start + 1 < LEAST_COPIED_LINES:
        return _NO_FINGERPRINT
    lines = text.content.cache_key, hit.line_start, hit.line_end
    found = _cached_fingerprints.get(lines)
    if found is None:
        found = fingerprint_of(text.text_between(hit.line_start, hit.line_end))
        size_bytes = _FINGERPRINT_BYTES + _SHINGLE_BYTES * len(found.shingles)
        _cached_fingerprints.put(lines, found, size_bytes)
    return found
