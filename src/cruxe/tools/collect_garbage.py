"""The answer of `cruxe gc`: what a collection dropped."""

from cruxe.ingest.collect import DEFAULT_MAX_AGE_DAYS, collect
from cruxe.workspace.context import RepositoryContext

Answer = dict[str, object]


def collect_garbage(context: RepositoryContext, max_age_days: int | None) -> Answer:
    """Run a collection and return what it did."""
    days = DEFAULT_MAX_AGE_DAYS if max_age_days is None else max_age_days
    outcome = collect(context, max_age_days=days)
    return {**outcome._asdict(), "dropped_refs": list(outcome.dropped_refs)}
