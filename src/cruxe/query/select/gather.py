"""The hits of one answer: verified, focused, free of duplicates, and as many as were asked for.

Candidates are looked at in their order until the answer is full and the next one is new, so that
an answer never ends between a hit and the copies that follow it. The next page starts at the first
candidate that was not looked at.

Pages are parts of one list, however long they are: a candidate is a duplicate if it is one of an
earlier candidate in the same window, be that on this page or on one before. A page that starts
inside a window looks once more at what comes before it there. Copies in different windows both
stay, since to find them a late page would have to read all that came before.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from cruxe.model.clock_cache import Kept
from cruxe.model.hits import SearchHit
from cruxe.query.rank.ranking import Ranking
from cruxe.query.select.dedup import Distinct, DuplicateFilter, Taken
from cruxe.query.select.text_source import TextSource
from cruxe.query.select.verify import Verified, is_not_as_indexed, verified_in
from cruxe.text.minhash import Fingerprint, fingerprint_of

WINDOW: Final = 100
# One is looked at when an answer is full, and most have no duplicates; for those that have, more
# candidates are looked up.
_SPARE_CANDIDATES: Final = 2


class Placed(NamedTuple):
    """A hit with its text and its place among all candidates, from zero."""

    verified: Verified
    place: int


class Gathered(NamedTuple):
    """What an answer is made of."""

    distinct: list[Distinct[Placed]]
    next_place: int  # of the first candidate that was not looked at
    is_exhausted: bool  # whether there is none
    total: int  # candidates in all
    suppressed: int  # duplicates
    dropped: int  # whose place is gone
    is_changed: bool  # a file is not what was indexed


def gather(
    ranking: Ranking,
    offset: int,
    limit: int,
    texts: TextSource,
    narrow: Callable[[Verified], Verified],
) -> Gathered:
    """Fill an answer; `narrow` says which part of a hit is shown."""
    page = _Page(offset, limit, texts, narrow)
    place, is_full = offset - offset % WINDOW, False
    for hit in ranking.hits(place, offset - place + limit + _SPARE_CANDIDATES):
        is_full = not page.take(hit, place)
        if is_full:
            break
        place += 1
    return page.gathered(place, len(ranking.regions), is_exhausted=not is_full)


class _Page:
    """An answer that is being filled."""

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
        self._windows: list[DuplicateFilter[Placed]] = []
        self._suppressed = self._dropped = 0
        self._is_changed = False

    def take(self, hit: SearchHit, place: int) -> bool:
        """Look at a candidate; refuse one that is new when the answer is full."""
        if place % WINDOW == 0 or not self._windows:
            self._windows.append(DuplicateFilter())
        is_own = place >= self._offset
        text = self._texts.read(hit.version_key, hit.path)
        verified = verified_in(text, hit)
        taken = None  # of what is gone
        if verified is not None:
            has_room = self._room > 0 or not is_own
            taken = self._take(self._narrow(verified), place, has_room=has_room)
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

    def _take(self, shown: Verified, place: int, *, has_room: bool) -> Taken:
        window, placed = self._windows[-1], Placed(shown, place)
        return window.take(placed, shown.hit, _fingerprint(shown), has_room=has_room)

    def gathered(self, next_place: int, total: int, *, is_exhausted: bool) -> Gathered:
        """What came of it."""
        distinct = [each for window in self._windows for each in window.distinct]
        return Gathered(
            [each for each in distinct if each.item.place >= self._offset],
            next_place,
            is_exhausted,
            total,
            self._suppressed,
            self._dropped,
            self._is_changed,
        )


# The same regions are found again and again by the questions to one repository; of ordinary ones
# there is room for five hundred.
_kept_fingerprints: Final[Kept[tuple[int, int, int], Fingerprint]] = Kept(8_000_000)
_FINGERPRINT_BYTES: Final = 2_000
_SHINGLE_BYTES: Final = 80


def _fingerprint(shown: Verified) -> Fingerprint:
    """What the lines of a hit are known by; they are never others in the same text."""
    hit, text = shown
    lines = text.content.cache_key, hit.line_start, hit.line_end
    found = _kept_fingerprints.get(lines)
    if found is None:
        found = fingerprint_of(text.text_between(hit.line_start, hit.line_end))
        size_bytes = _FINGERPRINT_BYTES + _SHINGLE_BYTES * len(found.shingles)
        _kept_fingerprints.keep(lines, found, size_bytes)
    return found
