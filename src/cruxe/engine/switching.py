"""Answering `switch_ref`: whether another ref can be meant from now on."""

from cruxe.engine.context import RepositoryContext
from cruxe.engine.freshness import FreshnessCheck
from cruxe.engine.repository import published_ref
from cruxe.engine.targets import resolve_target
from cruxe.index.snapshot import open_snapshot
from cruxe.model.named import NamedTuple
from cruxe.respond.metadata import Metadata

Answer = dict[str, object]


class Switched(NamedTuple):
    """The answer, and whether the ref is the caller's working tree."""

    answer: Answer
    is_working_tree: bool


def switch_ref(context: RepositoryContext, ref: str, previous: str | None) -> Switched:
    """Check that a ref has an index; a ref without one is refused."""
    target = resolve_target(context.workspace, ref)
    before = resolve_target(context.workspace, previous)
    check = FreshnessCheck(context, target)
    with open_snapshot(context.layout) as snapshot:
        row = published_ref(snapshot, target)
        metadata = Metadata.ready(target.shown, is_fresh=check.is_fresh(snapshot))
    answer: Answer = {
        "ref": ref,
        "previous_ref": before.shown,
        "status": "ready",
        "last_indexed_commit": row.commit_id,
        "metadata": metadata.to_mapping(),
    }
    return Switched(answer, target.is_worktree)
