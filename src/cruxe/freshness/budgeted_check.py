"""The freshness check of a server whose tree nobody watches: a few milliseconds a call.

Looking at every file takes the longer the larger the tree is, on a network mount seconds. So each
call looks at as many files as fit in its budget, and the next call goes on from there. If folders
differ, only git knows whether files are new: a small tree is then compared whole, a large one is
left to the next sync. After a partial look nothing is called fresh, and the basis is `head`.
"""

import os
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.freshness.changes import ChangeSet, touched_changes
from cruxe.freshness.check import (
    FullCheck,
    Verdict,
    comparable_ref,
    is_same_content,
    same_paths,
)
from cruxe.freshness.listing_fingerprint import (
    ListingFingerprint,
    is_of_listing,
    is_same_outside,
    read_fingerprint,
)
from cruxe.model.levels import (
    NOTHING_LACKING,
    FreshnessBasis,
    FreshnessPolicy,
    Lacking,
    lacking_paths,
)
from cruxe.model.source import FileStat
from cruxe.model.stored import STAMP_NUMBERS, PackedStamps, RefFile
from cruxe.workspace.context import RepositoryContext, Target
from cruxe.workspace.read import TreeDifferences, begin_look, name_differences, stamps_of

if TYPE_CHECKING:
    from array import array

    from cruxe.store.api import Snapshot

# A check may add 5 ms to an answer (SC-106, measured by the suite `policies`). The budget is less:
# the last batch that was begun, and batches that differed before, are looked at beyond it.
FRESHNESS_BUDGET_MS: Final = 3.0
_BATCH_PATHS: Final = 256
# So many batches are looked at whatever the clock says, and so many of those that differed before.
_MIN_BATCHES: Final = 4
# Up to so many paths, comparing everything and asking git takes no longer than an answer.
_SMALL_TREE_PATHS: Final = 2_000
# After a full look that took longer, as on a network mount, no call makes one for a while.
_SLOW_LOOK_SECONDS: Final = 1.0
_REST_SECONDS: Final = 60.0


class BudgetedCheck:
    """Checks a working tree of git within the time budget of one call."""

    def __init__(self, context: RepositoryContext, target: Target, sweep: "TreeSweep") -> None:
        """Prepare a check that goes on where the last call on the same sweep ended."""
        self.target = target
        self._context = context
        self._sweep = sweep
        self.verdict = Verdict(basis=FreshnessBasis.HEAD)
        self.is_enough = True  # the verdict needs no full look

    def is_fresh(self, snapshot: "Snapshot", policy: FreshnessPolicy | None = None) -> bool:
        """Return whether everything was looked at and nothing differs.

        If only a part was looked at, and nothing differs there, `lacking` counts the other files.
        """
        del policy
        row = comparable_ref(self._context, self.target, snapshot)
        if row is None:
            return False
        seen = self._sweep.look(self._context.workspace.root, snapshot, row.ref_id)
        basis = FreshnessBasis.STAT if seen.is_whole else FreshnessBasis.HEAD
        self.is_enough = seen.is_enough
        is_same = not seen.is_unsure and seen.is_enough
        lacking = NOTHING_LACKING
        changed = self._changed_paths(seen.differences, snapshot, row.ref_id) if is_same else None
        if changed:
            is_same, lacking = False, lacking_paths(changed)
        elif is_same and not seen.is_whole:
            lacking = Lacking(unchecked=seen.unchecked)
        is_fresh = is_same and seen.is_whole
        self.verdict = Verdict(is_fresh=is_fresh, basis=basis, lacking=lacking)
        return self.verdict.is_fresh

    def find_changes(self, before: dict[str, RefFile], generation: int) -> ChangeSet:
        """Return what differs between the working tree and its map; lists the whole tree."""
        return FullCheck(self._context, self.target).find_changes(before, generation)

    def _changed_paths(
        self, differences: TreeDifferences, snapshot: "Snapshot", ref_id: int
    ) -> frozenset[str]:
        """The paths that differ in content; none if only stamps differ."""
        if not differences.restamped:
            return frozenset()
        changes = self._changes_of(differences, snapshot, ref_id)
        same = same_paths(self._context, changes)
        return frozenset() if is_same_content(changes, same) else differences.paths - same

    def _changes_of(
        self, differences: TreeDifferences, snapshot: "Snapshot", ref_id: int
    ) -> ChangeSet:
        context = self._context
        changes = touched_changes(
            context.workspace.root,
            context.rules,
            lambda paths: snapshot.read_rows(ref_id, paths),
            differences,
        )
        if changes is not None:
            return changes
        return self.find_changes(snapshot.read_map(ref_id), snapshot.generation)


class SweepResult(NamedTuple):
    """What one call saw of a tree."""

    differences: TreeDifferences
    is_whole: bool  # it saw everything
    is_unsure: bool  # git might list other files
    unchecked: int  # files that were not looked at, or all if new ones cannot be seen
    is_enough: bool  # to answer without a full look


