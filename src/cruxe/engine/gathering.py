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
from typing import Final

from cruxe.engine.texts import TextReader
from cruxe.engine.verify import Verified, verify_hits
from cruxe.model.hits import SearchHit
from cruxe.model.named import NamedTuple
from cruxe.query.dedup import Distinct, DuplicateFilter, Taken
from cruxe.query.search import Ranking

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
    texts: TextReader,
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
        texts: TextReader,
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
        verified = verify_hits([hit], self._texts)
        for each in map(self._narrow, verified.hits):
            taken = self._take(Placed(each, place), has_room=self._room > 0 or not is_own)
            if taken is Taken.REFUSED:
                return False
            if is_own and taken is Taken.KEPT:
                self._room -= 1
            elif is_own:
                self._suppressed += 1
        if is_own:
            self._dropped += verified.dropped
            self._is_changed = self._is_changed or verified.is_changed
        return True

    def _take(self, placed: Placed, *, has_room: bool) -> Taken:
        hit, text = placed.verified
        shown = text.text_between(hit.line_start, hit.line_end)
        return self._windows[-1].take(placed, hit, shown, has_room=has_room)

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
