"""The freshness checks of a server: a watcher may vouch, and a stale index is remembered."""

from typing import TYPE_CHECKING

from cruxe.freshness.budgeted_check import Glances, GlancingCheck
from cruxe.freshness.check import FreshnessCheck, comparable_ref
from cruxe.freshness.watcher import Watching
from cruxe.freshness.watcher_heartbeat import Knowledge
from cruxe.model.levels import FreshnessBasis, FreshnessPolicy
from cruxe.model.refs import RefFile, RefRow
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.targets import Target

if TYPE_CHECKING:
    from cruxe.freshness.changes import ChangeSet
    from cruxe.store.api import Snapshot


class AttendedCheck(FreshnessCheck):
    """Looks at files only where no watcher vouches, and tells afterwards what was found."""

    def __init__(
        self, context: RepositoryContext, target: Target, watching: Watching, glances: Glances
    ) -> None:
        """Start nothing: where a watcher vouches, nothing has to be compared."""
        self._context = context
        self._target = target
        self._watching = watching
        self._glances = glances
        self._comparison: FreshnessCheck | None = None
        self.policy = context.settings.search.freshness_policy
        self.basis = FreshnessBasis.STAT if target.is_worktree else FreshnessBasis.HEAD
        self.is_stale = False
        self.is_blind = False  # nobody watches, and files that are new cannot be seen

    def begin(self, snapshot: "Snapshot") -> None:
        """Begin nothing: a watcher may vouch."""

    def obey(self, policy: FreshnessPolicy) -> None:
        """Take the question's own policy."""
        self.policy = policy

    def is_settled(self, snapshot: "Snapshot") -> bool:
        """Whether a sync would have nothing to write."""
        return self._compare().is_settled(snapshot)

    def is_fresh(self, snapshot: "Snapshot") -> bool:
        """Whether the published content is the present one."""
        row = comparable_ref(self._context, self._target, snapshot)
        is_fresh = row is not None
        if row is not None and self._target.is_worktree:
            is_fresh = self._is_as_published(row, snapshot)
        self.is_stale = not is_fresh
        return is_fresh

    def find_changes(
        self, before: dict[str, RefFile], generation: int, *, retry_failed: bool = False
    ) -> "ChangeSet":
        """What differs between a working tree and its map in a generation."""
        return self._compare().find_changes(before, generation, retry_failed=retry_failed)

    def _is_as_published(self, row: RefRow, snapshot: "Snapshot") -> bool:
        known = self._watching.look(row)
        # That something changed is reason enough to call an answer stale, not to refuse one.
        is_enough = known is Knowledge.CHANGED and self.policy is not FreshnessPolicy.STRICT
        if known is Knowledge.FRESH or is_enough:
            self.basis = FreshnessBasis.WATCHER
            return known is Knowledge.FRESH
        moment = self._watching.moment()
        has_git = self._context.workspace.git_dir is not None
        if moment is None and has_git and self.policy is not FreshnessPolicy.STRICT:
            glance = GlancingCheck(self._context, self._target, self._glances)
            is_fresh = glance.is_fresh(snapshot)
            if glance.is_enough:
                self.basis, self.is_blind = glance.basis, glance.is_blind
                return is_fresh
        with self._glances.whole_look():
            is_fresh = self._compare().is_fresh(snapshot)
        if is_fresh and moment is not None:
            self._watching.vouch_for(row, moment)
        return is_fresh

    def _compare(self) -> FreshnessCheck:
        if self._comparison is None:
            self._comparison = FreshnessCheck(self._context, self._target)
        return self._comparison


class TakenAsFresh(FreshnessCheck):
    """Compares nothing: for files that were read a moment ago, and answers that nobody gets."""

    def __init__(self, context: RepositoryContext, target: Target) -> None:
        """Start nothing."""
        self._context = context
        self._target = target

    def begin(self, snapshot: "Snapshot") -> None:
        """Begin nothing."""

    def is_settled(self, snapshot: "Snapshot") -> bool:
        """Whether the ref is there at all."""
        return snapshot.find_ref(self._target.ref.name) is not None

    def is_fresh(self, snapshot: "Snapshot") -> bool:
        """Whether the ref is there at all."""
        return self.is_settled(snapshot)