class TreeSweep:
    """The sweep of a process over the stamps of a tree: each call does a part. Thread-safe."""

    def __init__(
        self, budget_ms: float = FRESHNESS_BUDGET_MS, batch_paths: int = _BATCH_PATHS
    ) -> None:
        """Look at nothing yet; each call has the budget."""
        self._budget_seconds = budget_ms / 1000
        self._batch_paths = batch_paths
        self._lock = threading.Lock()
        self._plan: _SweepPlan | None = None
        self._next = 0  # the batch to go on with
        self._differing: set[int] = set()  # the batches that differed when last looked at
        self.rests_until = 0.0  # no full look before this time

    def look(self, root: str, snapshot: "Snapshot", ref_id: int) -> SweepResult:
        """Go on where the call before ended."""
        with self._lock:
            plan = self._plan_of(snapshot, ref_id)
            folders, files, looked = self._advance(plan, root)
        fingerprint, known = plan.fingerprint, plan.known
        is_blind = fingerprint is None
        has_same_listing = fingerprint is not None and not folders and is_same_outside(fingerprint)
        is_small = len(known.numbers) <= STAMP_NUMBERS * _SMALL_TREE_PATHS
        may_look_fully = (is_small or is_blind) and time.monotonic() > self.rests_until
        return SweepResult(
            differences=name_differences(known.listing, files, known.listing),
            is_whole=looked == {*range(len(plan.batches))} and has_same_listing,
            is_unsure=not is_blind and not has_same_listing,
            unchecked=plan.count_unchecked(looked),
            is_enough=has_same_listing or not may_look_fully,
        )

    @contextmanager
    def full_look(self) -> Generator[None]:
        """Time a full look, git's listing included; after a slow one the next calls make none."""
        started = time.monotonic()
        yield
        ended = time.monotonic()
        if ended - started > _SLOW_LOOK_SECONDS:
            self.rests_until = ended + _REST_SECONDS

    def _plan_of(self, snapshot: "Snapshot", ref_id: int) -> "_SweepPlan":
        path = snapshot.fingerprint_path(ref_id)
        key = ref_id, snapshot.generation, _stamps_of_file(path)
        if self._plan is None or self._plan.key != key:
            known, fingerprint = snapshot.stamps(ref_id), read_fingerprint(path)
            if fingerprint is not None and not is_of_listing(fingerprint, known.listing):
                fingerprint = None
            batches = [*self._batches_of(known, fingerprint)]
            self._plan = _SweepPlan(key=key, known=known, fingerprint=fingerprint, batches=batches)
            self._next, self._differing = 0, set()
        return self._plan

    def _batches_of(
        self, known: PackedStamps, fingerprint: ListingFingerprint | None
    ) -> Iterator["_Batch"]:
        """Folders first: a new file shows in the stamps of its folder."""
        if fingerprint is not None:
            yield from self._cut(fingerprint.listed, fingerprint.inside_stamps, are_folders=True)
        yield from self._cut(known.listing, known.numbers, are_folders=False)

    def _cut(
        self, listing: bytes, numbers: "array[int]", *, are_folders: bool
    ) -> Iterator["_Batch"]:
        ends = [0, *accumulate(len(path) + 1 for path in listing.split(b"\0")[:-1])]
        for first in range(0, len(ends) - 1, self._batch_paths):
            last = min(first + self._batch_paths, len(ends) - 1)
            yield _Batch(
                first=first,
                listing=listing[ends[first] : ends[last]],
                numbers=numbers[first * STAMP_NUMBERS : last * STAMP_NUMBERS],
                are_folders=are_folders,
            )

    def _advance(self, plan: "_SweepPlan", root: str) -> tuple[list[int], list[int], set[int]]:
        """The indexes of differing folders and of files, and the batches that were looked at."""
        found: dict[int, list[int]] = {}
        again = sorted(self._differing)[:_MIN_BATCHES]
        for number in chain(again, self._batches_in_budget(plan)):
            if number not in found:
                found[number] = plan.batches[number].find_differing(root)
        self._differing.difference_update(found)
        self._differing.update(number for number, indexes in found.items() if indexes)
        folders: list[int] = []
        files: list[int] = []
        for number, indexes in found.items():
            (folders if plan.batches[number].are_folders else files).extend(indexes)
        return folders, sorted(files), {*found}

    def _batches_in_budget(self, plan: "_SweepPlan") -> Iterator[int]:
        """The batches from where the last call ended, as many as the budget allows."""
        ends_at = time.monotonic() + self._budget_seconds
        for count in range(len(plan.batches)):
            if count >= _MIN_BATCHES and time.monotonic() > ends_at:
                return
            number, self._next = self._next, (self._next + 1) % len(plan.batches)
            yield number


class _Batch(NamedTuple):
    """Neighbouring paths of a tree with their stamps."""

    first: int  # the index of the first path
    listing: bytes
    numbers: "array[int]"
    are_folders: bool

    @property
    def path_count(self) -> int:
        """The number of paths."""
        return len(self.numbers) // STAMP_NUMBERS

    def find_differing(self, root: str) -> list[int]:
        """The indexes of paths that have other stamps."""
        found = begin_look(root, self.listing, self.numbers).places()
        return [self.first + each for each in found]


class _SweepPlan(NamedTuple):
    """What is to be looked at of one published state."""

    key: tuple[int, int, FileStat | None]  # ref, generation, and stamps of the fingerprint's file
    known: PackedStamps
    fingerprint: ListingFingerprint | None  # of this very listing
    batches: list[_Batch]

    def count_unchecked(self, looked: set[int]) -> int:
        """The number of files outside some batches; all if nothing tells of new ones."""
        if self.fingerprint is None:
            looked = set()
        left = (batch for number, batch in enumerate(self.batches) if number not in looked)
        return sum(batch.path_count for batch in left if not batch.are_folders)


def _stamps_of_file(path: str) -> FileStat | None:
    try:
        return stamps_of(os.stat(path))
    except OSError:
        return None
