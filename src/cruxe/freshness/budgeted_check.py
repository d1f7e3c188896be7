"""The freshness check of a server whose tree nobody watches: a few milliseconds a question.

To look at every file takes as long as the tree is large, on a network mount seconds. So a question
looks at as many as it has time for, and the next one goes on from there. Where folders differ only
git knows whether files are new: a small tree is compared whole then, a large one by the next sync.
What was not looked at is not vouched for: such an answer says that it rests on `head`.
"""

import os
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.freshness.check import FreshnessCheck, StampComparison, comparable_ref, comparison_of
from cruxe.freshness.listing_fingerprint import (
    STAMP_NUMBERS,
    Witness,
    is_of_listing,
    read_witness,
    stands_outside,
)
from cruxe.model.levels import FreshnessBasis
from cruxe.model.source import FileStat
from cruxe.store.packed import PackedStamps
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.stamps import begin_look, stamps_of
from cruxe.workspace.targets import Target

if TYPE_CHECKING:
    from array import array

    from cruxe.store.api import Snapshot

# A check may add 5 ms to an answer (SC-106; the suite `policies`): the last part that is begun, and
# those that held a change, take their time too.
_SECONDS: Final = 0.003
_PATHS_AT_ONCE: Final = 256
# So many parts are looked at whatever the clock says, and so many of those that held a change.
_FEW_PARTS: Final = 4
# With so many paths, to compare everything and ask git takes no longer than an answer.
_SMALL_TREE: Final = 2_000
# Where to compare everything took longer, as on a network mount, no question does it for a while.
_SLOW_SECONDS: Final = 1.0
_REST_SECONDS: Final = 60.0


class _Part(NamedTuple):
    """Paths of a tree that follow each other, with their stamps."""

    first: int  # the place of the first
    listing: bytes
    numbers: "array[int]"
    are_folders: bool

    def differing(self, root: str) -> list[int]:
        """The places of those that have other stamps."""
        found = begin_look(root, self.listing, self.numbers).places()
        return [self.first + each for each in found]


class _Tour(NamedTuple):
    """What is to be looked at of one published state."""

    key: tuple[int, int, FileStat | None]  # ref, generation, and the stamps of the witness
    known: PackedStamps
    witness: Witness | None  # of this very listing
    parts: list[_Part]


class Seen(NamedTuple):
    """What one question saw of a tree."""

    stamps: StampComparison
    is_whole: bool  # it saw everything
    is_unsure: bool  # git might list other files
    is_blind: bool  # files that are new cannot be seen
    is_enough: bool  # to answer without comparing everything


