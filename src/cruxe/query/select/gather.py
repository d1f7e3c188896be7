"""The hits of one page: verified, narrowed, without duplicates, and as many as asked for.

Candidates are read in their order until the page is full and the next one is new, so that a page
never ends between a hit and the copies that follow it. The next page starts at the first candidate
that was not read.

A hit is a duplicate if an earlier one shows the same symbol or region, or a copy of its text in
another file. Two regions of one file are never copies of each other, however similar, and neither
are regions of a few lines.

No file pays for a region that is not shown, because it is a copy or gone from its file: those
after it are scored again as if it had not been found. One that is a copy of what is still to be
read of the same original stays where it is, so that a copied file never comes before the rest of
the original. This holds for what is left out of the first window.

Pages are parts of one list, however long they are: a candidate is compared with all earlier ones
in the same window, on this page or on one before. A page that starts inside a window reads again
what comes before it there, and every page the first window, on which the order of all others
depends. Copies in different windows both stay: to find them, a late page would have to read all
that came before.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from heapq import heappop, heappush
from itertools import islice
from typing import Final, Generic, NamedTuple, TypeVar

from cruxe.model.clock_cache import ClockCache
from cruxe.model.hits import SearchHit
from cruxe.model.identity import VersionKey
from cruxe.query.rank.ranking import Candidate, ExpectFiles, Ranking
from cruxe.query.rank.regions import (
    ChangedRegions,
    Part,
    Region,
    SortKey,
    part_of,
    total_order,
)
from cruxe.query.select.verify import FileText, TextSource, Verified, is_not_as_indexed, verified_in
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
# Regions of an original that a further region of its copy is compared with.
_COMPARED: Final = 8
# Of what follows the first window if the first page goes on there: as few as fit a common page.
_BATCH: Final = 12
_Item = TypeVar("_Item")
_Name = tuple[VersionKey, Part]


class Taken(StrEnum):
    """What became of a hit."""

    KEPT = "kept"
    REPEATED = "repeated"  # shown already
    COPIED = "copied"  # a copy of what another file shows
    GONE = "gone"  # no longer in its file
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
    order: "CandidateOrder"


def gather(
    ranking: Ranking,
    offset: int,
    limit: int,
    texts: TextSource,
    narrow: Callable[[Verified], Verified],
) -> Gathered:
    """Fill a page; `narrow` returns the part of a hit that is shown."""
    reader = _Reader(texts, narrow)
    order = CandidateOrder(ranking, texts.expect, reader.are_alike)
    page = _Page(order, reader, offset, limit)
    start, is_full = offset - offset % WINDOW, False
    next_index, expected = start, offset - start + limit + _SPARE_CANDIDATES
    for index, hit in order.hits(start, expected):
        is_full = not page.take(hit, index)
        if is_full:
            break
        next_index = index + 1
    return page.gathered(next_index, len(ranking.regions), is_exhausted=not is_full)


class _Reader:
    """Reads what hits show."""

    def __init__(self, texts: TextSource, narrow: Callable[[Verified], Verified]) -> None:
        self._texts = texts
        self._narrow = narrow

    def read(self, hit: SearchHit) -> tuple[FileText | None, Verified | None]:
        """Return the text of a hit's file, and what is shown of it; None for what is gone."""
        text = self._texts.read(hit.version_key, hit.path)
        verified = verified_in(text, hit)
        return text, None if verified is None else self._narrow(verified)

    def are_alike(self, hit: SearchHit, other: SearchHit) -> bool:
        """Whether two hits show nearly the same text; of few lines exactly the same."""
        (_, first), (_, second) = self.read(hit), self.read(other)
        if first is None or second is None:
            return False
        if _lines(first) == _lines(second):
            return True
        texts = LikenessIndex(LEAST_LIKENESS)
        texts.add(_fingerprint(first))
        return any(True for _ in texts.find(_fingerprint(second)))


