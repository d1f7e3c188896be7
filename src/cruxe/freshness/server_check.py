"""The freshness checks of a long-lived process.

`ServerCheck` asks the watcher first, then looks for a few milliseconds, then at all files.
`AssumedFresh` looks at nothing.
"""

from typing import TYPE_CHECKING

from cruxe.freshness.budgeted_check import BudgetedCheck, TreeSweep
from cruxe.freshness.changes import ChangeSet
from cruxe.freshness.check import FullCheck, comparable_ref
from cruxe.freshness.watcher import Watcher
from cruxe.freshness.watcher_heartbeat import Knowledge
from cruxe.model.levels import FreshnessBasis, FreshnessPolicy
from cruxe.model.stored import RefFile, RefRow
from cruxe.workspace.context import RepositoryContext, Target

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot


class ServerCheck:
    """Looks at files only if no watcher vouches; tells its host afterwards what it found."""

    def __init__(
        self, context: RepositoryContext, target: Target, watcher: Watcher, sweep: TreeSweep
    ) -> None:
        """Prepare a check of a ref; no file is looked at yet."""
        self.target = target
        self._context = context
        self._watcher = watcher
        self._sweep = sweep
        self._full = FullCheck(context, target)
        self.policy = context.settings.search.freshness_policy  # of the call
        self.basis: FreshnessBasis | None = (
            FreshnessBasis.STAT if target.is_worktree else FreshnessBasis.HEAD
        )
        self.is_stale = False
        self.is_blind = False  # nobody watches, and new files cannot be seen

    def is_fresh(self, snapshot: "Snapshot", policy: FreshnessPolicy | None = None) -> bool:
        """Return whether the published content is the present one; `strict` compares all files."""
        if policy is not None:
            self.policy = policy
        row = comparable_ref(self._context, self.target, snapshot)
        is_fresh = row is not None
        if row is not None and self.target.is_worktree:
            is_fresh = self._is_same_tree(row, snapshot)
        self.is_stale = not is_fresh
        return is_fresh

    def find_changes(self, before: dict[str, RefFile], generation: int) -> ChangeSet:
        """Return what differs between the working tree and its map in a generation."""
        return self._full.find_changes(before, generation)

    def _is_same_tree(self, row: RefRow, snapshot: "Snapshot") -> bool:
        known = self._watcher.look(row)
        # A change is reason enough to call an answer stale, but not to refuse one.
        is_enough = known is Knowledge.CHANGED and self.policy is not FreshnessPolicy.STRICT
        if known is Knowledge.FRESH or is_enough:
            self.basis = FreshnessBasis.WATCHER
            return known is Knowledge.FRESH
        moment = self._watcher.moment()
        if moment is None and self._may_be_budgeted():
            budgeted = BudgetedCheck(self._context, self.target, self._sweep)
            is_fresh = budgeted.is_fresh(snapshot)
            if budgeted.is_enough:
                self.basis, self.is_blind = budgeted.basis, budgeted.is_blind
                return is_fresh
        with self._sweep.full_look():
            is_fresh = self._full.is_fresh(snapshot)
        if is_fresh and moment is not None:
            self._watcher.vouch_for(row, moment)
        return is_fresh

    def _may_be_budgeted(self) -> bool:
        has_git = self._context.workspace.git_dir is not None
        return has_git and self.policy is not FreshnessPolicy.STRICT


class AssumedFresh:
    """Compares nothing: for files read a moment ago, and for answers that nobody gets."""

    basis: FreshnessBasis | None = None

    def __init__(self, target: Target) -> None:
        """Take the ref that is assumed to be fresh."""
        self.target = target

    def is_fresh(self, snapshot: "Snapshot", policy: FreshnessPolicy | None = None) -> bool:
        """Return whether the ref is published at all."""
        del policy
        return snapshot.find_ref(self.target.ref.name) is not None

    def find_changes(self, before: dict[str, RefFile], generation: int) -> ChangeSet:
        """Return no changes."""
        del generation
        return ChangeSet(before=before, kept=dict(before), tasks=[], has_removals=False)