class Glances:
    """What the questions of one process look at in a working tree, one after the other."""

    def __init__(self, seconds: float = _SECONDS, paths_at_once: int = _PATHS_AT_ONCE) -> None:
        """Look at nothing yet; a question has so many seconds for it."""
        self._seconds = seconds
        self._paths_at_once = paths_at_once
        self._lock = threading.Lock()
        self._tour: _Tour | None = None
        self._next = 0  # the part to go on with
        self._changed: set[int] = set()  # the parts that differed when they were looked at last
        self.rests_until = 0.0  # nobody compares everything before

    def look(self, root: str, snapshot: "Snapshot", ref_id: int) -> Seen:
        """Go on where the question before ended."""
        with self._lock:
            tour = self._tour_of(snapshot, ref_id)
            folders, files, is_whole = self._go_on(tour, root)
        witness, known = tour.witness, tour.known
        is_witnessed = witness is not None and not folders and stands_outside(witness)
        stamps = comparison_of(snapshot.generation, known, files, known.listing)
        is_blind = witness is None
        is_small = len(known.numbers) <= STAMP_NUMBERS * _SMALL_TREE
        can_compare = (is_small or is_blind) and time.monotonic() > self.rests_until
        is_unsure = not is_blind and not is_witnessed
        is_enough = is_witnessed or not can_compare
        return Seen(stamps, is_whole and is_witnessed, is_unsure, is_blind, is_enough)

    @contextmanager
    def whole_look(self) -> Generator[None]:
        """Take the time of a look at everything, git's listing included."""
        started = time.monotonic()
        yield
        ended = time.monotonic()
        if ended - started > _SLOW_SECONDS:
            self.rests_until = ended + _REST_SECONDS

    def _tour_of(self, snapshot: "Snapshot", ref_id: int) -> _Tour:
        path = snapshot.witness_path(ref_id)
        key = ref_id, snapshot.generation, _stamps_of(path)
        if self._tour is None or self._tour.key != key:
            known, witness = snapshot.stamps(ref_id), read_witness(path)
            if witness is not None and not is_of_listing(witness, known.listing):
                witness = None
            self._tour = _Tour(key, known, witness, [*self._parts(known, witness)])
            self._next, self._changed = 0, set()
        return self._tour

    def _parts(self, known: PackedStamps, witness: Witness | None) -> Iterator[_Part]:
        """Folders first: a file that is new shows there."""
        if witness is not None:
            stamps = witness.stamps[STAMP_NUMBERS * len(witness.outside) :]
            yield from self._cut(witness.listed, stamps, are_folders=True)
        yield from self._cut(known.listing, known.numbers, are_folders=False)

    def _cut(self, listing: bytes, numbers: "array[int]", *, are_folders: bool) -> Iterator[_Part]:
        ends = [0, *accumulate(len(path) + 1 for path in listing.split(b"\0")[:-1])]
        for first in range(0, len(ends) - 1, self._paths_at_once):
            last = min(first + self._paths_at_once, len(ends) - 1)
            stamps = numbers[first * STAMP_NUMBERS : last * STAMP_NUMBERS]
            yield _Part(first, listing[ends[first] : ends[last]], stamps, are_folders)

    def _go_on(self, tour: _Tour, root: str) -> tuple[list[int], list[int], bool]:
        """The places of differing folders and files, and whether all were looked at."""
        found: dict[int, list[int]] = {}
        for number in chain(sorted(self._changed)[:_FEW_PARTS], self._round(tour)):
            if number not in found:
                found[number] = tour.parts[number].differing(root)
        self._changed.difference_update(found)
        self._changed.update(number for number, places in found.items() if places)
        folders: list[int] = []
        files: list[int] = []
        for number, places in found.items():
            (folders if tour.parts[number].are_folders else files).extend(places)
        return folders, sorted(files), len(found) == len(tour.parts)

    def _round(self, tour: _Tour) -> Iterator[int]:
        """The parts from where the last question ended, as many as there is time for."""
        ends_at = time.monotonic() + self._seconds
        for count in range(len(tour.parts)):
            if count >= _FEW_PARTS and time.monotonic() > ends_at:
                return
            number, self._next = self._next, (self._next + 1) % len(tour.parts)
            yield number


class GlancingCheck(FreshnessCheck):
    """A check of a working tree that git knows, no longer than its question can wait."""

    def __init__(self, context: RepositoryContext, target: Target, glances: Glances) -> None:
        """Take what was looked at before."""
        super().__init__(context, target)
        self._glances = glances
        self.is_blind = False
        self.is_enough = True

    def is_fresh(self, snapshot: "Snapshot") -> bool:
        """Whether the published content is the present one, as far as was looked."""
        row = comparable_ref(self._context, self._target, snapshot)
        if row is None:
            return False
        seen = self._glances.look(self._context.workspace.root, snapshot, row.ref_id)
        self.basis = FreshnessBasis.STAT if seen.is_whole else FreshnessBasis.HEAD
        self.is_blind, self.is_enough = seen.is_blind, seen.is_enough
        self._stamps = seen.stamps
        if seen.is_unsure or not seen.is_enough:
            return False
        return not seen.stamps.differing or self._is_same_content(snapshot, row.ref_id)


def _stamps_of(path: str) -> FileStat | None:
    try:
        return stamps_of(os.stat(path))
    except OSError:
        return None