class _Page:
    """A page that is being filled."""

    def __init__(self, order: "CandidateOrder", reader: _Reader, offset: int, limit: int) -> None:
        self._order = order
        self._reader = reader
        self._offset = offset
        self._room = limit
        self._windows: list[DuplicateFilter[Ranked]] = []
        self._suppressed = self._dropped = 0
        self._is_changed = False

    def take(self, hit: SearchHit, index: int) -> bool:
        """Read a candidate; return False for a new one if the page is full."""
        if index % WINDOW == 0:
            self._windows.append(DuplicateFilter())
        text, shown = self._reader.read(hit)
        is_own = index >= self._offset
        has_room = self._room > 0 or not is_own
        taken = Taken.GONE if shown is None else self._take(shown, index, has_room=has_room)
        if taken is Taken.REFUSED:
            return False
        if is_own:
            self._count(taken)
            self._is_changed = self._is_changed or is_not_as_indexed(text)
        if taken is Taken.GONE and text is not None:
            self._order.hide(index)
        return True

    def _take(self, shown: Verified, index: int, *, has_room: bool) -> Taken:
        window, ranked = self._windows[-1], Ranked(shown, index)
        taken = window.take(ranked, shown.hit, _fingerprint(shown), has_room=has_room)
        if taken is Taken.COPIED:
            original = window.original_of(shown.hit)
            self._order.hide(index, original.verified.hit.version_key)
        return taken

    def _count(self, taken: Taken) -> None:
        if taken is Taken.KEPT:
            self._room -= 1
        elif taken is Taken.GONE:
            self._dropped += 1
        else:
            self._suppressed += 1

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
            order=self._order,
        )


class CandidateOrder:
    """The candidates of a ranking in the order in which they are read.

    What a file gains is known when a region of it that is not shown was read, and none comes before
    what was read already. So the order after the first window depends on all of the window.
    """

    def __init__(
        self,
        ranking: Ranking,
        expect: ExpectFiles,
        are_alike: Callable[[SearchHit, SearchHit], bool],
    ) -> None:
        """Read nothing yet; `expect` is called with files before their first hit."""
        self._ranking = ranking
        self._expect = expect
        self._are_alike = are_alike
        self._leading: list[Region] = []  # those read of the first window
        self._hidden: dict[VersionKey, set[Part]] = {}
        self._originals: dict[VersionKey, set[VersionKey]] = {}  # of copies, by their file
        self._ranked: dict[_Name, Region] = {}  # raised ones as they were ranked
        self._raised: dict[_Name, Region] = {}  # those not read yet
        self._next: list[tuple[SortKey, Region]] = []  # a heap of them, and of some outdated

    def hits(self, start: int, expected: int) -> Iterator[tuple[int, SearchHit]]:
        """The first window, then the hits from `start` on; each with its index.

        About `expected` of them from `start` on are likely to be read.
        """
        if not self._ranking.is_scored:  # nothing can change the order
            listed = self._ranking.candidates(start, expected, self._expect)
            yield from enumerate((hit for _, hit in listed), start=start)
            return
        leading = WINDOW if start else min(expected, WINDOW)
        ranked = self._ranking.candidates(0, leading, self._expect)
        yield from enumerate(islice(self._merged(ranked), WINDOW))
        rest = self._rest_from(start or WINDOW, expected if start else _BATCH)
        yield from enumerate((hit for _, hit in rest), start=start or WINDOW)

    def hide(self, index: int, original: VersionKey | None = None) -> None:
        """Let the file of the candidate read last not pay for it: a copy, or gone."""
        if index < len(self._leading):
            last = self._leading[index]
            if original is not None:
                self._originals.setdefault(last.version_key, set()).add(original)
            self._raise_without(last)

    def regions(self) -> list[Region]:
        """All candidates in their order, as far as what was read tells it."""
        return [*self._leading, *self._rest()]

    def _merged(self, ranked: Iterator[Candidate]) -> Iterator[SearchHit]:
        for region, hit in ranked:
            yield from self._raised_before(total_order(region))
            if _name_of(region) not in self._ranked:
                self._leading.append(region)
                yield hit
        yield from self._raised_before(None)

    def _raised_before(self, order: SortKey | None) -> Iterator[SearchHit]:
        while self._next and (order is None or self._next[0][0] <= order):
            _, region = heappop(self._next)
            if self._raised.get(_name_of(region)) is not region:
                continue
            del self._raised[_name_of(region)]
            hit = self._ranking.hit_of(region)
            if self._is_in_original(hit):
                del self._ranked[_name_of(region)]
                self._raise_without(region)
            else:
                self._leading.append(region)
                yield hit

    def _raise_without(self, hidden: Region) -> None:
        """Score what was not read of a file as if it had no such region, nor others hidden."""
        key = hidden.version_key
        parts = self._hidden.setdefault(key, set())
        parts.add(part_of(hidden))
        read = self._parts_read(key)
        for ranked, raised in self._ranking.without(key, parts):
            if part_of(raised) not in read:
                name = _name_of(raised)
                self._ranked[name], self._raised[name] = ranked, raised
                heappush(self._next, (total_order(raised), raised))

    def _is_in_original(self, hit: SearchHit) -> bool:
        """Whether a hit is a copy of what was not read of a file that its own is a copy of."""
        for key in sorted(self._originals.get(hit.version_key, ())):
            read = self._parts_read(key)
            unread = (
                each for each in self._ranking.regions_of_files([key]) if part_of(each) not in read
            )
            for region in islice(unread, _COMPARED):
                if self._are_alike(hit, self._ranking.hit_of(region)):
                    return True
        return False

    def _parts_read(self, key: VersionKey) -> set[Part]:
        return {part_of(each) for each in self._leading if each.version_key == key}

    def _rest_from(self, index: int, expected: int) -> Iterator[Candidate]:
        if not self._ranked:
            return self._ranking.candidates(index, expected, self._expect)
        rest = self._ranking.with_regions(self._rest())
        return rest.candidates(index - WINDOW, expected, self._expect)

    def _rest(self) -> ChangedRegions:
        """Those that were not read."""
        read = [each for each in self._leading if _name_of(each) not in self._ranked]
        left_out = [*read, *self._ranked.values()]
        return ChangedRegions(self._ranking.regions, [*self._raised.values()], left_out)


