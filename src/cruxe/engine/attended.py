"""The freshness check of a server: lazy, and remembered, so that a stale index can be healed."""

from cruxe.engine.context import RepositoryContext
from cruxe.engine.freshness import FreshnessCheck
from cruxe.engine.targets import Target
from cruxe.index.snapshot import Snapshot
from cruxe.model.levels import FreshnessPolicy


class AttendedCheck(FreshnessCheck):
    """Looks once for each question, and tells afterwards what was found."""

    def __init__(self, context: RepositoryContext, target: Target) -> None:
        """Take the policy of the settings, until the question brings its own."""
        super().__init__(context, target)
        self.policy = context.settings.search.freshness_policy
        self.is_stale = False

    def obey(self, policy: FreshnessPolicy) -> None:
        """Take the question's own policy."""
        self.policy = policy

    def is_fresh(self, snapshot: Snapshot) -> bool:
        """Whether the published content is the present one."""
        is_fresh = super().is_fresh(snapshot)
        self.is_stale = not is_fresh
        return is_fresh
