"""The freshness checks of a long-lived process.

`ServerCheck` asks the watcher first, then looks for a few milliseconds, then at all files.
`SettledCheck` has the verdict that was reached when the call arrived. `AssumedFresh` looks at
nothing.
"""

from typing import TYPE_CHECKING

from cruxe.freshness.budgeted_check import BudgetedCheck, TreeSweep
from cruxe.freshness.changes import ChangeSet
from cruxe.freshness.check import FreshnessCheck, FullCheck, Verdict, comparable_ref
from cruxe.freshness.watcher import Knowledge, Watcher, WatchState
from cruxe.model.levels import FreshnessBasis, FreshnessPolicy
from cruxe.model.stored import RefFile, RefRow
from cruxe.workspace.context import RepositoryContext, Target

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot


class ServerCheck:
    """Looks at files only if no watcher vouches."""

    def __init__(
        self,
        context: RepositoryContext,
        target: Target,
        watcher: Watcher,
        sweep: TreeSweep,
        *,
        has_catch_up: bool = False,
    ) -> None:
        """Prepare a check of a ref, before it is opened; no file is looked at yet.

        With `has_catch_up` the caller does not wait for a look at the whole tree, but for a
        catch-up, which makes one: that wait is bounded.
        """
        self._has_catch_up = has_catch_up
        self.target = target
        self._context = context
        self._watcher = watcher
        self._sweep = sweep
        self._full = FullCheck(context, target)
        self._seen = watcher.mark_of_change()  # before a snapshot is opened
        basis = FreshnessBasis.STAT if target.is_worktree else FreshnessBasis.HEAD
        self.verdict = Verdict(basis=basis)

    def is_fresh(self, snapshot: "Snapshot", policy: FreshnessPolicy | None = None) -> bool:
        """Return whether the published content is the present one; `strict` compares all files."""
        row = comparable_ref(self._context, self.target, snapshot)
        if row is None or not self.target.is_worktree:
            self.verdict = self.verdict._replace(is_fresh=row is not None)
        else:
            policy = policy or self._context.settings.search.freshness_policy
            self.verdict = self._judge_tree(row, snapshot, policy)
        return self.verdict.is_fresh

    def find_changes(self, before: dict[str, RefFile], generation: int) -> ChangeSet:
        """Return what differs between the working tree and its map in a generation."""
        return self._full.find_changes(before, generation)

    def _judge_tree(self, row: RefRow, snapshot: "Snapshot", policy: FreshnessPolicy) -> Verdict:
        known = self._watcher.look(row)
        if known is not Knowledge.UNKNOWN:
            is_fresh = known is Knowledge.FRESH
            return Verdict(is_fresh=is_fresh, basis=FreshnessBasis.WATCHER)
        doubt = self._watcher.doubt(row)
        if doubt is None and self._may_be_budgeted(policy):
            budgeted = BudgetedCheck(self._context, self.target, self._sweep)
            budgeted.is_fresh(snapshot)
            if budgeted.is_enough:
                return budgeted.verdict
        if doubt is not None and doubt.paths is None and self._has_catch_up:
            return Verdict(basis=FreshnessBasis.STAT)
        if doubt is not None and doubt.paths is not None:
            is_fresh = self._full.is_fresh_at(snapshot, doubt.paths)
        else:
            with self._sweep.full_look():
                is_fresh = self._full.is_fresh(snapshot)
        if is_fresh and doubt is not None:
            self._watcher.vouch_for(row, doubt.mark, self._seen)
        return self._full.verdict._replace(basis=FreshnessBasis.STAT)

    def _may_be_budgeted(self, policy: FreshnessPolicy) -> bool:
        """Whether the first few files may do. Until a watcher has started, all are compared."""
        is_starting = self._watcher.state is WatchState.STARTING
        return not is_starting and policy is not FreshnessPolicy.STRICT


class SettledCheck:
    """Has a verdict that was reached before; a call looks once, when it arrives."""

    def __init__(self, check: FreshnessCheck, verdict: Verdict) -> None:
        """Take the check that can still list what differs."""
        self.target = check.target
        self.verdict = verdict
        self._check = check

    def is_fresh(self, snapshot: "Snapshot", policy: FreshnessPolicy | None = None) -> bool:
        """Return the verdict."""
        del snapshot, policy
        return self.verdict.is_fresh

    def find_changes(self, before: dict[str, RefFile], generation: int) -> ChangeSet:
        """Return what differs between the working tree and its map in a generation."""
        return self._check.find_changes(before, generation)


class AssumedFresh:
    """Compares nothing: for files read a moment ago, and for answers that nobody gets."""

    def __init__(self, target: Target) -> None:
        """Take the ref that is assumed to be fresh."""
        self.target = target
        self.verdict = Verdict(is_fresh=True)

    def is_fresh(self, snapshot: "Snapshot", policy: FreshnessPolicy | None = None) -> bool:
        """Return whether the ref is published at all."""
        del policy
        return snapshot.find_ref(self.target.ref.name) is not None

    def find_changes(self, before: dict[str, RefFile], generation: int) -> ChangeSet:
        """Return no changes."""
        del generation
        return ChangeSet(before=before, kept=dict(before), tasks=[], has_removals=False)