def _name_of(region: Region) -> _Name:
    return region.version_key, part_of(region)


class DuplicateFilter(Generic[_Item]):
    """Takes hits best first and keeps the new ones."""

    def __init__(self) -> None:
        """Start empty."""
        self._items: list[_Item] = []
        self._paths: list[str] = []
        self._also_at: list[list[str]] = []
        self._identities: set[tuple[int, ...]] = set()
        self._originals: dict[tuple[int, ...], int] = {}  # of copies
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
            return Taken.COPIED if identity in self._originals else Taken.REPEATED
        original = self._first_like(hit, text) if self._texts.may_hold(text) else None
        if original is None and not has_room:
            return Taken.REFUSED
        self._identities.add(identity)
        if original is not None:
            self._originals[identity] = original
            self._also_at[original].append(f"{hit.path}:{hit.line_start}")
            return Taken.COPIED
        self._texts.add(text)
        self._items.append(item)
        self._paths.append(hit.path)
        self._also_at.append([])
        return Taken.KEPT

    def original_of(self, copy: SearchHit) -> _Item:
        """The kept hit that a copy gave way to."""
        return self._items[self._originals[identity_of(copy)]]

    def _first_like(self, hit: SearchHit, text: Fingerprint) -> int | None:
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
        found = fingerprint_of(_lines(shown))
        size_bytes = _FINGERPRINT_BYTES + _SHINGLE_BYTES * len(found.shingles)
        _cached_fingerprints.put(lines, found, size_bytes)
    return found


def _lines(shown: Verified) -> str:
    return shown.text.text_between(shown.hit.line_start, shown.hit.line_end)
