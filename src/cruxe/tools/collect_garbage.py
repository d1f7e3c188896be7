"""The command `cruxe gc`: run a collection and report what it dropped."""

from typing import TYPE_CHECKING

from cruxe.ingest.collect import DEFAULT_MAX_AGE_DAYS, collect
from cruxe.workspace.context import RepositoryContext

if TYPE_CHECKING:
    from cruxe.contract.results import CollectResult


def collect_garbage(context: RepositoryContext, max_age_days: int | None) -> "CollectResult":
    """Run a collection and return what it did."""
    days = DEFAULT_MAX_AGE_DAYS if max_age_days is None else max_age_days
    outcome = collect(context, max_age_days=days)
    return {
        "generation": outcome.generation,
        "dropped_refs": list(outcome.dropped_refs),
        "dropped_versions": outcome.dropped_versions,
        "rewrote_lexical": outcome.rewrote_lexical,
        "freed_bytes": outcome.freed_bytes,
        "duration_ms": outcome.duration_ms,
    }
